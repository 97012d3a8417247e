import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { rowsOf } from "../../../test/ground/workbooks.ts";
import { consoleTown } from "../../../test/town/console-town.ts";
import { findHoliday } from "../../store/call-settings.ts";
import { noteDelivery } from "../../store/event-deliveries.ts";
import { readExchangeSettings, updateExchange } from "../../store/exchanges.ts";
import { issuePhoneTicket, takePhoneSettings } from "../../store/phone-tickets.ts";
import { sql } from "../../store/sql.ts";
import { userOfWebphoneToken } from "../../store/webphone-tokens.ts";

const { db, ours, theirs, member } = await consoleTown();
const boss = await member("administrator");

const page = { page: 1, limit: 10 };

test("what is set up is read back as it was set", async () => {
  await boss.ask("queues.create", {
    number: "300",
    name: "Satış",
    members: ["1002", "1000"],
    changes: { strategy: "least-busy", max_wait_seconds: 120, overflow_target: "voicemail/1000" },
  });
  await boss.ask("queues.update", { number: "300", changes: { survey: true }, members: ["1000"] });
  const queue = (await boss.ask("queues.list", {})).find(({ number }) => number === "300");
  expect(queue).toMatchObject({
    strategy: "least-busy",
    max_wait_seconds: 120,
    survey: true,
    members: ["1000"],
    overflow_target: "voicemail/1000",
  });
  const members = ["1001", "905321234567"];
  await boss.ask("groups.create", { number: "701", name: "Dışarı", members, changes: { ring_seconds: 15 } });
  expect((await boss.ask("groups.list", {})).at(-1)).toMatchObject({ number: "701", members, ring_seconds: 15 });
  const keys = { "1": "queue/300", "2": "group/701" };
  await boss.ask("menus.create", {
    number: "11",
    name: "Menü",
    changes: { key_targets: keys, timeout_target: "restart" },
  });
  expect(await boss.ask("menus.list", {})).toMatchObject([
    { number: "11", key_targets: keys, timeout_target: "restart" },
  ]);
  expect(await boss.refused("queues.delete", { number: "300" })).toMatchObject({ refused: "in-use" });
  const hours = { closed_target: "voicemail/1000", office_hours: ["1 09:00-12:00", "1 13:00-17:30"] };
  await boss.ask("numbers.create", { number: "908500000009", target: "ivr/11", changes: hours });
  const number = (await boss.ask("numbers.list", {})).find((it) => it.number === "908500000009");
  expect(number).toMatchObject({ target: "ivr/11", ...hours });
});

test("a mailbox, a holiday, a rule and a trunk are kept", async () => {
  await boss.ask("mailboxes.update", {
    number: "1000",
    changes: { active: true, pin: "7294", greeting_text: "Merhaba" },
  });
  const [first] = await boss.ask("extensions.list", {});
  expect(first?.mailbox).toMatchObject({ active: true, has_pin: true, greeting_text: "Merhaba" });
  expect(JSON.stringify(first)).not.toContain("7294");
  await boss.ask("holidays.create", { day: "2026-10-29", description: "Bayram", target: "hangup/busy", number: null });
  expect(await boss.ask("holidays.list", {})).toMatchObject([{ day: "2026-10-29", target: "hangup/busy" }]);
  const [feast] = await boss.ask("holidays.list", {});
  const longer = { id: feast!.id, day: "2026-10-29", description: "Bayram", target: null, number: null };
  await boss.ask("holidays.update", { ...longer, last_day: "2026-10-31" });
  expect(await boss.ask("holidays.list", {})).toMatchObject([{ last_day: "2026-10-31", target: null }]);
  for (const [day, found] of [
    ["2026-10-28", undefined],
    ["2026-10-31", "Bayram"],
    ["2026-11-01", undefined],
  ] as const)
    expect((await findHoliday(db, { exchangeId: ours.id, number: "9", day }))?.description, day).toBe(found);
  expect(await boss.refused("holidays.update", { ...longer, last_day: "2026-10-01" })).toMatchObject({
    refused: "range-reversed",
    field: "last_day",
  });
  await boss.ask("trunks.create", {
    name: "carrier",
    host: "sip.example.com",
    changes: { username: "u", password: "p", registers: true, source_addresses: ["192.0.2.0/24"] },
  });
  const trunks = await boss.ask("trunks.list", {});
  expect(trunks).toMatchObject([
    { name: "carrier", has_password: true, source_addresses: ["192.0.2.0/24"], now: null },
  ]);
  expect(JSON.stringify(trunks)).not.toContain('"p"');
  await boss.ask("rules.create", {
    name: "all",
    prefix: "",
    priority: 1,
    trunk: "carrier",
    callerId: ours.callerIds[0]!,
  });
  await boss.ask("rules.create", { name: "never", prefix: "90", priority: 2, trunk: "carrier", callerId: null });
  expect(await boss.ask("rules.list", {})).toMatchObject([{ name: "all" }, { name: "never", shadowedBy: "all" }]);
});

