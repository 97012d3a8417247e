// The zoo of values: what is taken as a request, but holds more, or more of the same, than anybody has to say. Sent to a
// whole server by a tenant, whose own work it is, while its first thread is watched.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test, vi } from "vitest";
import type { FirstRun } from "../../src/first-run/credentials.ts";
import { consoleApi } from "../../src/http/console/api.ts";
import { eventually } from "../ground/eventually.ts";
import { startProcess, temporaryFolder } from "../ground/santral-process.ts";
import { visitorAt } from "../town/console-town.ts";
import { parametersFor, withLongLists } from "./from-schema.ts";
import { type Beast, expectUnnoticed, turnWatch } from "./watched-server.ts";

vi.setConfig({ testTimeout: 300_000, hookTimeout: 240_000 });

const folder = join(temporaryFolder(), "data");
const watch = turnWatch();
const server = await startProcess(folder, { env: watch.env });
const base = `http://${server.run.http}`;
const first = JSON.parse(readFileSync(join(folder, "first-run.json"), "utf8")) as FirstRun;
const { key } = first.exchange;
const visitor = visitorAt(base);
const turns = () => watch.turnsOf(server.child);

beforeAll(async () => {
  const { email, password } = first.console;
  expect((await visitor.signIn({ email, password })).status).toBe(200);
  const changed = { oldPassword: password, newPassword: `${password} and more` };
  expect((await visitor.post("/console/api/session.changePassword", changed)).status).toBe(200);
  expect((await visitor.signIn({ email, password: changed.newPassword })).status).toBe(200);
});

/** Each has its own words for what is refused. */
const judged = (zoo: Iterable<Beast>) => expectUnnoticed(zoo, turns);

async function say(path: string, sent: object | string, expected: RegExp, more: object = {}): Promise<string> {
  const headers = { "content-type": "application/json", ...more };
  const body = typeof sent === "string" ? sent : JSON.stringify(sent);
  const response = await fetch(`${base}${path}`, { method: "POST", headers, body });
  const text = await response.text();
  expect(`${path}: ${response.status} ${text.slice(0, 300)}`).toMatch(expected);
  return text;
}

const post = (path: string, body: object | string, expected: RegExp, more: object = {}) =>
  say(path, body, expected, more);
const FORM = { "content-type": "application/x-www-form-urlencoded" };
const ask = (name: string, parameters: object | string, expected: RegExp) =>
  say(`/console/api/${name}`, parameters, expected, { "x-santral-console": "1", cookie: visitor.cookie() });

const numbers = (count: number) =>
  Array.from({ length: count }, (_, index) => `90532${String(index).padStart(7, "0")}`);

