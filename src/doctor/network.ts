// Checks of addresses and ports: free or already ours, and reachable by those who should.

import { createSocket } from "node:dgram";
import { createServer } from "node:net";
import { networkInterfaces } from "node:os";
import { bracketed, familyOf, isUnspecified, liesIn, octetsOf, PRIVATE_NETWORKS } from "../addresses.ts";
import type { Config } from "../config.ts";
import { type ListenAt, listenAt } from "../config-addresses.ts";
import { placesIn } from "../server/data-folder.ts";
import { type Opened, readRun } from "../server/run-file.ts";
import { type Check, type Finding, fail, ok, warn } from "./finding.ts";

export const ports: Check = {
  name: "ports",
  async run({ config }) {
    const running = await runningIn(config);
    return [
      running
        ? ok(`HTTP ${running.http}, open by our server`)
        : await told("HTTP", "SANTRAL_HTTP", tryTcp(config.http)),
      ...(running ? openDoors(running) : await doorsToOpen(config)),
    ];
  },
};

/** What it opened may be other than what the settings say by now: the server itself has written it down. */
async function runningIn({ dataFolder }: Config): Promise<Opened | undefined> {
  return readRun(placesIn(dataFolder).run);
}

function openDoors(running: Opened): Finding[] {
  const { sip, sipTls } = doorsOf(running);
  return [
    ...sip.map((door) => ok(`SIP ${writtenAt(door)}, open by our server`)),
    ...sipTls.map((door) => ok(`SIP over TLS ${writtenAt(door)}, open by our server`)),
  ];
}

async function doorsToOpen({ sip, sipTls }: Config): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const at of sip) {
    findings.push(await told("SIP over TCP", "SANTRAL_SIP", tryTcp(at)));
    findings.push(await told("SIP over UDP", "SANTRAL_SIP", tryUdp(at)));
  }
  for (const at of sipTls) findings.push(await told("SIP over TLS", "SANTRAL_SIP_TLS", tryTcp(at)));
  return findings;
}

export const publicAddress: Check = {
  name: "public address",
  async run({ config }) {
    const running = await runningIn(config);
    if (!running) return [...reach(config), ...certificate(config)];
    return [...reach({ ...toldTo(running, config), ...doorsOf(running) }), ...certificateOf(running)];
  },
};

type Reach = Pick<Config, "publicIp" | "publicUrl"> & Record<"sip" | "sipTls", ListenAt[]> & { http: ListenAt };

/** By its own settings; a server of an older version has not written them down. */
function toldTo({ publicIp, publicUrl }: Opened, config: Config): Pick<Config, "publicIp" | "publicUrl"> {
  return publicIp ? { publicIp: [...publicIp], publicUrl } : config;
}

/** Without one it would not have opened those doors. */
function certificateOf({ sipTlsDoors = [], tlsCertificate }: Opened): Finding[] {
  return sipTlsDoors.length > 0 && tlsCertificate ? [ok(`certificate ${tlsCertificate}`)] : [];
}

function doorsOf({ http, sip, sipDoors = sip === undefined ? [] : [sip], sipTlsDoors = [] }: Opened) {
  const read = (door: string) => listenAt(door) as ListenAt; // our server has written it
  return { http: read(http), sip: sipDoors.map(read), sipTls: sipTlsDoors.map(read) };
}

function reach(config: Reach): Finding[] {
  const { http, publicUrl } = config;
  const findings = reachBySip(config);
  if (!isLoopback(http.host) && !publicUrl?.startsWith("https:"))
    findings.push(
      warn("HTTP is open beyond this machine without TLS", "put a TLS proxy in front and set SANTRAL_PUBLIC_URL"),
    );
  if (isLoopback(http.host) && !publicUrl)
    findings.push(
      warn("programs on other machines cannot reach us", "set SANTRAL_HTTP, or a proxy and SANTRAL_PUBLIC_URL"),
    );
  return findings;
}

/** What phones and carriers are told of where we are. */
function reachBySip({ sip, sipTls, publicIp }: Reach): Finding[] {
  const hosts = [...sip, ...sipTls].map(({ host }) => host);
  if (hosts.every(isLoopback))
    return [warn("phones on other machines cannot reach us", "set SANTRAL_SIP, for instance to 0.0.0.0:5060")];
  const own = [...new Set(hosts.flatMap((host) => (isUnspecified(host) ? addressesOf(familyOf(host)) : host)))];
  const findings = [ok(`phones are told the address of the way to them: ${own.join(", ") || "none yet"}`)];
  for (const address of publicIp)
    findings.push(
      hosts.some((host) => familyOf(host) === familyOf(address))
        ? ok(`peers outside the local networks are told ${address}`)
        : warn(`nothing listens on IPv${familyOf(address)}, so nobody is told ${address}`, "set SANTRAL_SIP"),
    );
  if (publicIp.length === 0 && own.every(isPrivate))
    findings.push(warn("phones and carriers beyond a NAT are told a private address", "set SANTRAL_PUBLIC_IP"));
  return findings;
}

function addressesOf(family: 4 | 6): string[] {
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter((it) => it.family === `IPv${family}` && !it.internal && !it.address.startsWith("fe80"))
    .map(({ address }) => address);
}

function isPrivate(address: string): boolean {
  const octets = octetsOf(address);
  return octets !== undefined && PRIVATE_NETWORKS.some((network) => liesIn(octets, network));
}

function certificate({ sipTls, tlsCertificate, tlsKey }: Config): Finding[] {
  if (sipTls.length === 0) return [];
  return tlsCertificate && tlsKey
    ? [ok(`certificate ${tlsCertificate}`)]
    : [fail("SIP over TLS has no certificate", "set SANTRAL_TLS_CERTIFICATE and SANTRAL_TLS_KEY")];
}

const writtenAt = ({ host, port }: ListenAt) => `${bracketed(host)}:${port}`;

type Opening = { at: ListenAt; problem: string | undefined };

async function told(what: string, variable: string, opening: Promise<Opening>): Promise<Finding> {
  const { at, problem } = await opening;
  const address = writtenAt(at);
  return problem
    ? fail(`${what} cannot open ${address}: ${problem}`, `end what uses it, or set ${variable}`)
    : ok(`${what} ${address} is free`);
}

function tryTcp(at: ListenAt): Promise<Opening> {
  return new Promise((settle) => {
    const server = createServer();
    server.once("error", (error) => settle({ at, problem: error.message }));
    server.listen({ port: at.port, host: at.host, ipv6Only: true }, () =>
      server.close(() => settle({ at, problem: undefined })),
    );
  });
}

function tryUdp(at: ListenAt): Promise<Opening> {
  return new Promise((settle) => {
    const socket = createSocket({ type: familyOf(at.host) === 6 ? "udp6" : "udp4", ipv6Only: familyOf(at.host) === 6 });
    socket.once("error", (error) => settle({ at, problem: error.message }));
    socket.bind(at.port, at.host, () => socket.close(() => settle({ at, problem: undefined })));
  });
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || host.startsWith("127.");
}