test("outbound rules are changed, put in another order, and say when one of them never gets a call", async () => {
  const shown = async () =>
    (await boss.ask("rules.list", {})).map(({ name, priority, shadowedBy }) => [name, priority, shadowedBy]);
  expect(await shown()).toEqual([
    ["all", 1, null],
    ["never", 2, "all"],
  ]);
  const [all, never] = await boss.ask("rules.list", {});
  await boss.ask("rules.move", { id: never!.id, up: true });
  expect(await shown()).toEqual([
    ["never", 1, null],
    ["all", 2, null],
  ]);
  // Two of the same rank cannot change places by changing ranks: all of them get new ones.
  const same = { prefix: "90", priority: 2, trunk: null, callerId: null };
  await boss.ask("rules.update", { id: never!.id, name: "mobiles", ...same, prefix: "905" });
  expect((await shown()).map(([name]) => name)).toEqual(["all", "mobiles"]);
  await boss.ask("rules.move", { id: all!.id, up: false });
  expect(await shown()).toEqual([
    ["mobiles", 10, null],
    ["all", 20, null],
  ]);
  await boss.ask("rules.move", { id: all!.id, up: false });
  expect((await shown()).map(([name]) => name)).toEqual(["mobiles", "all"]);
  expect(await boss.refused("rules.update", { id: never!.id, name: "all", ...same })).toMatchObject({
    refused: "name-taken",
  });
  const strange = { id: never!.id, name: "mobiles", ...same };
  expect(await boss.refused("rules.update", { ...strange, trunk: "nobody" })).toMatchObject({ refused: "not-found" });
  expect(await boss.refused("rules.update", { ...strange, callerId: "902120000000" })).toMatchObject({
    refused: "not-own-number",
  });
  const stranger = await member("administrator", theirs.id);
  expect(await stranger.refused("rules.move", { id: all!.id, up: true })).toMatchObject({ refused: "not-found" });
});

test("an extension's web phone opens in the name of the staff account that is linked to it", async () => {
  const wanted = { number: "1002" };
  expect(await boss.refused("extensions.openWebphone", wanted)).toMatchObject({ refused: "no-staff" });
  await boss.ask("staff.create", { name: "Can", email: "can@example.com", role: "standard", extension: "1002" });
  const { token } = await boss.ask("extensions.openWebphone", wanted);
  expect(await userOfWebphoneToken(db, token, Date.now())).toMatchObject({ extension: "1002", exchangeId: ours.id });
  expect(await boss.refused("extensions.openWebphone", { number: "9999" })).toMatchObject({ refused: "not-found" });
  const standard = await member("standard");
  expect(await standard.refused("extensions.openWebphone", wanted)).toMatchObject({ refused: "not-your-role" });
});

test("the times of days that are alike and the hours of the week follow one another", async () => {
  const hours = async () => (await boss.ask("settings.show", {})).office_hours;
  await updateExchange(db, ours.id, { office_opens: "09:30", office_days: [1, 6] });
  expect(await hours()).toEqual(["1 09:30-18:00", "6 09:30-18:00"]);
  await boss.ask("settings.update", { changes: { office_hours: ["2 08:00-12:00", "2 13:00-17:00"] } });
  expect(await readExchangeSettings(db, ours.id, ["office_opens", "office_closes", "office_days"])).toMatchObject({
    office_days: [2],
  });
});

test("several wrong fields are refused together, each by its name", async () => {
  const changes = { forward_busy: "queue/999", forward_always: "ivr/998" };
  expect(await boss.refused("extensions.update", { number: "1002", changes })).toMatchObject({
    refused: "several-fields",
    wrong: [{ field: "forward_busy" }, { field: "forward_always" }],
  });
});

