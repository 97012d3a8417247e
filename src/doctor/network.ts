// Checks of addresses and ports: free or already ours, and reachable by those who should.

import { createSocket } from "node:dgram";
import { createServer } from "node:net";
import { isUnspecified } from "../addresses.ts";
import type { Config, ListenAt } from "../config.ts";
import { isAlive, placesIn } from "../server/data-folder.ts";
import { readRun } from "../server/run-file.ts";
import { type Check, type Finding, fail, ok, warn } from "./finding.ts";

export const ports: Check = {
  name: "ports",
  async run({ config }) {
    const run = await readRun(placesIn(config.dataFolder).run);
    const running = run && isAlive(run.pid) ? run : undefined;
    const findings = [
      running
        ? ok(`HTTP ${running.http}, open by our server`)
        : await told("HTTP", "SANTRAL_HTTP", tryTcp(config.http)),
    ];
    if (running?.sip) findings.push(ok(`SIP ${running.sip}, open by our server`));
    else {
      findings.push(await told("SIP over TCP", "SANTRAL_SIP", tryTcp(config.sip)));
      findings.push(await told("SIP over UDP", "SANTRAL_SIP", tryUdp(config.sip)));
    }
    if (config.sipTls) findings.push(await told("SIP over TLS", "SANTRAL_SIP_TLS", tryTcp(config.sipTls)));
    return findings;
  },
};

export const publicAddress: Check = {
  name: "public address",
  async run({ config }) {
    return [...reach(config), ...certificate(config)];
  },
};

function reach({ http, sip, publicIp, publicUrl }: Config): Finding[] {
  const findings: Finding[] = [];
  if (isLoopback(sip.host))
    findings.push(warn("phones on other machines cannot reach us", "set SANTRAL_SIP, for instance to 0.0.0.0:5060"));
  else if (!publicIp && isUnspecified(sip.host))
    findings.push(warn("phones behind other networks are not told our address", "set SANTRAL_PUBLIC_IP"));
  if (!isLoopback(http.host) && !publicUrl?.startsWith("https:"))
    findings.push(
      warn("HTTP is open beyond this machine without TLS", "put a TLS proxy in front and set SANTRAL_PUBLIC_URL"),
    );
  if (isLoopback(http.host) && !publicUrl)
    findings.push(
      warn("programs on other machines cannot reach us", "set SANTRAL_HTTP, or a proxy and SANTRAL_PUBLIC_URL"),
    );
  return findings.length > 0 ? findings : [ok(publicUrl ?? publicIp ?? sip.host)];
}

function certificate({ sipTls, tlsCertificate, tlsKey }: Config): Finding[] {
  if (!sipTls) return [];
  return tlsCertificate && tlsKey
    ? [ok(`certificate ${tlsCertificate}`)]
    : [fail("SIP over TLS has no certificate", "set SANTRAL_TLS_CERTIFICATE and SANTRAL_TLS_KEY")];
}

type Opening = { at: ListenAt; problem: string | undefined };

async function told(what: string, variable: string, opening: Promise<Opening>): Promise<Finding> {
  const { at, problem } = await opening;
  const address = `${at.host}:${at.port}`;
  return problem
    ? fail(`${what} cannot open ${address}: ${problem}`, `end what uses it, or set ${variable}`)
    : ok(`${what} ${address} is free`);
}

function tryTcp(at: ListenAt): Promise<Opening> {
  return new Promise((settle) => {
    const server = createServer();
    server.once("error", (error) => settle({ at, problem: error.message }));
    server.listen(at.port, at.host, () => server.close(() => settle({ at, problem: undefined })));
  });
}

function tryUdp(at: ListenAt): Promise<Opening> {
  return new Promise((settle) => {
    const socket = createSocket(at.host.includes(":") ? "udp6" : "udp4");
    socket.once("error", (error) => settle({ at, problem: error.message }));
    socket.bind(at.port, at.host, () => socket.close(() => settle({ at, problem: undefined })));
  });
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || host.startsWith("127.");
}
