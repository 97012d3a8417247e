// The only reader of the environment: one table of settings, one frozen value.

import { resolve } from "node:path";
import {
  addresses,
  isUnreadable,
  type ListenAt,
  type LocalNetworks,
  listenAt,
  listenAtEach,
  localNetworks,
  nameServers,
  parts,
  portRange,
  publicIp,
  publicUrl,
  type Setting,
  type Unreadable,
  wholeNumber,
  wholeNumbers,
} from "./config-addresses.ts";
import { type ClusterConfig, clusterProblems, clusterSettings } from "./config-cluster.ts";
import { type DatabaseConfig, databaseSettings } from "./config-database.ts";
import { type DoorsConfig, doorsSettings } from "./config-doors.ts";
import { type FilesConfig, filesProblems, filesSettings } from "./config-files.ts";
import { autoOnOff, logLevel, optional, webMedia, yesOrNo } from "./config-words.ts";
import { type ConsoleFrom, isNetwork } from "./http/console/gate.ts";

/** Where rows and files are kept. */
type StorageConfig = DatabaseConfig & FilesConfig;

export type Config = StorageConfig &
  ClusterConfig &
  DoorsConfig & {
    dataFolder: string;
    supervise: "auto" | "on" | "off";
    http: ListenAt;
    sip: [ListenAt, ...ListenAt[]];
    sipTls: ListenAt[];
    tlsCertificate: string | undefined;
    tlsKey: string | undefined;
    rtpPorts: { from: number; to: number };
    mediaWorkers: number;
    mediaTimeoutSeconds: number;
    resumeSeconds: number;
    webPorts: { from: number; to: number };
    webCalls: number;
    webMedia: "threads" | "process";
    publicUrl: string | undefined;
    publicIp: string[];
    localNetworks: LocalNetworks;
    nameServers: string[];
    trustedProxies: string[];
    edges: string[];
    metricsFromAnywhere: boolean;
    consoleFrom: ConsoleFrom;
    privateWebhooks: boolean;
    sandbox: "auto" | "on" | "off";
    faxRetrySeconds: number[];
    faxLines: number;
    voiceUrl: string | undefined;
    recogniserUrl: string | undefined;
    smtpUrl: string | undefined;
    mailFrom: string;
    logLevel: string;
  };