test("a phone's ticket opens once, only an extension has one, and a new one ends the one before", async () => {
  const door = { host: "192.0.2.1", port: 5060, transport: "tcp" } as const;
  const now = Date.now();
  const wanted = { exchangeId: ours.id, number: "1002", door, now };
  const first = await issuePhoneTicket(db, wanted);
  const second = await issuePhoneTicket(db, wanted);
  expect(await issuePhoneTicket(db, { ...wanted, number: "9999" })).toBeUndefined();
  const take = (ticket: string, at = now) => takePhoneSettings(db, { ticket, now: at, address: "192.0.2.7" });
  expect(await take(first!.ticket)).toBeUndefined();
  expect(await take(second!.ticket, second!.expiresAt.getTime())).toBeUndefined();
  expect(await take(second!.ticket)).toMatchObject({ number: "1002", ...door, exchangeId: ours.id });
  expect(await take(second!.ticket)).toBeUndefined();
  expect(await take("P'; drop table tickets")).toBeUndefined();
});

test("settings change what they name and nothing else", async () => {
  const before = await boss.ask("settings.show", {});
  await boss.ask("settings.update", { changes: { record_internal: true, office_switch: "closed" } });
  expect(await boss.ask("settings.show", {})).toEqual({ ...before, record_internal: true, office_switch: "closed" });
  expect(await boss.refused("settings.update", { changes: { time_zone: "Mars/Olympus" } })).toMatchObject({
    refused: "invalid",
    field: "time_zone",
  });
  await boss.ask("crm.update", { ringing: false, notification_url: "https://crm.example.com/calls" });
  expect(await boss.ask("settings.show", {})).toMatchObject({
    crm_ringing: false,
    crm_url: "https://crm.example.com/calls",
  });
  expect(await boss.refused("crm.update", { notification_url: "ftp://crm.example.com" })).toMatchObject({
    refused: "misfit",
    field: "notification_url",
  });
});

test("whoever looks at a call that ended just now is told to look again: its last messages are written after its record", async () => {
  const uuid = randomUUID();
  await db.query(
    sql`insert into cdrs (exchange_id, call_uuid, direction, start_stamp, answer_stamp, end_stamp, caller_id_number,
       destination_number, duration_seconds, talk_seconds, missed, hangup_cause)
     values ($1, $2, 'inbound', now() - interval '20 s', now(), now(), '905321234568', '1000', 20, 0, false, 'NORMAL_CLEARING')`,
    [ours.id, uuid],
  );
  expect(await boss.ask("calls.show", { uuid })).toMatchObject({ cdr: { callUuid: uuid }, grows: true });
});

