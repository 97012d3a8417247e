// Every door at the node on which an exchange does not live: what is asked there happens once, where it lives.

import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, expect, test, vi } from "vitest";
import { WebSocket } from "ws";
import { realClock, since } from "../../src/clock.ts";
import { addCredits } from "../../src/store/sms-accounts.ts";
import { createCarrier } from "../../src/store/sms-carriers.ts";
import { sql } from "../../src/store/sql.ts";
import { eventually } from "../ground/eventually.ts";
import { type NodeTown, nodeTown } from "../ground/nodes.ts";
import { type SantralProcess, santral } from "../ground/santral-process.ts";
import { secretsIn } from "../ground/secrets.ts";
import { whenOver } from "../ground/when-over.ts";
import { softPhone } from "../phones/soft-phone.ts";
import { openSmsc } from "../smsc/open-smsc.ts";
import type { FirstRun } from "../town/real-town.ts";
import { sure } from "../town/sms-desk.ts";

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

let town: NodeTown;
let firstRun: FirstRun & { sms: { username: string; password: string } };
let home: SantralProcess;
let away: SantralProcess;
const both = () => [home, away];
const base = ({ run }: SantralProcess) => `http://${run.http}`;

beforeAll(async () => {
  town = await nodeTown();
  // Both at once: one of them finds the database empty and fills it.
  const names = ["one", "two"];
  const nodes = new Map(await Promise.all(names.map(async (name) => [name, await town.start(name)] as const)));
  const told = names.map((name) => join(town.folderOf(name), "first-run.json")).filter((path) => existsSync(path));
  expect(told).toHaveLength(1);
  firstRun = JSON.parse(readFileSync(told[0]!, "utf8")) as typeof firstRun;
  const owner = await eventually("it lives", async () => (await town.nodeOf(firstRun.exchange.id)) || false);
  home = nodes.get(owner)!;
  away = [...nodes.values()].find((it) => it !== home)!;
  // The node that has none takes it over from one that has several: with a phone at home it stays.
  await eventually("both know where", async () => (await asked(away, "/queues")).status === 200);
});

async function asked(node: SantralProcess, path: string, more: Record<string, string> = {}) {
  const sent = new URLSearchParams({ key: firstRun.exchange.key, ...more });
  const answer = await fetch(`${base(node)}${path}?${sent}`);
  return { status: answer.status, text: await answer.text() };
}

test("a call that is ordered there is dialled once, by the owner", async () => {
  const caller = await softPhone({ firstRun, santral: home }, "1000", 440);
  await softPhone({ firstRun, santral: home }, "1001", 660);
  const ringing = caller.incoming();
  const ordered = await asked(away, "/originate", { extension: "1000", destination: "1001", manual_answer: "true" });
  expect(ordered, ordered.text).toMatchObject({ status: 200 });
  await ringing;
  expect((await asked(away, "/hangup", { id: ordered.text })).status).toBe(200);
  const rows = await eventually("it has its record", async () => {
    const found = await town.root.query<{ uuid: string }>(sql`select call_uuid as uuid from cdrs`);
    return found.length > 0 && found;
  });
  expect(rows.map(({ uuid }) => uuid)).toEqual([ordered.text]);
});

test("messages sent there, one or many, go out once, and both nodes know what became of them", async () => {
  const smsc = await openSmsc();
  whenOver(() => smsc.close());
  const { id: exchangeId } = firstRun.exchange;
  const keys = secretsIn(dirname(town.env.SANTRAL_SECRET_KEYS!));
  const address = { host: "127.0.0.1", port: smsc.port, systemId: "acme", password: "secret", window: 10 };
  sure(await createCarrier(town.root, keys, exchangeId, { name: "smsc", kind: "smpp", ...address }));
  const [account] = await town.root.query<{ id: number }>(sql`select id from sms_accounts where exchange_id = $1`, [
    exchangeId,
  ]);
  await addCredits(town.root, { exchangeId, accountId: account!.id, credits: 100, at: new Date() });
  const messages = ["905321000001", "905321000002", "905321000003"].map((dest) => ({ dest, msg: "Merhaba" }));
  const many = await fetch(`${base(away)}/v2/send.json`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ ...firstRun.sms, messages }),
  });
  expect(many.status, await many.clone().text()).toBe(200);
  const one = new URLSearchParams({ ...firstRun.sms, dest: "905321000004", msg: "Merhaba" });
  expect((await fetch(`${base(away)}/v2/send?${one}`)).status).toBe(200);
  await eventually("all went out", async () => (await smsc.counts()).taken >= 4);
  const id = await many.text();
  for (const node of both()) {
    const told = await fetch(`${base(node)}/v2/status?${new URLSearchParams({ ...firstRun.sms, id })}`);
    expect(((await told.json()) as unknown[]).length).toBe(3);
  }
  expect(Object.values(await smsc.tally())).toEqual([1, 1, 1, 1]);
});

