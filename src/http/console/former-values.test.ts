import { expect, test } from "vitest";
import { consoleTown } from "../../../test/town/console-town.ts";
import { blankField } from "../../forms/definition.ts";
import { sql } from "../../store/sql.ts";
import { changedBy } from "../../words/audit/changed.ts";
import { changesInWords } from "../../words/audit/changes.ts";
import { consoleApi } from "./api.ts";
import { formerValues } from "./former-values.ts";
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

const context = { db, exchangeId: ours.id } as ConsoleContext; // all that is looked at

test("whatever may be changed can be read before, and nobody else's", async () => {
  for (const [name, operation] of operations) {
    const where = changedBy(name);
    if (!where || where.noun.table === "") continue;
    const all = Object.fromEntries(Object.keys(where.noun.fields).map((field) => [field, ""]));
    const which = where.by === "number" ? "1000" : where.by === "name" || where.by === "prefix" ? "" : 1;
    const sent = { ...(where.flat ? all : { changes: all }), ...(where.by && { [where.by]: which }) };
    const stood = await formerValues(name, {}, sent, context);
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
      ["Day", "2026-10-29", "2026-10-28"],
    ]),
  );

  const rule = { name: "all", prefix: "", priority: 1, trunk: null, callerId: null };
  await boss.ask("rules.create", rule);
  const [kept] = await boss.ask("rules.list", {});
  await boss.ask("rules.update", { ...rule, id: kept!.id, prefix: "90" });
  expect(await noted("rules.update")).toEqual([["Begins with (such as 90532)", "—", "90"]]);

  for (const greeting_text of ["Merhaba", "Hoş geldiniz"])
    await boss.ask("mailboxes.update", { number: "1000", changes: { greeting_text, pin: "1234" } });
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

test("what stands at another exchange is not read", async () => {
  await db.query(sql`insert into call_rates (exchange_id, prefix, minute_price) values ($1, '44', 9)`, [theirs.id]);
  expect(await formerValues("rates.set", {}, { prefix: "44", minutePrice: "1" }, context)).toBeUndefined();
});
