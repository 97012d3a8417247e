// The zoo: everything that somebody might send to keep the thread busy that answers telephones, sent to a whole server.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import type { FirstRun } from "../../src/first-run/credentials.ts";
import { startProcess, temporaryFolder } from "../ground/santral-process.ts";
import { zip } from "../ground/workbooks.ts";
import { visitorAt } from "../town/console-town.ts";
import { type Beast, expectUnnoticed, turnWatch } from "./watched-server.ts";

vi.setConfig({ testTimeout: 300_000 });

const folder = join(temporaryFolder(), "data");
const watch = turnWatch();
const server = await startProcess(folder, { env: watch.env });
const base = `http://${server.run.http}`;
const first = JSON.parse(readFileSync(join(folder, "first-run.json"), "utf8")) as FirstRun;
const { key } = first.exchange;
const turns = () => watch.turnsOf(server.child);

const MEBIBYTE = 1024 * 1024;
const post = (path: string, body: string | Uint8Array<ArrayBuffer>, type = "application/json") =>
  fetch(`${base}${path}`, { method: "POST", body, headers: { "content-type": type } }).then(
    ({ status }) => status,
    () => "closed" as const,
  );

const wide = (count: number) => `{${Array.from({ length: count }, (_, index) => `"${index}":1`).join()}}`;
const numbers = (count: number) =>
  Array.from({ length: count }, (_, index) => `90532${String(index).padStart(7, "0")}`);
const wav = (length: number) => `data:audio/wav;name:a.wav;base64,${"A".repeat(length)}`;
const parts = (count: number) =>
  `${'--b\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n'.repeat(count)}--b--\r\n`;

const FORM = "application/x-www-form-urlencoded";
const sentences = numbers(100_000).map((phone) => ({
  phone,
  phrase: `Sayın müşterimiz, ${phone} #456 ${"a".repeat(200)}`,
}));
const campaign = (phone_list: unknown) => ({ name: "x", call_type: "ivr", phone_list });
const form = (fields: object) => new URLSearchParams(Object.entries(fields)).toString();

const strangers: [what: string, send: () => Promise<unknown>][] = [
  ["40 MB of JSON without a key", () => post("/announcements", JSON.stringify({ sounddata: wav(40 * MEBIBYTE) }))],
  ["brackets without a key", () => post("/contacts", "[".repeat(250_000))],
  ["names without a key", () => post("/contacts", wide(25_000))],
  ["messages without an account", () => post("/v2/send", JSON.stringify({ messages: numbers(500_000) }))],
];

const tenants: [what: string, send: () => Promise<unknown>][] = [
  [
    "a sound of 40 MB",
    () => post(`/announcements?key=${key}`, JSON.stringify({ name: "x", sounddata: wav(40 * MEBIBYTE) })),
  ],
  ["brackets", () => post(`/announcements?key=${key}`, "[".repeat(20 * MEBIBYTE))],
  ["names", () => post(`/announcements?key=${key}`, wide(1_000_000))],
  ["lists of one name", () => post(`/ivr_campaigns?key=${key}`, `{"a":[${"1,".repeat(3_000_000)}1],"a[0]":[1]}`)],
  [
    "a form of percent signs",
    () => post(`/announcements?key=${key}`, `name=${"%".repeat(10 * MEBIBYTE)}`, "application/x-www-form-urlencoded"),
  ],
  ["100,000 parts", () => post(`/announcements?key=${key}`, parts(100_000), "multipart/form-data; boundary=b")],
  ["a campaign of 100,000 sentences", () => post(`/ivr_campaigns?key=${key}`, JSON.stringify(campaign(sentences)))],
  [
    "the same as text in a form",
    () => post(`/ivr_campaigns?key=${key}`, form(campaign(JSON.stringify(sentences))), FORM),
  ],
  [
    "brackets as text in a form",
    () => post(`/ivr_campaigns?key=${key}`, form(campaign("[".repeat(20 * MEBIBYTE))), FORM),
  ],
  ["commas as text in a form", () => post(`/ivr_campaigns?key=${key}`, form(campaign(",1".repeat(5_000_000))), FORM)],
  [
    "a message to a million numbers",
    () => post("/v2/send", JSON.stringify({ ...first.sms, messages: [{ dest: numbers(700_000).join(), msg: "x" }] })),
  ],
  [
    "a message to 50,000 numbers",
    () => post("/v2/send", JSON.stringify({ ...first.sms, messages: [{ dest: numbers(50_000).join(), msg: "x" }] })),
  ],
  [
    "200 messages to 3,000 numbers each",
    () =>
      post(
        "/v2/send",
        JSON.stringify({ ...first.sms, messages: Array(200).fill({ dest: numbers(3_000).join(), msg: "x" }) }),
      ),
  ],
  ["messages", () => post("/v2/send", JSON.stringify({ ...first.sms, messages: numbers(300_000) }))],
];

const cell = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
const sheet = (xml: string) =>
  zip({ "xl/worksheets/sheet1.xml": `<worksheet><sheetData>${xml}</sheetData></worksheet>` });
const shared = (xml: string) =>
  zip({ "xl/sharedStrings.xml": `<sst><si><t>${"x".repeat(10_000)}</t></si></sst>`, "xl/worksheets/sheet1.xml": xml });

const files: [what: string, bytes: () => Buffer][] = [
  ["a sheet of nothing", () => sheet("<row/>".repeat(6_000_000))],
  ["a sheet of empty cells", () => sheet(`<row>${cell("phone")}</row>${'<row><c r="GR1"/></row>'.repeat(50_000)}`)],
  ["a tag without an end", () => sheet(`<row ${"a ".repeat(MEBIBYTE)}`)],
  [
    "cells that name one long text",
    () => shared(`<worksheet>${`<row>${'<c t="s"><v>0</v></c>'.repeat(100)}</row>`.repeat(2_000)}</worksheet>`),
  ],
  ["a line without an end", () => Buffer.from(`phone;name\n${"1".repeat(4 * MEBIBYTE)}`)],
  ["a line of columns", () => Buffer.from(";".repeat(4 * MEBIBYTE))],
  ["quotation marks", () => Buffer.from(`a;"${'""'.repeat(2 * MEBIBYTE)}`)],
  ["blanks in a number", () => Buffer.from(`phone\n${`1${" ".repeat(9_000)}x\n`.repeat(1_000)}`)],
];

const judged = (zoo: Iterable<Beast>) => expectUnnoticed(zoo, turns);

test("what strangers send keeps nobody's call waiting", () => judged(strangers));

test("nor does what a tenant sends", () => judged(tenants));

test("nor do files that are brought in the console", async () => {
  const visitor = visitorAt(base);
  const { email, password } = first.console;
  expect((await visitor.signIn({ email, password })).status).toBe(200);
  const changed = { oldPassword: password, newPassword: `${password} and more` };
  expect((await visitor.post("/console/api/session.changePassword", changed)).status).toBe(200);
  expect((await visitor.signIn({ email, password: changed.newPassword })).status).toBe(200);
  const upload = async (bytes: Buffer) => {
    const sent = { kind: "contacts", fileName: "a", content: bytes.toString("base64") };
    const response = await visitor.post("/console/api/imports.upload", sent);
    expect([200, 400, 503], await response.text()).toContain(response.status);
  };
  await judged(files.map(([what, bytes]) => [what, () => upload(bytes())] as const));
});
