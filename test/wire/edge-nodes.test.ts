// Several nodes behind one edge: phones know the edge alone, whichever node has their exchange, and whichever dies.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test, vi } from "vitest";
import { sql } from "../../src/store/sql.ts";
import { type Edge, startEdge } from "../carriers/edge.ts";
import { selfSigned } from "../ground/certificate.ts";
import { eventually } from "../ground/eventually.ts";
import { freePorts } from "../ground/free-ports.ts";
import { shows } from "../ground/interop.ts";
import { type NodeTown, nodeTown } from "../ground/nodes.ts";
import { type SantralProcess, temporaryFolder } from "../ground/santral-process.ts";
import { whenOver } from "../ground/when-over.ts";
import { type Baresip, type BaresipOptions, startBaresip } from "../phones/baresip.ts";
import { talked } from "../phones/ear.ts";
import { type FirstRun, toneFile } from "../town/real-town.ts";

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const EDGE_ADDRESS = "127.0.0.41";

let town: NodeTown;
let firstRun: FirstRun;
let edge: Edge;
let caller: Baresip;
let callee: Baresip;
let folder: string;
const nodes = new Map<string, SantralProcess>();
const doors = new Map<string, string>();

const start = async (name: string) => {
  const more = { SANTRAL_SIP: doors.get(name) ?? "", SANTRAL_EDGES: EDGE_ADDRESS };
  nodes.set(name, await town.start(name, more));
};
const owner = () => eventually("it lives somewhere", async () => (await town.nodeOf(firstRun.exchange.id)) || false);

async function phone(user: string, hz: number, more: Pick<BaresipOptions, "server"> & Partial<BaresipOptions>) {
  const password = firstRun.extensions.find(({ number }) => number === user)?.password ?? "";
  const account = { user, password, domain: firstRun.exchange.sip_domain, plays: toneFile(folder, hz) };
  const started = await startBaresip({ ...account, answerMode: "auto", ...more });
  whenOver(() => started.kill());
  await started.registered();
  return started;
}

beforeAll(async () => {
  town = await nodeTown();
  for (const name of ["one", "two"]) doors.set(name, `127.0.0.1:${await freePorts(1)}`);
  await start("one");
  firstRun = JSON.parse(readFileSync(join(town.folderOf("one"), "first-run.json"), "utf8")) as FirstRun;
  await owner();
  await start("two");
  folder = temporaryFolder();
  const { key, cert } = selfSigned("edge.example.com");
  const tls = { certificate: join(folder, "edge.pem"), key: join(folder, "key.pem") };
  writeFileSync(tls.certificate, cert);
  writeFileSync(tls.key, key);
  // The one that has nothing comes first: it has to say who has.
  edge = await startEdge({
    address: EDGE_ADDRESS,
    nodes: ["two", "one"].map((it) => doors.get(it)!),
    relays: true,
    tls,
  });
  caller = await phone("1000", 440, { server: edge.secureAt, transport: "tls" });
  callee = await phone("1001", 660, { server: edge.at });
});

async function talk(): Promise<string> {
  for (const phone of [caller, callee]) phone.forget();
  await caller.dial("1001");
  await caller.event("CALL_ESTABLISHED");
  await callee.event("CALL_ESTABLISHED");
  await talked([caller, 660], [callee, 440]);
  const [call] = await eventually("it is kept", async () => {
    const rows = await town.root.query<{ uuid: string }>(sql`select call_uuid as uuid from live_calls`);
    return rows.length === 1 && rows;
  });
  return call!.uuid;
}

const recordsOf = (uuid: string) =>
  eventually("it has its record", async () => {
    const rows = await town.root.query<{ cause: string }>(
      sql`select hangup_cause as cause from cdrs where call_uuid = $1`,
      [uuid],
    );
    return rows.length > 0 && rows;
  });

test(
  "two that talk through an edge, one over TLS, hear each other again after their node was killed, and hang up at the next one",
  shows("several nodes: behind a proxy of one's own", "Kamailio", "baresip"),
  async () => {
    const uuid = await talk();
    const [victim, heir] = (await owner()) === "one" ? ["one", "two"] : ["two", "one"];
    await nodes.get(victim)!.end("SIGKILL");
    await eventually("the call goes on there", async () =>
      nodes.get(heir)!.output().includes("calls that were up go on"),
    );
    await talked([caller, 660], [callee, 440]);
    await callee.hangUp();
    await caller.event("CALL_CLOSED");
    expect(await recordsOf(uuid)).toEqual([{ cause: "NORMAL_CLEARING" }]);
    const next = await talk();
    await caller.hangUp();
    await callee.event("CALL_CLOSED");
    expect(await recordsOf(next)).toHaveLength(1);
    expect(await owner()).toBe(heir);
    await start(victim);
  },
);

test("who hangs up between the death of a node and its calls going on has hung up", async () => {
  const uuid = await talk();
  const victim = await owner();
  await nodes.get(victim)!.end("SIGKILL");
  await caller.hangUp();
  await callee.event("CALL_CLOSED");
  expect(await recordsOf(uuid)).toEqual([{ cause: "NORMAL_CLEARING" }]);
  await start(victim);
});

test("who registers or calls while nobody has the exchange is in, and talks, without having to try again", async () => {
  const [victim, heir] = (await owner()) === "one" ? ["one", "two"] : ["two", "one"];
  for (const phone of [caller, callee]) phone.forget();
  await nodes.get(victim)!.end("SIGKILL");
  const newcomer = phone("1002", 880, { server: edge.at });
  await caller.dial("1001");
  await caller.event("CALL_ESTABLISHED");
  await callee.event("CALL_ESTABLISHED");
  await talked([caller, 660], [callee, 440]);
  await caller.hangUp();
  await callee.event("CALL_CLOSED");
  await expect((await newcomer).event("REGISTER_FAIL", 10)).rejects.toThrow();
  expect(await owner()).toBe(heir);
});
