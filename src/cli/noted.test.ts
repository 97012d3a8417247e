import { expect, test } from "vitest";
import { secrets } from "../../test/ground/secrets.ts";
import { consoleTown } from "../../test/town/console-town.ts";
import { exchange } from "../nouns/exchange.ts";
import { queue } from "../nouns/queue.ts";
import { staff } from "../nouns/staff.ts";
import { trunk } from "../nouns/trunk.ts";
import { createQueue } from "../store/queues.ts";
import { createTrunk } from "../store/trunks.ts";
import { nounOf } from "../words/audit/changed.ts";
import { changesInWords, restInWords } from "../words/audit/changes.ts";
import { openNotes } from "./noted.ts";

const { db, ours, member } = await consoleTown();
const exchangeId = ours.id;
await createQueue(db, { exchangeId, number: "320", name: "Q", members: ["1000"], changes: { ring_seconds: 15 } });
await createTrunk(db, secrets, {
  ...{ exchangeId, name: "carrier", host: "sip.example.com" },
  changes: { password: "old word" },
});

type Act = (noting: Omit<ReturnType<typeof openNotes>, "noted">) => Promise<unknown>;

/** As the audit trail tells it. */
async function told(act: Act, language: "tr" | "en" = "en") {
  const { noted, ...noting } = openNotes(db, exchangeId);
  await act(noting);
  const line = { did: "command", details: { command: "santral", ...(await noted()) } };
  expect(JSON.stringify(line)).not.toMatch(/(old|new) word/);
  expect(restInWords(line, language)).toBe("");
  return changesInWords(line, language).map(({ label, was, now }) => [label, was, now]);
}

test("a command leaves what it changed in the audit trail, with what stood there before, and no secret", async () => {
  const settings = ["ring-seconds=25", "overflow-target=user/1001"];
  expect(await told((it) => it.settings(queue, settings, "320"), "tr")).toEqual([
    ["Çalma süresi (sn)", "15", "25"],
    ["Süre dolar ya da yer kalmazsa", "—", "Dahili 1001"],
  ]);
  expect(await told((it) => it.note(nounOf("queues"), { members: ["1001"] }, "320"))).toEqual([
    ["Members, in order", "1000", "1001"],
  ]);
  expect(await told((it) => it.settings(trunk, ["password=new word", "port=5070"], "carrier"))).toEqual([
    ["Password", undefined, "(hidden)"],
    ["Port", "5060", "5070"],
  ]);
  const { id } = await member("supervisor");
  expect(await told((it) => it.settings(staff, ["role=agent", "queues=320"], id))).toEqual([
    ["Role", "Supervisor", "Agent"],
    ["Queues", "—", "320"],
  ]);
  expect(await told((it) => it.settings(exchange, ["ring-seconds=31"], null))).toEqual([
    [expect.any(String), expect.stringMatching(/^\d+$/), "31"],
  ]);
});

test("what a new one is given has nothing that stood before", async () => {
  expect(await told((it) => it.settings(queue, ["ring-seconds=25"]))).toEqual([
    ["Rings for (seconds)", undefined, "25"],
  ]);
  expect(await told((it) => it.options(staff, { role: "agent" }))).toEqual([["Role", undefined, "Agent"]]);
  expect(await told(async () => undefined)).toEqual([]);
});