test("a call is found by any spelling of its numbers, with its legs, and counted in the reports; who listened to it is not", async () => {
  const uuid = randomUUID();
  await db.query(
    sql`insert into cdrs (exchange_id, call_uuid, direction, start_stamp, answer_stamp, end_stamp, caller_id_number,
       destination_number, dialed_user, connected_user, duration_seconds, talk_seconds, queue, queue_wait_seconds,
       missed, hangup_cause)
     values ($1, $2, 'inbound', '2026-05-04T09:30:00Z', '2026-05-04T09:30:10Z', '2026-05-04T09:31:10Z', '905321234567',
       '200', '1000', '1000', 70, 60, '200', 10, false, 'NORMAL_CLEARING')`,
    [ours.id, uuid],
  );
  await db.query(
    sql`insert into cdrs (exchange_id, call_uuid, direction, start_stamp, answer_stamp, end_stamp, caller_id_number,
       destination_number, dialed_user, connected_user, duration_seconds, talk_seconds, missed, hangup_cause, listening)
     values ($1, $2, 'internal', '2026-05-04T09:30:20Z', '2026-05-04T09:30:22Z', '2026-05-04T09:31:10Z', '1000',
       '1000', '1000', '1000', 50, 48, false, 'NORMAL_CLEARING', true)`,
    [ours.id, randomUUID()],
  );
  const stretch = { from: "2026-05-04T00:00:00Z", before: "2026-05-05T00:00:00Z" };
  const { rows, total } = await boss.ask("calls.list", {
    ...page,
    ...stretch,
    caller: "0532 123 45 67",
    queue: "Kuyruk 1",
  });
  expect([total, rows[0]?.callUuid]).toEqual([1, uuid]);
  expect(await boss.ask("calls.show", { uuid })).toMatchObject({
    cdr: { callUuid: uuid },
    legs: [],
    story: [],
    ladder: [],
    grows: false,
  });
  expect(await boss.refused("calls.show", { uuid: randomUUID() })).toMatchObject({ status: 404 });
  const { week, days } = await boss.ask("reports.calls", stretch);
  expect(week).toMatchObject([{ weekday: 1, hour: 12, inbound: 1 }]); // half past nine in Greenwich is half past twelve in Istanbul
  expect(days.filter(({ inbound }) => inbound === 1)).toMatchObject([{ day: "2026-05-04", talk: 60 }]);
  expect((await boss.ask("reports.queues", stretch)).queues).toMatchObject([
    { queue: "200", name: "Kuyruk 1", calls: 1, answered: 1, abandoned: 0, inTime: 1, averageWait: 10 },
  ]);
  expect(await boss.ask("reports.extensions", stretch)).toContainEqual(
    expect.objectContaining({ extension: "1000", made: 0, taken: 1, talk: 60 }),
  );
  const csv = await boss.get(`/console/calls.csv?from=${stretch.from}&before=${stretch.before}`);
  expect(csv.headers.get("content-disposition")).toContain("calls.csv");
  expect(await csv.text()).toContain("2026-05-04 12:30:00,inbound,905321234567");
  const turkish = await boss.get(`/console/calls.csv?from=${stretch.from}&before=${stretch.before}&lang=tr`);
  expect(await turkish.text()).toContain("04.05.2026 12:30:00;Gelen;905321234567");
  const excel = await boss.get(`/console/calls.xlsx?from=${stretch.from}&before=${stretch.before}`);
  expect(excel.headers.get("content-disposition")).toContain("calls.xlsx");
  const [head, row, ...others] = await rowsOf(Buffer.from(await excel.arrayBuffer()));
  expect([row?.[head?.indexOf("caller") ?? -1], others.length]).toEqual(["905321234567", 0]);
  expect(row?.[head?.indexOf("call_uuid") ?? -1]).toBe(uuid);
  for (const file of ["calls.csv", "calls.xlsx"])
    expect((await boss.get(`/console/${file}?from=yesterday`)).status).toBe(400);
  expect((await boss.get(`/console/sound/recording/${uuid}`)).status).toBe(404);
});

test("the delivery log shows an event's last answer, and sends it once more with the same id", async () => {
  const [delivery, callUuid] = [randomUUID(), randomUUID()];
  const event = {
    delivery,
    exchangeId: ours.id,
    event: "ringing",
    callUuid,
    body: "a=1",
    url: "https://crm.example.com",
  };
  await noteDelivery(db, { ...event, attempts: 1, delivered: false, answer: "answered 500", atMs: Date.now() });
  await noteDelivery(db, { ...event, attempts: 2, delivered: false, answer: "answered 502", atMs: Date.now() });
  const { rows } = await boss.ask("deliveries.list", { ...page, delivered: false });
  expect(rows).toMatchObject([{ delivery, attempts: 2, answer: "answered 502" }]);
  await boss.ask("deliveries.again", { delivery });
  const jobs = await db.query<{ payload: object }>(sql`select payload from jobs where unique_key = $1`, [delivery]);
  expect(jobs).toMatchObject([{ payload: { delivery, callUuid, body: "a=1" } }]);
  expect(await boss.refused("deliveries.again", { delivery: randomUUID() })).toMatchObject({ refused: "not-found" });
});

test("every other list answers, on an exchange that has nothing in it", async () => {
  const empty = await member("administrator");
  for (const [name, wanted] of [
    ["voicemail.list", { ...page, extension: "" }],
    ["contacts.list", { ...page, about: "", groupId: null }],
    ["sms.blacklist", page],
    ["sms.consentCampaigns", page],
    ["sms.campaigns", { ...page, title: "" }],
    ["sms.inbox", { ...page, about: "" }],
  ] as const)
    expect(await empty.ask(name, wanted as never), name).toMatchObject({ total: 0 });
  for (const name of ["contactGroups.list", "sounds.list"] as const)
    expect(await empty.ask(name, {}), name).toEqual([]);
  expect(
    await empty.refused("sms.send", {
      title: "X",
      phones: ["05321234567"],
      text: "x",
      coding: "auto",
      commercial: false,
      recipientType: "BIREYSEL",
    }),
  ).toMatchObject({ refused: "no-sms-account" });
  expect(await empty.ask("sms.count", { text: "ş".repeat(200), coding: "turkish" })).toMatchObject({ parts: 2 });
  expect(await empty.refused("calls.hangUp", { uuid: randomUUID() })).toMatchObject({
    status: 503,
    refused: "not-running",
  });
});