test("a session made at one node is good at the other, and five wrong passwords lock it wherever they are tried", async () => {
  const made = await town.command("staff", "create", "deniz@example.com", "Deniz");
  const password = /shown only now\): (\S+)/.exec(made)?.[1] ?? "";
  const headers = { "x-santral-console": "1", "content-type": "application/json" };
  const post = (node: SantralProcess, name: string, body: object, cookie = "") =>
    fetch(`${base(node)}/console/api/${name}`, {
      method: "POST",
      headers: { ...headers, cookie },
      body: JSON.stringify(body),
    });
  const signedIn = await post(away, "session.signIn", { email: "deniz@example.com", password });
  const cookie = signedIn.headers.get("set-cookie")!.split(";")[0]!;
  for (const node of both()) {
    const shown = await post(node, "session.show", {}, cookie);
    expect(await shown.json()).toMatchObject({ email: "deniz@example.com" });
    const board = new WebSocket(`${base(node).replace("http", "ws")}/console/live`, { headers: { cookie } });
    const [first] = (await once(board, "message")) as [Buffer];
    expect(JSON.parse(first.toString())).toMatchObject({ is: "snapshot" });
    board.terminate();
  }
  const tries: string[] = [];
  for (let guess = 0; guess < 5; guess++) {
    const answer = await post(both()[guess % 2]!, "session.signIn", { email: "deniz@example.com", password: "wrong" });
    tries.push(((await answer.json()) as { refused: string }).refused);
  }
  // Who guesses is not told of it, and the right password opens neither door now.
  expect(tries).toEqual(Array.from({ length: 5 }, () => "wrong-password"));
  for (const node of both())
    expect((await post(node, "session.signIn", { email: "deniz@example.com", password })).ok).toBe(false);
});

test("who tries passwords has one allowance, wherever he tries them and whoever's they are", async () => {
  const begun = realClock.ticks();
  const tried: string[] = [];
  for (let guess = 0; guess < 32; guess++) {
    const email = guess % 4 < 2 ? "deniz@example.com" : "nobody@example.com";
    const answer = await fetch(`${base(both()[guess % 2]!)}/console/api/session.signIn`, {
      method: "POST",
      headers: { "x-santral-console": "1", "content-type": "application/json" },
      body: JSON.stringify({ email, password: "wrong" }),
    });
    tried.push(((await answer.json()) as { refused: string }).refused);
  }
  const seconds = since(realClock, begun) / 1_000;
  expect(tried.filter((it) => it !== "too-many").length).toBeLessThanOrEqual(21 + Math.ceil(seconds / 6));
});

test("who goes from node to node has one allowance, with a key and with keys that are nobody's", async () => {
  const begun = realClock.ticks();
  const cdrs: number[] = [];
  for (let question = 0; question < 14; question++) cdrs.push((await asked(both()[question % 2]!, "/cdrs")).status);
  const seconds = since(realClock, begun) / 1_000;
  expect(cdrs.filter((it) => it === 200).length).toBeLessThanOrEqual(6 + Math.ceil(seconds / 10));
  const guessing = realClock.ticks();
  const guesses: number[] = [];
  for (let round = 0; round < 11; round++)
    guesses.push(
      ...(await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          asked(both()[n % 2]!, "/queues", { key: "K00000000-0000-4000-8000-000000000000" }),
        ),
      ).then((answers) => answers.map(({ status }) => status))),
    );
  const guessed = guesses.filter((it) => it !== 429).length;
  expect(guessed).toBeLessThanOrEqual(101 + Math.ceil((since(realClock, guessing) / 1_000) * 5));
});

