import { expect, test } from "vitest";
import { consoleTown } from "../../../test/town/console-town.ts";
import { blankField } from "../../forms/definition.ts";
import type { Language } from "../../languages.ts";
import type { Db } from "../../store/db.ts";
import { readFormer } from "../../store/former.ts";
import { sql } from "../../store/sql.ts";
import { changedBy } from "../../words/audit/changed.ts";
import { changesInWords, restInWords } from "../../words/audit/changes.ts";
import { consoleApi } from "./api.ts";
import { notedBeside } from "./former-values.ts";
import type { ConsoleContext, Operation } from "./operation/operation.ts";

const { db, ours, theirs, member } = await consoleTown();
const boss = await member("administrator");
const operations = Object.entries(consoleApi) as [name: string, operation: Operation][];

/** What changes nothing that stood somewhere, by its reason. */
const othersBecause: Record<string, string> = {
  "it is a secret, or what stands for one": `session.changePassword totp.confirm totp.drop recoveryCodes.renew
    extensions.newPassword sms.renewPassword crm.secret staff.resetPassword staff.resetTotp keys.revoke walls.link
    walls.unlink`,
  "it makes or takes away, whatever it is called": `sounds.upload sounds.speak blocked.add blocked.remove push.subscribe
    push.forget sms.createTitle sms.addToBlacklist sms.removeFromBlacklist sms.uploadConsents session.end
    staff.endSessions imports.upload imports.begin archive.off sso.off`,
  "it does something, and sets nothing": `webphone.open calls.hangUp calls.transfer calls.send calls.pull calls.begin
    calls.supervise extensions.invitePhone extensions.openWebphone reportPlans.send trunks.check trunks.testCall
    contactSources.run contactSources.confirm imports.stop imports.resume sms.send sms.cancel faxes.send faxes.sendAgain
    faxes.sendNow faxes.cancel crm.test deliveries.again archive.test sso.test backups.make backups.download
    desk.takeMissed desk.leaveMissed desk.settleMissed`,
  "it can have been one thing only": "nodes.drain nodes.resume faxes.mark voicemail.markRead desk.closeNote",
  "its line says from what to what, or it moves by one place": "agents.move desk.ready rules.move",
  "what is written about calls and callers is no setting, and not in the trail": "forms.fill desk.note faxes.assign",
};

test("every operation that changes what stands somewhere notes how it stood", () => {
  const others = new Set(Object.values(othersBecause).flatMap((names) => names.split(/\s+/)));
  const left = operations.filter(
    ([name, { reads }]) => !reads && !changedBy(name) && !/\.(create|delete)$/.test(name) && !others.has(name),
  );
  expect(left.map(([name]) => name)).toEqual([]);
  const known = new Set(operations.map(([name]) => name));
  expect([...others].filter((name) => !known.has(name) || changedBy(name))).toEqual([]);
});

/** What of an operation's parameters is told by the operation itself, with what stood there before. */
const toldByItself: Record<string, string> = { "forms.update": "fields", "backups.plan": "every at keep" };

type Schema = { properties?: Record<string, Schema> };

/** By the columns of a statement that asks for a field alone: without one, nothing is asked. */
async function fieldsRead(): Promise<Set<string>> {
  const read = new Set<string>();
  const nouns = operations.flatMap(([name]) => changedBy(name)?.noun ?? []);
  const asked = { query: async () => [{}] } as unknown as Db; // nothing else is asked of it
  for (const noun of nouns)
    for (const field of Object.keys(noun.fields))
      if (await readFormer(asked, noun, { exchangeId: ours.id, which: 1, names: [field] }))
        read.add(`${noun.table} ${field}`);
  return read;
}

