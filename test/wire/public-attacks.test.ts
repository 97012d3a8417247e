// What others have published to attack exchanges with, run against one that is up: the cases of PROTOS c07-sip where
// SANTRAL_PROTOS says, and SIPVicious where it is installed. None of it is kept here; docs/testing.md says where it is had.

import { spawn } from "node:child_process";
import { createSocket, type Socket } from "node:dgram";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { realClock } from "../../src/clock.ts";
import { openDatabase } from "../../src/store/db.ts";
import { connectionTo } from "../../src/store/embedded.ts";
import { sql } from "../../src/store/sql.ts";
import { CARRIER_ADDRESS } from "../carriers/carrier.ts";
import { eventually } from "../ground/eventually.ts";
import { whenOver } from "../ground/when-over.ts";
import { mistakesIn } from "../hostile/flood.ts";
import { type ProtosCase, protosCases, written } from "../hostile/protos-cases.ts";
import { megabytesOf } from "../hostile/threads-of.ts";
import { turnWatch } from "../hostile/watched-server.ts";
import type { Baresip } from "../phones/baresip.ts";
import { type RealTown, realTown } from "../town/real-town.ts";

vi.setConfig({ testTimeout: 900_000, hookTimeout: 240_000 });

const protos = process.env.SANTRAL_PROTOS;
const tools = ["svmap", "svwar", "svcrack"];
const missing = tools.filter(
  (tool) => !(process.env.PATH ?? "").split(delimiter).some((folder) => existsSync(join(folder, tool))),
);
const NUMBER = "902129630131";
const STRANGER_ADDRESS = "127.0.0.66";
/** What calls that are over leave behind for half a minute, and what is not collected yet. */
const MOST_GROWN_MEGABYTES = 400;

const watch = turnWatch();
let town: RealTown;
let ann: Baresip;
let bob: Baresip;
let before: number;
let serial = 0;

describe.skipIf(protos === undefined && missing.length > 0)("an exchange that is attacked", () => {
  beforeAll(async () => {
    town = await realTown(watch.env);
    whenOver(forgetTraces);
    await town.command("exchange", "set", "qualify-seconds=0");
    await town.command(
      "trunk",
      "create",
      "carrier",
      CARRIER_ADDRESS,
      `source-addresses=${CARRIER_ADDRESS}`,
      "health-check=no",
    );
    await town.trunkIsUp("carrier");
    await town.command("number", "create", NUMBER, "user/1003");
    [ann, bob] = await Promise.all([town.phone("1000", 440), town.phone("1001", 660, { answerMode: "auto" })]);
    await expectCalls();
    before = megabytesOf(town.santral.run.pid);
  });

  /** A phone that has logged in calls another, and the exchange has made no mistake and kept nothing. */
  async function expectCalls(): Promise<void> {
    for (const phone of [ann, bob]) phone.forget();
    await ann.dial("1001");
    await ann.event("CALL_ESTABLISHED");
    await ann.hangUp();
    await bob.event("CALL_CLOSED");
  }

  /** Who is answered hears his own From, To, Call-ID and Via again, and those were never good grammar. */
  async function forgetTraces(): Promise<void> {
    const db = openDatabase(connectionTo(join(town.data, "pg"), "postgres"), realClock, { connections: 1 });
    await db.query(sql`delete from sip_traces`);
    await db.close();
  }

  async function expectUnmoved(): Promise<void> {
    expect(mistakesIn(town.santral.output())).toEqual([]);
    await expectCalls();
    expect(megabytesOf(town.santral.run.pid) - before).toBeLessThan(MOST_GROWN_MEGABYTES);
    const turns = await watch.turnsOf(town.santral.child);
    expect(turns.at(-1)).toBeLessThan(100);
  }

  describe.skipIf(protos === undefined)(
    `by the cases of PROTOS${protos ? "" : ", which SANTRAL_PROTOS does not name"}`,
    () => {
      const cases = protos === undefined ? [] : protosCases(protos);

      test("which are all there", () => expect(cases.length).toBeGreaterThan(4_500));

      test.each([
        ["a stranger", STRANGER_ADDRESS, "1001"],
        ["a carrier", CARRIER_ADDRESS, NUMBER],
      ])("from %s: each is answered or dropped, and a phone still calls", async (_who, address, number) => {
        await watch.turnsOf(town.santral.child);
        await sendAll(cases, address, number);
        await expectUnmoved();
      });
    },
  );

  describe.skipIf(missing.length > 0)(
    `by SIPVicious${missing.length > 0 ? `, of which there is no ${missing.join()}` : ""}`,
    () => {
      test("svmap finds a SIP server, and not which", async () => {
        await watch.turnsOf(town.santral.child);
        const [host = "", port = ""] = (town.santral.run.sip ?? "").split(":");
        expect(await runs("svmap", ["-p", port, "-t", "0.05", host])).not.toMatch(/santral/i);
        await expectUnmoved();
      });

      test.each(["REGISTER", "INVITE", "OPTIONS"])("svwar by %s learns nothing of who exists", async (method) => {
        const [host, port] = (town.santral.run.sip ?? "").split(":");
        const found = await runs("svwar", [
          "--force",
          "-m",
          method,
          "-e",
          "990-1060",
          "-p",
          port ?? "",
          "-t",
          "0.02",
          host ?? "",
        ]);
        expect(extensionsIn(found)).toEqual([]);
        await expectUnmoved();
      });

      test("svcrack does not come to the right password", async () => {
        const [host, port] = (town.santral.run.sip ?? "").split(":");
        const folder = mkdtempSync(join(tmpdir(), "words-"));
        whenOver(() => rmSync(folder, { recursive: true, force: true }));
        const right = town.firstRun.extensions.find(({ number }) => number === "1001")?.password ?? "";
        const words = join(folder, "words");
        writeFileSync(words, `${[...Array.from({ length: 60 }, (_, at) => `guess-${at}`), right].join("\n")}\n`);
        const found = await runs("svcrack", [
          "-u",
          "1001",
          "-d",
          words,
          "-p",
          port ?? "",
          "-t",
          "0.02",
          "--maximumtime=60",
          host ?? "",
        ]);
        expect(found).not.toContain(right);
        await expectUnmoved();
      });
    },
  );
});