const MANY = 40_000;
const REFUSED = /: (400|403|404|409|429|503) \{"refused":/;

function* longLists(): Generator<Beast> {
  for (const [name, { parameters: schema }] of Object.entries(consoleApi))
    for (const parameters of withLongLists(parametersFor(schema), MANY))
      yield [`a list of ${name}`, () => ask(name, parameters, REFUSED)];
  const names = Object.fromEntries(numbers(MANY).map((number) => [number, 1]));
  for (const name of ["queues.create", "settings.update", "forms.fill", "campaigns.create"] as const) {
    const parameters = parametersFor(consoleApi[name].parameters);
    yield [`names to ${name}`, () => ask(name, { ...parameters, ...names }, REFUSED)];
    for (const field of ["changes", "keys", "answers"].filter((field) => field in parameters))
      yield [`names in ${field} to ${name}`, () => ask(name, { ...parameters, [field]: names }, REFUSED)];
  }
}

test("a list of very much of the same, in any place of any operation, keeps nobody's call waiting", () =>
  judged(longLists()));

const nothings = (count: number) => Array.from({ length: count }, () => ({}));
const nested = (count: number) => ({ x: { a: nothings(count) } });
/** As text: nothing of ours prints it. */
const deep = `{"name":"${"x".repeat(600_000)}","x":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;

const namesOfForm = `${"a&".repeat(990)}${"b".repeat(400_000)}`;

const trees: readonly Beast[] = [
  ["names of a form without values", () => post(`/announcements?key=${key}`, namesOfForm, /: 4\d\d /, FORM)],
  ["a tree to announcements", () => post(`/announcements?key=${key}`, { name: "x", ...nested(1_500_000) }, /: 4\d\d /)],
  ["a tree to campaigns", () => post(`/ivr_campaigns?key=${key}`, { name: "x", ...nested(1_500_000) }, /: 4\d\d /)],
  ["a tree in a list", () => post(`/ivr_campaigns?key=${key}`, { phone_list: [nothings(1_500_000)] }, /: 4\d\d /)],
  ["objects in a list", () => post(`/ivr_campaigns?key=${key}`, { phone_list: nothings(4_000_000) }, /: 4\d\d /)],
  ["a tree to messages", () => post("/v2/send", { ...first.sms, ...nested(1_500_000) }, /: 4\d\d /)],
  ["a deep tree", () => post(`/announcements?key=${key}`, deep, /: 4\d\d /)],
  ...["sounds.upload", "sms.send", "campaigns.create", "imports.upload"].map(
    (name): Beast => [`a tree to ${name}`, () => ask(name, nested(2_000_000), REFUSED)],
  ),
  ["a deep tree to sounds.upload", () => ask("sounds.upload", deep, REFUSED)],
];

test("nor does a tree of values in a body, wide or deep, or a form of names", () => judged(trees));

const MEBIBYTE = 1024 * 1024;
const dest = "905321112233";
const send = (more: object, expected: RegExp) => post("/v2/send", { ...first.sms, ...more }, expected);
const code = (more: object, expected: RegExp) => post("/v2/otp", { ...first.sms, dest, ...more }, expected);
const TOO_LONG = /: 400 MESSAGE_TOO_LONG/;

const texts: readonly Beast[] = [
  ["one text of 4.5 million letters", () => send({ messages: [{ dest, msg: "ş".repeat(4_500_000) }] }, TOO_LONG)],
  ["one of marks", () => send({ messages: [{ dest, msg: `a${"\u0300\u0327".repeat(1_000_000)}` }] }, TOO_LONG)],
  ["one to be folded", () => send({ datacoding: 0, messages: [{ dest, msg: "Ş".repeat(4_500_000) }] }, TOO_LONG)],
  ["one of blanks", () => send({ messages: [{ dest, msg: " ".repeat(9 * MEBIBYTE) }] }, /: 400 MISSING_MESSAGE/)],
  [
    "50,000 texts",
    () =>
      send(
        { messages: numbers(50_000).map((dest) => ({ dest, msg: `Sayın müşteri ${dest}, ${"ş".repeat(40)}` })) },
        /: 400 /,
      ),
  ],
  ["a code of a text of codes", () => code({ msg: "{code}".repeat(16_000), code: "1".repeat(1_000) }, TOO_LONG)],
  ["a code as long as a book", () => code({ msg: "{code}".repeat(2_000), code: "1".repeat(250_000) }, TOO_LONG)],
];

test("nor do texts without end, very many of them, or a code in a text of codes", () => judged(texts));

const today = () => new Date(Date.now() - 3_600_000).toISOString().slice(0, 19).replace("T", " ");
const consent = { type: "MESAJ", source: "HS_WEB", status: "ONAY" };

const lists: readonly Beast[] = [
  [
    "20,000 consents",
    () => {
      const consents = numbers(20_000).map((recipient) => ({
        ...consent,
        recipient_type: "BIREYSEL",
        consent_date: today(),
        recipient,
      }));
      return post("/v2/iys_consents", { ...first.sms, consents }, /: 200 /);
    },
  ],
  [
    "20,000 consents of a merchant in the console",
    () =>
      ask(
        "sms.uploadConsents",
        {
          title: first.sms.title,
          ...consent,
          recipientType: "TACIR",
          date: today(),
          recipients: numbers(20_000),
        },
        /: 200 /,
      ),
  ],
  [
    "600,000 numbers for the blacklist",
    () => post("/v2/blacklists", { ...first.sms, phones: numbers(600_000) }, /: 400 /),
  ],
  ["as many in a text", () => post("/v2/blacklists", { ...first.sms, phones: numbers(600_000).join() }, /: 400 /)],
  [
    "100,000 numbers for the blacklist, which are taken",
    () => post("/v2/blacklists", { ...first.sms, phones: numbers(100_000) }, /: 200 /),
  ],
  [
    "50,000 numbers for the blacklist of the console",
    () => ask("sms.addToBlacklist", { phones: numbers(50_000) }, /: 200 /),
  ],
  [
    "50,000 numbers to write to, in the console",
    () =>
      ask(
        "sms.send",
        {
          title: first.sms.title,
          phones: numbers(50_000),
          text: "Merhaba",
          coding: "auto",
          commercial: false,
          recipientType: "BIREYSEL",
        },
        /: (200|400) /,
      ),
  ],
  ...Object.entries({
    "100,000 numbers in a field": numbers(100_000).join("\n"),
    "a line of numbers": numbers(300_000).join(),
    "a cell": `"${'""'.repeat(1_900_000)}"`,
    "line ends": "\n".repeat(4_000_000),
    "empty cells": ";".repeat(4_000_000),
    "one word": "a".repeat(4_000_000),
  }).map(
    ([what, numbers]): Beast => [
      `a campaign: ${what}`,
      () => ask("campaigns.create", { ...parametersFor(consoleApi["campaigns.create"].parameters), numbers }, REFUSED),
    ],
  ),
];

test("nor do lists of consents, of numbers that want nothing, and of people to write to and to call", () =>
  judged(lists));

const template = "{A}".repeat(200);

const templates: readonly Beast[] = [
  [
    "a text of places, and long cells for them",
    async () => {
      const rows = numbers(300).map((number, at) => `${number};${"ş".repeat(10_000)}${at}`);
      const content = Buffer.from(["telefon;A", ...rows].join("\n")).toString("base64");
      const { id } = JSON.parse(
        await ask("imports.upload", { kind: "recipients", fileName: "a", content }, /: 200 /),
      ) as {
        id: number;
      };
      const settings = { title: first.sms.title, text: template, commercial: false };
      const wanted = { id, fields: ["phone", null], settings };
      const found = await ask("imports.preview", wanted, /: 200 /);
      expect(JSON.parse(found)).toMatchObject({ looked: 300, good: 0, faults: expect.any(Array) });
      expect(found).toContain("MESSAGE_TOO_LONG");
      await ask("imports.begin", wanted, /: 200 /);
      await eventually("it is read", async () => {
        const { rows } = JSON.parse(await ask("imports.list", { page: 1, limit: 10 }, /: 200 /)) as {
          rows: { id: number; state: string }[];
        };
        return rows.find((it) => it.id === id)?.state === "done";
      });
    },
  ],
];

test("nor does a text that is filled in with what rows hold", () => judged(templates));