test("of every field that an operation may change it is noted how it stood, but of secrets", async () => {
  const isRead = await fieldsRead();
  const forgotten = operations.flatMap(([name, { parameters, hides = [] }]) => {
    const where = changedBy(name);
    if (!where) return [];
    const { changes, ...beside } = (parameters as Schema).properties ?? {};
    const fields = [...Object.keys(changes?.properties ?? {}), ...Object.keys(beside).filter((it) => it !== where.by)];
    const others = [...hides, ...(toldByItself[name] ?? "").split(" ")];
    const isNoted = (field: string) =>
      where.noun.fields[field]?.is === "secret" ||
      others.includes(field) ||
      (isRead.has(`${where.noun.table} ${field}`) &&
        (changes?.properties?.[field] || where.flat || where.beside?.includes(field)));
    expect([name, fields.length]).not.toEqual([name, 0]);
    return fields.filter((field) => !isNoted(field)).map((field) => `${name} ${field}`);
  });
  expect(forgotten).toEqual([]);
});

const context = { db, exchangeId: ours.id } as ConsoleContext; // all that is looked at

test("whatever may be changed can be read before, and nobody else's", async () => {
  for (const [name, operation] of operations) {
    const where = changedBy(name);
    if (!where || where.noun.table === "") continue;
    const all = Object.fromEntries(Object.keys(where.noun.fields).map((field) => [field, ""]));
    const which = where.by === "number" ? "1000" : where.by === "name" || where.by === "prefix" ? "" : 1;
    const sent = { ...(where.flat ? all : { changes: all }), ...(where.by && { [where.by]: which }) };
    const { was: stood } = await notedBeside(name, {}, sent, context);
    const secrets = Object.entries(where.noun.fields).flatMap(([field, { is }]) => (is === "secret" ? [field] : []));
    for (const secret of secrets)
      expect([name, stood ?? {}]).not.toEqual([name, expect.objectContaining({ [secret]: expect.anything() })]);
    expect([name, Boolean(operation.reads)]).toEqual([name, false]);
  }
});

test("old and new values are told of what has no noun of its own, and without secrets", async () => {
  const noted = async (did: string) => {
    const [line] = await db.query<{ details: Record<string, unknown> }>(
      sql`select details from audit_lines where exchange_id = $1 and did = $2 order by id desc limit 1`,
      [ours.id, did],
    );
    return changesInWords({ did, details: line!.details }, "en").map(({ label, was, now }) => [label, was, now]);
  };
  for (const minutePrice of ["0.5000", "0.7500"]) await boss.ask("rates.set", { prefix: "90", minutePrice });
  expect(await noted("rates.set")).toEqual([["Price a minute", "0.5000", "0.7500"]]);

  const feast = { day: "2026-10-29", description: "Bayram", target: null, number: null };
  await boss.ask("holidays.create", feast);
  const [holiday] = await boss.ask("holidays.list", {});
  await boss.ask("holidays.update", { ...feast, id: holiday!.id, description: "Cumhuriyet", day: "2026-10-28" });
  expect(await noted("holidays.update")).toEqual(
    expect.arrayContaining([
      ["Description", "Bayram", "Cumhuriyet"],
      ["Day", "29/10/2026", "28/10/2026"],
    ]),
  );

  const rule = { name: "all", prefix: "", priority: 1, trunk: null, callerId: null };
  await boss.ask("rules.create", rule);
  const [kept] = await boss.ask("rules.list", {});
  await boss.ask("rules.update", { ...rule, id: kept!.id, prefix: "90" });
  expect(await noted("rules.update")).toEqual([["Begins with (such as 90532)", "—", "90"]]);

  for (const greeting_text of ["Merhaba", "Hoş geldiniz"])
    await boss.ask("mailboxes.update", { number: "1000", changes: { greeting_text, pin: "7294" } });
  expect((await noted("mailboxes.update")).sort()).toEqual([
    ["Greeting (spoken text)", "Merhaba", "Hoş geldiniz"],
    ["PIN", undefined, "(hidden)"],
  ]);

  const fields = (label: string) => [{ ...blankField, label }];
  const made = await boss.ask("forms.create", { name: "Sipariş", active: true, fields: fields("Ürün") } as never);
  await boss.ask("forms.update", { id: (made as { id: number }).id, name: "Satış", fields: fields("Adet") } as never);
  expect((await noted("forms.update")).sort().reverse()).toEqual([
    ["Name", "Sipariş", "Satış"],
    ["Fields", expect.stringContaining("Ürün"), expect.stringContaining("Adet")],
  ]);
});