export const settings: { [Name in keyof Config]: Setting<Config[Name]> } = {
  dataFolder: {
    variable: "SANTRAL_DATA",
    means: "folder of the embedded database, recordings and other files",
    byDefault: "data",
    read: (text) => resolve(text),
  },
  supervise: {
    variable: "SANTRAL_SUPERVISE",
    means:
      "start the server again when it dies or hangs: on, off, or auto, which leaves it to systemd where that does it",
    byDefault: "auto",
    read: autoOnOff,
  },
  ...databaseSettings,
  ...clusterSettings,
  ...filesSettings,
  http: {
    variable: "SANTRAL_HTTP",
    means: "where the HTTP interface listens; port 0 takes any free one",
    byDefault: "127.0.0.1:8080",
    read: listenAt,
  },
  ...doorsSettings,
  sip: {
    variable: "SANTRAL_SIP",
    means: "where SIP over UDP and TCP listens; several, IPv4 and IPv6, separated by commas",
    byDefault: "127.0.0.1:5060",
    read: listenAtEach,
  },
  sipTls: {
    variable: "SANTRAL_SIP_TLS",
    means: "where SIP over TLS listens, one or several; needs a certificate and its key",
    byDefault: "",
    read: (text) => (text === "" ? [] : listenAtEach(text)),
  },
  tlsCertificate: {
    variable: "SANTRAL_TLS_CERTIFICATE",
    means: "PEM file of the TLS certificate chain; read again when it changes",
    byDefault: "",
    read: optional,
  },
  tlsKey: { variable: "SANTRAL_TLS_KEY", means: "PEM file of its private key", byDefault: "", read: optional },
  rtpPorts: {
    variable: "SANTRAL_RTP_PORTS",
    means: "UDP ports for media, as first-last",
    byDefault: "20000-29999",
    read: portRange,
  },
  mediaWorkers: {
    variable: "SANTRAL_MEDIA_WORKERS",
    means: "threads that carry media",
    byDefault: "1",
    read: (text) => wholeNumber(text, { least: 1, most: 64 }),
  },
  mediaTimeoutSeconds: {
    variable: "SANTRAL_MEDIA_TIMEOUT",
    means: "seconds without RTP, comfort noise or RTCP after which a call that is not on hold ends; 0: never",
    byDefault: "30",
    read: (text) => wholeNumber(text, { least: 0, most: 86_400 }),
  },
  resumeSeconds: {
    variable: "SANTRAL_RESUME_SECONDS",
    means: "how long after a crash or a restart calls that were up are gone on with; 0: they end",
    byDefault: "120",
    read: (text) => wholeNumber(text, { least: 0, most: 3_600 }),
  },
  webPorts: {
    variable: "SANTRAL_WEB_PORTS",
    means: "UDP ports for calls from browsers (WebRTC), as first-last; each call takes two",
    byDefault: "19000-19999",
    read: portRange,
  },
  webCalls: {
    variable: "SANTRAL_WEB_CALLS",
    means: "browsers that may talk at the same time",
    byDefault: "300",
    read: (text) => wholeNumber(text, { least: 1, most: 1_000 }),
  },
  webMedia: {
    variable: "SANTRAL_WEB_MEDIA",
    means: "who speaks with browsers: the media threads, or a process of its own, which costs ten times as much",
    byDefault: "threads",
    read: webMedia,
  },
  publicUrl: {
    variable: "SANTRAL_PUBLIC_URL",
    means: "what temporary URLs begin with; by default the HTTP address",
    byDefault: "",
    read: publicUrl,
  },
  publicIp: {
    variable: "SANTRAL_PUBLIC_IP",
    means: "the address that peers outside the local networks see, for SDP and Contact; one a family",
    byDefault: "",
    read: publicIp,
  },
  localNetworks: {
    variable: "SANTRAL_LOCAL_NETWORKS",
    means: "who is not told SANTRAL_PUBLIC_IP: networks, private (ranges), own (networks this machine is in), or none",
    byDefault: "private,own",
    read: localNetworks,
  },
  nameServers: {
    variable: "SANTRAL_DNS",
    means: "name servers that carriers' names are looked up with, as address or address:port; by default the system's",
    byDefault: "",
    read: nameServers,
  },
  trustedProxies: {
    variable: "SANTRAL_TRUSTED_PROXIES",
    means: "addresses whose X-Forwarded-For is believed, comma-separated",
    byDefault: "",
    read: parts,
  },
  edges: {
    variable: "SANTRAL_EDGES",
    means: "SIP proxies of your own in front, by address, comma-separated: who they say spoke is believed to have",
    byDefault: "",
    read: addresses,
  },
  metricsFromAnywhere: {
    variable: "SANTRAL_METRICS_PUBLIC",
    means: "answer /metrics to every address, not only to loopback",
    byDefault: "false",
    read: yesOrNo,
  },
  consoleFrom: {
    variable: "SANTRAL_CONSOLE_FROM",
    means: "who may open the console beside this machine and private networks: addresses, networks, or anywhere",
    byDefault: "",
    read: consoleFrom,
  },
  privateWebhooks: {
    variable: "SANTRAL_PRIVATE_WEBHOOKS",
    means: "let webhooks and stores of recordings reach private and loopback addresses",
    byDefault: "false",
    read: yesOrNo,
  },
  sandbox: {
    variable: "SANTRAL_SANDBOX",
    means: "the telephone network in a box: auto (while an exchange has no trunk), on or off",
    byDefault: "auto",
    read: autoOnOff,
  },
  faxRetrySeconds: {
    variable: "SANTRAL_FAX_RETRY_SECONDS",
    means: "how long a fax waits after the first call in vain, the second …; after the last it has failed",
    byDefault: "60,180,300,900,1800",
    read: wholeNumbers,
  },
  faxLines: {
    variable: "SANTRAL_FAX_LINES",
    means: "faxes that are sent at the same time on one trunk",
    byDefault: "4",
    read: (text) => wholeNumber(text, { least: 1, most: 500 }),
  },
  smtpUrl: {
    variable: "SANTRAL_SMTP_URL",
    means: "the mail server for voicemail and faxes, as smtp://user:password@host:port",
    byDefault: "",
    read: (text) =>
      text === "" || /^smtps?:\/\//.test(text) ? optional(text) : { unreadable: "an smtp or smtps URL" },
  },
  mailFrom: {
    variable: "SANTRAL_MAIL_FROM",
    means: "the sender of mails",
    byDefault: "Santral <santral@localhost>",
    read: (text) => text,
  },
  recogniserUrl: {
    variable: "SANTRAL_RECOGNISER_URL",
    means: "an HTTP service that understands speech: POST of a WAV file, its words as plain text back",
    byDefault: "",
    read: publicUrl,
  },
  voiceUrl: {
    variable: "SANTRAL_VOICE_URL",
    means: "an HTTP service that speaks: POST of {text, language, speed}, a WAV file back; espeak-ng otherwise",
    byDefault: "",
    read: publicUrl,
  },
  logLevel: {
    variable: "SANTRAL_LOG",
    means: "least serious log line shown: trace, debug, info, warn, error or silent",
    byDefault: "info",
    read: logLevel,
  },
};

/** Whether systemd itself has started this process, and not a shell below it, which inherits the id. */
export function isService({ SYSTEMD_EXEC_PID, INVOCATION_ID }: NodeJS.ProcessEnv = process.env): boolean {
  return SYSTEMD_EXEC_PID === String(process.pid) || (INVOCATION_ID !== undefined && process.ppid === 1);
}

export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config | { problems: string[] } {
  const problems: string[] = [];
  const config: Record<string, unknown> = {};
  for (const [name, { variable, byDefault, read }] of Object.entries(settings)) {
    const text = environment[variable]?.trim() || byDefault;
    const value = read(text) as unknown;
    if (isUnreadable(value)) problems.push(`${variable} should be ${value.unreadable}${butIs(variable, text)}`);
    else config[name] = value;
  }
  if (problems.length === 0) problems.push(...clusterProblems(config), ...filesProblems(config));
  // Every name of `Config` is a row of the table above, so the record is whole.
  return problems.length > 0 ? { problems } : Object.freeze(config as Config);
}

/** What was said, unless it is a secret. */
function butIs(variable: string, text: string): string {
  return variable.endsWith("_SECRET") ? "" : `, not "${withoutPassword(text)}"`;
}

/** A password may hold any sign, also those that should have been encoded. */
function withoutPassword(text: string): string {
  return text.replace(/^([^/]*\/\/[^:/@]*):.*@/, "$1:…@");
}

function consoleFrom(text: string): ConsoleFrom | Unreadable {
  if (text === "anywhere") return text;
  const entries = parts(text);
  return entries.every(isNetwork) ? entries : { unreadable: "addresses, networks such as 203.0.113.0/24, or anywhere" };
}
