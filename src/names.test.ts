import { createSocket } from "node:dgram";
import type { LookupAddress } from "node:dns";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startNameServer } from "../test/carriers/name-server.ts";
import { type TestClock, testClock } from "../test/ground/test-clock.ts";
import { whenOver } from "../test/ground/when-over.ts";
import { realClock } from "./clock.ts";
import { openHostsFile } from "./hosts-file.ts";
import { type NamesOptions, openNames, type Resolve } from "./names.ts";
import { openRequester } from "./webhooks/requester.ts";

const addressesOf = (resolve: Resolve, host: string) =>
  new Promise<LookupAddress[]>((settle, fail) =>
    resolve(host, (error, addresses) => (error ? fail(error) : settle(addresses))),
  );
const failureOf = (resolve: Resolve, host: string) =>
  addressesOf(resolve, host).then(
    () => "found",
    (error: NodeJS.ErrnoException) => error.code,
  );

async function files(hosts: string, resolver: string, clock: TestClock) {
  const folder = await mkdtemp(join(tmpdir(), "names-"));
  whenOver(() => rm(folder, { recursive: true }));
  const paths = { hosts: join(folder, "hosts"), resolver: join(folder, "resolv.conf") };
  await writeFile(paths.hosts, hosts);
  await writeFile(paths.resolver, resolver);
  return { paths, hostsFile: openHostsFile(clock, paths) };
}

/** It answers nothing of a name with "silent" in it, and the truth of others. */
async function openSilentServer(addresses: Record<string, readonly string[]>) {
  const truth = await startNameServer({ addresses });
  const [truthHost, truthPort] = truth.at.split(":");
  const [door, inside] = [createSocket("udp4"), createSocket("udp4")];
  const askers = new Map<number, { port: number; address: string }>();
  const heard = new Set<string>();
  door.on("message", (question, from) => {
    const text = question.toString("latin1");
    if (text.includes("silent")) return void heard.add(text.slice(12));
    askers.set(question.readUInt16BE(0), from);
    inside.send(question, Number(truthPort), truthHost);
  });
  inside.on("message", (answer) => {
    const to = askers.get(answer.readUInt16BE(0));
    if (to) door.send(answer, to.port, to.address);
  });
  whenOver(() => {
    door.close();
    inside.close();
  });
  await new Promise<void>((bound) => door.bind(0, "127.0.0.1", bound));
  return { at: `127.0.0.1:${door.address().port}`, asked: truth.asked, heard };
}

async function asking(options: Partial<NamesOptions> = {}) {
  const server = await openSilentServer({
    "both.test": ["2001:db8::7", "192.0.2.7"],
    "four.test": ["192.0.2.4"],
    "here.test": ["127.0.0.1"],
    "crm.office.test": ["192.0.2.9"],
  });
  const clock = testClock();
  const resolve = openNames({ clock, nameServers: [server.at], ...options });
  return { ...server, clock, resolve };
}

test("a name has the addresses of both families, and one that nobody has is told apart from silence", async () => {
  const { resolve, clock, heard } = await asking();
  expect(await addressesOf(resolve, "Both.Test.")).toEqual([
    { address: "192.0.2.7", family: 4 },
    { address: "2001:db8::7", family: 6 },
  ]);
  expect(await addressesOf(resolve, "four.test")).toEqual([{ address: "192.0.2.4", family: 4 }]);
  expect(await failureOf(resolve, "nobody.test")).toBe("ENOTFOUND");
  const late = failureOf(resolve, "silent.test");
  await expect.poll(() => heard.size).toBe(2);
  clock.pass(4_000);
  expect(await late).toBe("EAI_AGAIN");
});

test("one name is asked about once, and again when what was said is too old", async () => {
  const { resolve, clock, asked } = await asking();
  await Promise.all([addressesOf(resolve, "four.test"), addressesOf(resolve, "four.test")]);
  await addressesOf(resolve, "four.test");
  expect(asked).toHaveLength(2);
  clock.pass(1_001);
  await addressesOf(resolve, "four.test");
  expect(asked).toHaveLength(4);
  for (const _ of [1, 2]) expect(await failureOf(resolve, "nobody.test")).toBe("ENOTFOUND");
  expect(asked).toHaveLength(6);
});

test("what the hosts file says counts, also when it changes, and names without a dot are looked for where the machine does", async () => {
  const clock = testClock();
  const { paths, hostsFile } = await files(
    "127.0.0.1 localhost Printer # four.test\n::1 localhost\n",
    "search else.test office.test\n",
    clock,
  );
  const { resolve, asked } = await asking({ hostsFile });
  expect(await addressesOf(resolve, "localhost")).toEqual([
    { address: "127.0.0.1", family: 4 },
    { address: "::1", family: 6 },
  ]);
  expect(await addressesOf(resolve, "PRINTER")).toEqual([{ address: "127.0.0.1", family: 4 }]);
  expect(asked).toEqual([]);
  expect(await addressesOf(resolve, "four.test")).toEqual([{ address: "192.0.2.4", family: 4 }]);
  expect(await addressesOf(resolve, "crm")).toEqual([{ address: "192.0.2.9", family: 4 }]);
  await writeFile(paths.hosts, "192.0.2.44 here.test\n");
  clock.pass(5_001);
  expect(await addressesOf(resolve, "here.test")).toEqual([{ address: "192.0.2.44", family: 4 }]);
  expect(await addressesOf(resolve, "localhost")).toHaveLength(2);
});

test("names whose servers are silent keep nobody else's webhook waiting", async () => {
  const { at, heard } = await asking();
  const http = createServer((_request, response) => response.end("heard"));
  await new Promise<void>((listening) => http.listen(0, "127.0.0.1", listening));
  const resolve = openNames({ clock: realClock, nameServers: [at] });
  const requester = openRequester({ clock: realClock, privateAllowed: true, resolve });
  whenOver(() => {
    requester.close();
    http.close();
  });
  const stops = Array.from({ length: 64 }, () => new AbortController());
  const lost = stops.map(({ signal }, place) =>
    requester.ask(`http://${place}.silent.test/`, { method: "POST", body: "x", signal }),
  );
  await expect.poll(() => heard.size).toBe(128);
  const url = `http://here.test:${(http.address() as AddressInfo).port}/`;
  const began = performance.now();
  expect(await requester.ask(url, { method: "POST", body: "x", wantBytes: 100 })).toMatchObject({ body: "heard" });
  expect(performance.now() - began).toBeLessThan(1_000);
  for (const stop of stops) stop.abort();
  for (const answer of await Promise.all(lost)) expect(answer).toMatchObject({ why: "unreachable" });
});