test("a body of more than ten megabytes goes through whole, though its key stands inside, and a ticket is good at both nodes", async () => {
  const second = Buffer.alloc(32_000, 1);
  const header = Buffer.alloc(44);
  const samples = Buffer.concat(Array.from({ length: 330 }, () => second));
  header.write("RIFF", 0);
  header.writeUInt32LE(36 + samples.length, 4);
  header.write("WAVEfmt ", 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(16_000, 24);
  header.writeUInt32LE(32_000, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write("data", 36);
  header.writeUInt32LE(samples.length, 40);
  const form = new FormData();
  form.set("key", firstRun.exchange.key);
  form.set("name", "long");
  form.set("content", new Blob([header, samples], { type: "audio/wav" }), "long.wav");
  const sent = await fetch(`${base(away)}/announcements`, { method: "POST", body: form });
  expect({ status: sent.status, text: await sent.text() }).toEqual({
    status: 200,
    text: expect.stringMatching(/^\d+$/) as string,
  });
  expect((await asked(home, "/announcements")).text).toContain('"long"');
  const call = randomUUID();
  await town.root.query(
    sql`insert into recordings (call_uuid, exchange_id, object_key, media_type)
     select $1, exchange_id, object_key, 'audio/wav' from announcements where name = 'long'`,
    [call],
  );
  const ticket = await asked(away, "/recording_url", { call_uuid: call });
  expect(ticket, ticket.text).toMatchObject({ status: 200 });
  const path = /\/recording\/[\w-]+/.exec(ticket.text)?.[0] ?? "";
  const heard = await Promise.all(both().map(async (node) => (await fetch(`${base(node)}${path}`)).arrayBuffer()));
  expect(heard.map(({ byteLength }) => byteLength > 1_000_000)).toEqual([true, true]);
});

test("a web phone's socket through the other node reaches the owner, and REGISTER is answered there", async () => {
  const { sip_domain: domain } = firstRun.exchange;
  const socket = new WebSocket(`${base(away).replace("http", "ws")}/ws?domain=${domain}`, "sip");
  await once(socket, "open");
  const lines = [
    `REGISTER sip:${domain} SIP/2.0`,
    "Via: SIP/2.0/WS abc.invalid;branch=z9hG4bKdoors",
    "Max-Forwards: 70",
    `From: <sip:1002@${domain}>;tag=doors`,
    `To: <sip:1002@${domain}>`,
    "Call-ID: doors@abc.invalid",
    "CSeq: 1 REGISTER",
    "Contact: <sip:1002@abc.invalid;transport=ws>",
    "Content-Length: 0",
  ];
  socket.send(`${lines.join("\r\n")}\r\n\r\n`);
  const [answer] = (await once(socket, "message")) as [Buffer];
  expect(answer.toString()).toMatch(/^SIP\/2\.0 401 /); // the owner's challenge; the other would have said 503
  socket.terminate();
});

test("an exchange that is made while both are up has an owner in a moment, and answers at both", async () => {
  const [, id = "", key = ""] =
    /exchange (\d+) is made[\s\S]*(K[0-9a-f-]{36})/.exec(await town.command("exchange", "create", "yeni")) ?? [];
  await eventually("it lives somewhere", async () => (await town.nodeOf(Number(id))) !== "");
  for (const node of both())
    await eventually("it answers", async () => (await asked(node, "/queues", { key })).status === 200);
});

test("the metrics of each name it, and the doctor looks at both: secret, clock, keys, homes, files, standby", async () => {
  for (const [node, name] of [
    [home, await town.nodeOf(firstRun.exchange.id)],
    [away, ""],
  ] as const) {
    const text = await (await fetch(`${base(node)}/metrics`)).text();
    const own = /^santral_node_info\{.*node="(\w+)".*\} 1$/m.exec(text)?.[1];
    if (name !== "") expect(own).toBe(name);
    for (const line of text.split("\n").filter((it) => it !== "" && !it.startsWith("#")))
      expect(line).toContain(`node="${own}"`);
    for (const counter of ["takeovers", "calls_resumed", "writes_refused"])
      expect(text).toContain(`santral_node_${counter}_total`);
  }
  const doctor = async (env: Record<string, string> = {}) =>
    (await santral(town.folderOf("one"), ["doctor"], { env: { ...town.env, SANTRAL_NODE: "one", ...env } })).stdout;
  await town.root.query(sql`update nodes set version = '0.0.1', sip = '' where name = 'two'`);
  const [well, ill] = await Promise.all([
    doctor(),
    doctor({ SANTRAL_SECRET_KEYS: join(town.folderOf("one"), "none.keys") }),
  ]);
  for (const said of [
    "  ok  nodes: node one answers, knows the secret, and its clock agrees",
    "  ok  nodes: node two answers",
    "  ok  nodes: every exchange lives on a node",
    "warn  nodes: files lie on the disk",
    "warn  nodes: the database has no synchronous standby",
  ])
    expect(well).toContain(said);
  expect(well).not.toContain("other keys");
  for (const said of ["node two has other keys", "the nodes have different versions", "node two says no SIP address"])
    expect(ill).toContain(said);
});