test("who led which queues, who stood in them, and what a sound was called are told as they were", async () => {
  const told = async (did: string, language: Language = "en") => {
    const [line] = await db.query<{ details: Record<string, unknown> }>(
      sql`select details from audit_lines where exchange_id = $1 and did = $2 order by id desc limit 1`,
      [ours.id, did],
    );
    const { details } = line!;
    const changes = changesInWords({ did, details }, language).map(({ label, was, now }) => [label, was, now]);
    return [...changes, restInWords({ did, details }, language)];
  };
  const sound = async (name: string) => {
    const [row] = await db.query<{ id: number }>(
      sql`insert into announcements (exchange_id, name, object_key) values ($1, $2, $2) returning id`,
      [ours.id, name],
    );
    return row!.id;
  };
  const [old, young] = [await sound("Yaz"), await sound("Bayram")];
  for (const number of ["310", "311"])
    await boss.ask("queues.create", { number, name: "Q", members: ["1001"], changes: { music_announcement_id: old } });
  expect(await told("queues.create", "tr")).toEqual([
    ["Bekleme müziği", undefined, "Yaz"],
    ["Üyeler (sırayla)", undefined, "1001"],
    "Ad: Q · Numara: 311",
  ]);
  const changes = { music_announcement_id: young, overflow_target: `announcement/${old}` };
  await boss.ask("queues.update", { number: "310", members: ["1000", "1001"], changes });
  await db.query(sql`update announcements set name = 'Sonra' where exchange_id = $1`, [ours.id]);
  expect(await told("queues.update")).toEqual([
    ["When full or waited too long", "—", "Announcement Yaz"],
    ["Waiting music", "Yaz", "Bayram"],
    ["Members, in order", "1001", "1000, 1001"],
    "Number: 310",
  ]);

  const lead = await member("supervisor");
  for (const queues of [["310"], ["311", "310"]]) await boss.ask("staff.update", { id: lead.id, changes: { queues } });
  const [account] = (await boss.ask("staff.list", {})).filter(({ id }) => id === lead.id);
  expect(await told("staff.update")).toEqual([["Queues", "310", "310, 311"], `Which: ${account!.email}`]);
  await boss.ask("staff.delete", { id: lead.id });
  expect(await told("staff.delete", "tr")).toEqual([`Hangisi: ${account!.email}`]);

  await boss.ask("groups.create", { number: "710", name: "G", members: ["1000"], changes: {} });
  await boss.ask("groups.update", { number: "710", members: ["905321234567", "1000"], changes: {} });
  expect(await told("groups.update", "tr")).toEqual([
    ["Üyeler (sırayla)", "1000", "905321234567, 1000"],
    "Numara: 710",
  ]);

  const group = async (name: string) => ((await boss.ask("contactGroups.create", { name })) as { id: number }).id;
  const [friends, firms] = [await group("Dostlar"), await group("Firmalar")];
  await boss.ask("contacts.create", { name: "Ada", surname: "Er", phone: "905320000001", group_ids: [friends] });
  const [contact] = (await boss.ask("contacts.list", { page: 1, limit: 5, about: "Ada", groupId: null })).rows;
  await boss.ask("contacts.update", { id: contact!.id, changes: { group_ids: [firms, friends] } });
  expect(await told("contacts.update", "tr")).toEqual([["Gruplar", "Dostlar", "Dostlar, Firmalar"], "Hangisi: Ada Er"]);
});

test("what stands at another exchange is not read", async () => {
  await db.query(sql`insert into call_rates (exchange_id, prefix, minute_price) values ($1, '44', 9)`, [theirs.id]);
  expect(await notedBeside("rates.set", {}, { prefix: "44", minutePrice: "1" }, context)).toEqual({});
});
