import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test, vi } from "vitest";
import { WebSocket } from "ws";
import { pause, realClock } from "../../src/clock.ts";
import { sql } from "../../src/store/sql.ts";
import { openReceiver, PRIVATE_WEBHOOKS } from "../customer/event-receiver.ts";
import { eventually } from "../ground/eventually.ts";
import { NODE_SECRET, type NodeTown, nodeTown } from "../ground/nodes.ts";
import { type SantralProcess, santral, temporaryFolder } from "../ground/santral-process.ts";
import { softPhone } from "../phones/soft-phone.ts";
import type { FirstRun } from "../town/real-town.ts";

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

let town: NodeTown;
let firstRun: FirstRun;
const nodes = new Map<string, SantralProcess>();
/** Exchanges made by command, with their keys. */
const made: { id: number; key: string }[] = [];

const at = (name: string) => nodes.get(name)!;
const other = (name: string) => [...nodes.keys()].find((it) => it !== name) ?? "";
const demo = () => firstRun.exchange;
const livesAt = (id: number) =>
  eventually(`exchange ${id} lives somewhere`, async () => (await town.nodeOf(id)) || false);

beforeAll(async () => {
  town = await nodeTown();
  for (const name of ["one", "two"]) nodes.set(name, await town.start(name, PRIVATE_WEBHOOKS));
  firstRun = JSON.parse(readFileSync(join(town.folderOf("one"), "first-run.json"), "utf8")) as FirstRun;
  for (const name of ["ada", "bora"]) {
    const [, id = "", key = ""] =
      /exchange (\d+) is made[\s\S]*(K[0-9a-f-]{36})/.exec(await town.command("exchange", "create", name)) ?? [];
    made.push({ id: Number(id), key });
  }
});

async function asked(node: string, path: string, parameters: Record<string, string>, method = "GET") {
  const sent = new URLSearchParams(parameters);
  const url = `http://${at(node).run.http}${path}`;
  const answer = method === "GET" ? await fetch(`${url}?${sent}`) : await fetch(url, { method, body: sent });
  return { status: answer.status, text: await answer.text() };
}

test("exchanges are shared out, and the command says where each lives", async () => {
  await Promise.all([demo().id, ...made.map(({ id }) => id)].map(livesAt));
  const owners = await Promise.all([demo().id, ...made.map(({ id }) => id)].map((id) => town.nodeOf(id)));
  expect(new Set(owners)).toEqual(new Set(["one", "two"]));
  const list = await town.command("node", "list");
  expect(list).toMatch(/^one +up /m);
  expect(list).toMatch(/^two +up /m);
  expect(await town.command("node", "of", String(demo().id))).toContain(await town.nodeOf(demo().id));
});

test("any node answers for any exchange, whether the key stands in the query or in the body", async () => {
  for (const { id, key } of [demo(), ...made]) {
    for (const node of nodes.keys()) {
      const said = await eventually(`${node} speaks for ${id}`, async () => {
        const contact = { key, name: `by ${node}`, surname: "Ak", phone: "05321234567" };
        const answer = await asked(node, "/contacts", contact, "POST");
        return answer.status !== 503 && answer;
      });
      expect(said, said.text).toMatchObject({ status: 200 });
      const list = await asked(node, "/contacts", { key });
      expect(list.text).toContain(`by ${node}`);
      expect((await asked(node, "/cdrs", { key })).status).toBe(200);
      expect(
        (await asked(node, "/contacts", { key: key.replace(/.$/, (last) => (last === "0" ? "1" : "0")) })).status,
      ).not.toBe(200);
    }
  }
});

test("who signs in to the console at either node sees his live board, and nobody is let in by a made-up signature", async () => {
  const exchange = ["--exchange", String(made[0]!.id)];
  const created = await town.command("staff", "create", "deniz@example.com", "Deniz", ...exchange);
  const password = /shown only now\): (\S+)/.exec(created)?.[1] ?? "";
  for (const node of nodes.keys()) {
    const base = `http://${at(node).run.http}`;
    const headers = { "x-santral-console": "1", "content-type": "application/json" };
    const body = JSON.stringify({ email: "deniz@example.com", password });
    const signedIn = await fetch(`${base}/console/api/session.signIn`, { method: "POST", headers, body });
    expect(signedIn.status, await signedIn.text()).toBe(200);
    const cookie = signedIn.headers.get("set-cookie")!.split(";")[0]!;
    const board = new WebSocket(`${base.replace("http", "ws")}/console/live`, { headers: { cookie } });
    const [first] = (await once(board, "message")) as [Buffer];
    expect(JSON.parse(first.toString())).toMatchObject({ is: "snapshot" });
    board.terminate();
    const forged = { "x-santral-node": `two ${Date.now()} nonce 127.0.0.1 AAAA` };
    expect((await fetch(`${base}/nodes/ping`, { headers: forged })).status).toBe(403);
    expect((await fetch(`${base}/nodes/owner?exchange=${demo().id}`)).status).toBe(403);
    const edge = { authorization: `Bearer ${NODE_SECRET}` };
    const owner = await fetch(`${base}/nodes/owner?domain=${demo().sip_domain}`, { headers: edge });
    expect(await owner.json()).toMatchObject({ node: await town.nodeOf(demo().id) });
  }
});