/** Those of which it tells that they are there, and are not all alike. */
function extensionsIn(said: string): string[] {
  const rows = [...said.matchAll(/^\|\s*(\d+)\s*\|\s*(\w+)/gm)];
  return new Set(rows.map(([, , kind]) => kind)).size > 1 || rows.length < 71 ? rows.map(([row]) => row) : [];
}

function runs(tool: string, words: string[]): Promise<string> {
  const child = spawn(tool, words, { cwd: tmpdir(), stdio: ["ignore", "pipe", "pipe"], timeout: 120_000 });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
  return new Promise((settle, fail) => {
    child.once("error", fail);
    child.once("close", () => settle(said));
  });
}

const AT_ONCE = 1;

/** In rounds: after each of them the exchange has to answer somebody else, so that it has looked at all of it. */
async function sendAll(cases: readonly ProtosCase[], address: string, number: string): Promise<void> {
  const [host = "", port = ""] = (town.santral.run.sip ?? "").split(":");
  const attacker = await socketAt(address);
  const neighbour = await socketAt("127.0.0.77");
  const caller = { number, server: host, address, port: attacker.address().port };
  const send = (bytes: Buffer) => new Promise<void>((sent) => attacker.send(bytes, Number(port), host, () => sent()));
  for (let at = 0; at < cases.length; at += AT_ONCE) {
    const round = cases.slice(at, at + AT_ONCE);
    for (const { invite, teardown } of round) {
      serial++;
      await send(written(invite, caller, serial));
      for (const method of ["CANCEL", "ACK"]) await send(written(teardown, caller, serial, method));
    }
    await eventually(
      `answers after ${round[0]?.name} to ${round.at(-1)?.name}`,
      () => isAnswered(neighbour, { host, port }),
      20,
    );
  }
}

async function socketAt(address: string): Promise<Socket> {
  const socket = createSocket("udp4");
  await new Promise<void>((bound) => socket.bind(0, address, bound));
  whenOver(() => socket.close());
  return socket;
}

/** As phones are: whoever asks in few words is not told as much by a datagram. */
const AS_WORDY = `Allow: ${"INVITE, ACK, BYE, CANCEL, OPTIONS, ".repeat(12)}NOTIFY\r\n`;

async function isAnswered(socket: Socket, { host, port }: { host: string; port: string }): Promise<boolean> {
  const id = `ping${++serial}`;
  const request =
    `REGISTER sip:${town.firstRun.exchange.sip_domain} SIP/2.0\r\nVia: SIP/2.0/UDP 127.0.0.77;branch=z9hG4bK${id};rport\r\n` +
    `Max-Forwards: 70\r\nFrom: <sip:1000@a>;tag=${id}\r\nTo: <sip:1000@a>\r\nCall-ID: ${id}\r\nCSeq: 1 REGISTER\r\n` +
    `Contact: <sip:1000@127.0.0.77>\r\n${AS_WORDY}Content-Length: 0\r\n\r\n`;
  return new Promise((settle) => {
    const impatience = setTimeout(() => settle(false), 1_000);
    const hear = (text: Buffer) => {
      if (!text.includes(id)) return;
      clearTimeout(impatience);
      socket.off("message", hear);
      settle(/^SIP\/2\.0 (401|403)/.test(text.toString("latin1")));
    };
    socket.on("message", hear);
    socket.send(request, Number(port), host);
  });
}