test("a node that is killed loses its exchanges to the other: phones register and call there, and an event is told once", async () => {
  const receiver = await openReceiver();
  const told = { key: demo().key, hangup: "on", notification_url: receiver.url };
  expect((await asked("one", "/crm_integrations", told, "POST")).status).toBe(200);
  const victim = await livesAt(demo().id);
  const heir = other(victim);
  await softPhone({ firstRun, santral: at(victim) }, "1000", 440);
  await softPhone({ firstRun, santral: at(victim) }, "1001", 660);
  await expect(softPhone({ firstRun, santral: at(heir) }, "1002", 700)).rejects.toThrow(/503|not/);
  await at(victim).end("SIGKILL");
  await eventually("the other has it", async () => (await town.nodeOf(demo().id)) === heir);
  const caller = await eventually("a phone registers there", () =>
    softPhone({ firstRun, santral: at(heir) }, "1000", 440).catch(() => false as const),
  );
  const callee = await softPhone({ firstRun, santral: at(heir) }, "1001", 660);
  const calling = caller.call("1001");
  const ringing = await callee.incoming();
  await ringing.answer();
  const call = await calling;
  if ("refused" in call) throw new Error(`refused with ${call.refused}`);
  await call.hangUp();
  await eventually("the event came", async () => receiver.events.length > 0);
  await pause(realClock, 1_000);
  expect(receiver.events.filter(({ event_type }) => /hangup/i.test(event_type ?? ""))).toHaveLength(1);
  nodes.set(victim, await town.start(victim, PRIVATE_WEBHOOKS));
});

test("a node that sleeps past its life writes nothing when it wakes, and comes back as another", async () => {
  const supervised = town.supervise("sleeper");
  const run = await supervised.ready;
  const { id } = made[1]!;
  // Whoever has two more than the sleeper may have given it one already.
  const holder = await livesAt(id);
  if (holder !== "sleeper") await town.command("node", "drain", holder);
  await eventually("the sleeper has something", async () => {
    const [row] = await town.root.query<{ n: number }>(
      sql`select count(*) as n from exchange_owners where node = 'sleeper'`,
    );
    return (row?.n ?? 0) > 0;
  });
  const [{ life } = { life: 0 }] = await town.root.query<{ life: number }>(
    sql`select life from nodes where name = 'sleeper'`,
  );
  for (const name of nodes.keys()) await town.command("node", "resume", name);
  process.kill(run.pid, "SIGSTOP");
  await eventually("others have what was its own", async () => {
    const [row] = await town.root.query<{ n: number }>(
      sql`select count(*) as n from exchange_owners where node = 'sleeper'`,
    );
    return row?.n === 0;
  });
  process.kill(run.pid, "SIGCONT");
  const next = await supervised.serverAfter(run.pid);
  expect(supervised.output()).toContain("the life of this node is over");
  const [row] = await town.root.query<{ life: number }>(sql`select life from nodes where name = 'sleeper'`);
  expect(row?.life).toBeGreaterThan(life);
  process.kill(supervised.pid, "SIGTERM");
  await supervised.ended;
  expect(next.pid).not.toBe(run.pid);
});

test("a node that is drained gives everything away and takes nothing until it is told to", async () => {
  const from = await livesAt(demo().id);
  expect(await town.command("node", "drain", from, "--now")).toContain("gives its");
  await eventually("it has none", async () => {
    const [row] = await town.root.query<{ n: number }>(sql`select count(*) as n from exchange_owners where node = $1`, [
      from,
    ]);
    return row?.n === 0;
  });
  const answer = await asked(from, "/contacts", { key: demo().key });
  expect(answer.status, answer.text).toBe(200);
  expect(await town.command("node", "resume", from)).toContain("takes exchanges again");
});

test("a server that would have the database for itself, one with a name that is taken, and one without its settings are refused", async () => {
  const alone = await santral(temporaryFolder(), ["start"], { env: { ...town.env, SANTRAL_CLUSTER: "off" } });
  expect(alone.code).toBe(4);
  expect(alone.stderr).toContain("shared by the nodes");
  const twin = await santral(temporaryFolder(), ["start"], { env: { ...town.env, SANTRAL_NODE: "one" } });
  expect(twin.code).toBe(4);
  expect(twin.stderr).toContain("a node named one runs");
  const short = await santral(temporaryFolder(), ["start"], { env: { ...town.env, SANTRAL_NODE_SECRET: "short" } });
  expect(short.code).toBe(2);
  expect(short.stderr).toContain("SANTRAL_NODE_SECRET should be at least 32 characters");
  expect(short.stderr).not.toContain('"short"');
  const { DATABASE_URL: _url, ...embedded } = town.env;
  const own = await santral(temporaryFolder(), ["start"], { env: embedded });
  expect(own.stderr).toContain("SANTRAL_CLUSTER needs DATABASE_URL");
});
