import { expect, test } from "vitest";
import { consoleTown } from "../../../test/town/console-town.ts";
import { realClock } from "../../clock.ts";
import { openDatabase } from "../../store/db.ts";
import { sql } from "../../store/sql.ts";
import { findPeople } from "../../store/webphone-people.ts";

const { db, owner, urls, ours, theirs, member } = await consoleTown();
const reader = await member("read-only");

const CALLS = 2_000;

async function addCalls(exchangeId: number, digits: string, calls = CALLS): Promise<void> {
  await db.query(
    sql`insert into cdrs (exchange_id, call_uuid, direction, origin, start_stamp, end_stamp, caller_id_number,
       caller_id_name, outbound_caller_id_number, destination_number, destination_name, dialed_user, connected_user,
       duration_seconds, talk_seconds, hangup_cause, peer)
     select $1, gen_random_uuid(), 'inbound', 'phone', now() - make_interval(secs => n), now(),
       $2 || lpad(n::text, 6, '0'), case when n = 1000 then 'Çağrı ŞIK' else '' end, '', '908505320000', '', '', '', 1, 1,
       'NORMAL_CLEARING', '' from generate_series(1, $3::int) as n`,
    [exchangeId, digits, calls],
  );
}

test("a few letters find people, places and calls, the newest first, and nothing of another exchange", async () => {
  await addCalls(ours.id, "90532");
  await addCalls(theirs.id, "90777");
  for (const exchange of [ours.id, theirs.id])
    await db.query(
      sql`insert into contacts (exchange_id, name, surname, phone)
       select $1::bigint, 'Işıl', 'Çelik ' || $1::bigint, '90555' || lpad(n::text, 7, '0') from generate_series(1, 3) as n`,
      [exchange],
    );
  const about = (text: string) => reader.ask("search.everywhere", { about: text });

  const digits = await about("32000012");
  expect(digits.calls.map(({ caller }) => caller)).toEqual(["90532000012"]);
  expect((await about("9053")).calls.map(({ caller }) => caller.slice(-2))).toEqual([
    "01",
    "02",
    "03",
    "04",
    "05",
    "06",
  ]);
  expect((await about("cagri s")).calls).toMatchObject([{ callerName: "Çağrı ŞIK" }]);
  expect((await about("90777")).calls).toEqual([]);
  const people = (await about("ISIL ÇEL")).people;
  expect(people.map(({ surname }) => surname)).toEqual(Array.from({ length: 3 }, () => `Çelik ${ours.id}`));
  expect((await about("1000")).places[0]).toMatchObject({ is: "extension", number: "1000" });

  for (const hostile of ["%%%", "___", "\\\\\\", "'); drop table cdrs; --", "%s%L"])
    expect(await about(hostile)).toEqual({ places: [], people: [], calls: [] });
  await expect(reader.refused("search.everywhere", { about: "x".repeat(65) })).resolves.toBeDefined();
});

test("a session of one exchange searches no other, and a tenant's that has entered none searches nothing", async () => {
  const statements = [
    sql`select matching_calls($1, '90777', null, null, 5)`,
    sql`select matching_contacts($1, 'Işıl', 5)`,
    sql`select noted_calls($1, 'tag', 'few', null, null, 5)`,
  ];
  await addNotes(theirs.id, "90777", "few");
  const tenant = openDatabase(urls.tenants ?? "", realClock, { connections: 1 });
  const server = openDatabase(urls.server, realClock, { connections: 1 });
  const refused = /does not search that exchange/;
  for (const statement of statements) {
    await expect(db.forExchange(ours.id).query(statement, [theirs.id])).rejects.toThrow(refused);
    expect(await db.forExchange(theirs.id).query(statement, [theirs.id])).not.toEqual([]);
    await expect(tenant.query(statement, [theirs.id])).rejects.toThrow(refused);
    // No walls stand around these two.
    for (const free of [db, owner]) expect(await free.query(statement, [theirs.id])).not.toEqual([]);
    await server.query(sql`select set_config('santral.exchange', $1, false)`, [String(ours.id)]);
    await expect(server.query(statement, [theirs.id])).rejects.toThrow(refused);
  }
  await Promise.all([tenant.close(), server.close()]);
});

test("what looks past the walls looks nowhere else: neither in a schema nor among tables of the session's own", async () => {
  const paths = await db.query<{ config: string[] }>(
    sql`select proconfig as config from pg_proc where prosecdef and pronamespace = 'public'::regnamespace`,
  );
  expect(new Set(paths.map(({ config }) => config?.join()))).toEqual(new Set(["search_path=public, pg_temp"]));
});

test("the list of calls finds a part of a number or name, also inside a time", async () => {
  const page = { page: 1, limit: 10 };
  const rare = await reader.ask("calls.list", { about: "2000012", ...page });
  expect(rare).toMatchObject({ total: 1, rows: [{ callerIdNumber: "90532000012" }] });
  const all = await reader.ask("calls.list", { about: "90532", ...page });
  expect(all.total).toBe(CALLS);
  const from = new Date(Date.now() + 60_000).toISOString();
  expect(await reader.ask("calls.list", { about: "90532", from, ...page })).toMatchObject({ total: 0 });
});

/** About the calls whose number begins so. */
async function addNotes(exchange: number, prefix: string, tag: string): Promise<void> {
  await db.query(
    sql`insert into call_notes (exchange_id, call_uuid, extension, queue, peer, at, note, tags, disposition)
     select exchange_id, call_uuid, '1000', null, '', now(), 'Geri aranacak, ŞİKÂYET: ' || $3, array[$3], 'Olumlu ' || $3
     from cdrs where exchange_id = $1 and caller_id_number like $2 || '%'`,
    [exchange, prefix, tag],
  );
}

test("contacts stand in the order of their reader's language", async () => {
  const names = ["Zeynep", "Ilgaz", "İpek", "Çiğdem", "Cem", "Dora"];
  await db.query(
    sql`insert into contacts (exchange_id, name, surname, phone)
     select $1, name, 'Sıra', '905330000000' from unnest($2::text[]) as name`,
    [ours.id, names],
  );
  const { rows } = await reader.ask("contacts.list", {
    page: 1,
    limit: 50,
    about: "Sıra",
    groupId: null,
    language: "tr",
  });
  expect(rows.map(({ name }) => name)).toEqual(["Cem", "Çiğdem", "Dora", "Ilgaz", "İpek", "Zeynep"]);
});

test("what is found everywhere, and on the web phone, stands in that order, too", async () => {
  const found = async (language: "tr" | "en") =>
    (await reader.ask("search.everywhere", { about: "Sıra", language })).people.map(({ name }) => name);
  expect(await found("tr")).toEqual(["Cem", "Çiğdem", "Dora", "Ilgaz", "İpek", "Zeynep"]);
  await db.query(sql`update contacts set name = 'ılık' where exchange_id = $1 and name = 'Zeynep'`, [ours.id]);
  expect(await found("tr")).toEqual(["Cem", "Çiğdem", "Dora", "Ilgaz", "ılık", "İpek"]);
  expect(await found("en")).toEqual(["Cem", "Çiğdem", "Dora", "Ilgaz", "İpek", "ılık"]);
  const people = (search: string, language: "tr" | "en") =>
    findPeople(db, { exchangeId: ours.id, search, most: 50, language });
  const names = async (language: "tr" | "en") =>
    (await people("sira", language)).map(({ name }) => name.replace(" Sıra", ""));
  expect(await names("tr")).toEqual(await found("tr"));
  expect(await names("en")).toEqual(await found("en"));
});

test("the web phone finds people with or without the letters of their language, by number first", async () => {
  const found = async (search: string) =>
    (await findPeople(db, { exchangeId: ours.id, search, most: 50, language: "tr" })).map(({ name }) => name);
  const name = (number: string, text: string) =>
    db.query(sql`update extensions set name = $3 where exchange_id = $1 and number = $2`, [ours.id, number, text]);
  await Promise.all([name("1000", "Işık 1001"), name("1001", "Çelik"), name("1002", "Cömert %")]);
  for (const typed of ["ışık", "isik", "IŞIK", "Işık", "İŞİK"])
    expect(await found(typed), typed).toEqual(["Işık 1001"]);
  expect(await found("1001")).toEqual(["Çelik", "Işık 1001"]);
  expect(await found("e")).toEqual(["Cömert %", "Çelik", ...(await found("e")).slice(2)]);
  expect(await found("%")).toEqual(["Cömert %"]);
  expect(await found("_")).toEqual([]);
});

test("what is in very many calls is listed from the newest on, and not counted to its end", async () => {
  await addCalls(ours.id, "90544", 12_000);
  const list = (about: string, more: object = {}) => reader.ask("calls.list", { about, page: 1, limit: 2, ...more });
  expect(await list("90544")).toMatchObject({
    total: 10_000,
    more: true,
    rows: [{ callerIdNumber: "90544000001" }, { callerIdNumber: "90544000002" }],
  });
  expect(await list("90544", { direction: "outbound" })).toEqual({ rows: [], total: 0 });
  expect(await list("9054400000")).toMatchObject({ total: 9, rows: [{}, {}] });
  expect(await list("905", { before: new Date(0).toISOString() })).toEqual({ rows: [], total: 0 });
  const table = await (await reader.get("/console/calls.csv?about=90544&lang=en")).text();
  expect(table.trimEnd().split("\r\n")).toHaveLength(12_001);
});

async function beginOf(caller: string): Promise<string> {
  const [call] = await db.query<{ at: Date }>(
    sql`select start_stamp as at from cdrs where exchange_id = $1 and caller_id_number = $2`,
    [ours.id, caller],
  );
  return call!.at.toISOString();
}

test("what was written about a call is found whether its record came first, or came later, or was changed", async () => {
  const uuid = crypto.randomUUID();
  const write = (extension: string) =>
    db.query(
      sql`insert into call_notes (exchange_id, call_uuid, extension, at, tags) values ($1, $2, $3, now(), '{meanwhile}')`,
      [ours.id, uuid, extension],
    );
  const found = async (times: object = {}) =>
    (await reader.ask("calls.list", { page: 1, limit: 2, tag: "meanwhile", ...times })).rows.map((row) => row.callUuid);
  await write("1000");
  expect(await found()).toEqual([]);
  await addCalls(ours.id, "90566", 1);
  await db.query(
    sql`insert into cdrs (exchange_id, call_uuid, direction, origin, start_stamp, end_stamp, caller_id_number,
       caller_id_name, outbound_caller_id_number, destination_number, destination_name, dialed_user, connected_user,
       duration_seconds, talk_seconds, hangup_cause, peer)
     select exchange_id, $2, direction, origin, start_stamp, end_stamp, caller_id_number, '', '', '', '', '', '', 1, 1,
       'NORMAL_CLEARING', '' from cdrs where exchange_id = $1 and caller_id_number = '90566000001'`,
    [ours.id, uuid],
  );
  await write("1001");
  expect(await found()).toEqual([uuid]);
  await db.query(sql`update cdrs set start_stamp = '2020-02-02' where exchange_id = $1 and call_uuid = $2`, [
    ours.id,
    uuid,
  ]);
  expect(await found({ before: "2020-02-03T00:00:00Z" })).toEqual([uuid]);
});

test("what was written about calls is found whether few or very many have it", async () => {
  await addNotes(ours.id, "90544", "very-many");
  await addNotes(ours.id, "9053200001", "few");
  const list = (asked: object) => reader.ask("calls.list", { page: 1, limit: 2, ...asked });
  const newest = [{ callerIdNumber: "90544000001" }, { callerIdNumber: "90544000002" }];
  const oldest = [{ callerIdNumber: "90544011999" }, { callerIdNumber: "90544012000" }];
  const since = { from: new Date(0).toISOString(), before: new Date(Date.now() + 86_400_000).toISOString() };
  for (const times of [{}, since]) {
    for (const asked of [{ tag: "very-many" }, { note: "sikayet: very" }, { disposition: "Olumlu very-many" }])
      expect(await list({ ...asked, ...times }), JSON.stringify(asked)).toMatchObject({
        total: 10_000,
        more: true,
        rows: newest,
      });
    expect(await list({ tag: "very-many", ...times, page: 6_000 })).toMatchObject({ total: 10_000, rows: oldest });
    const earlier = { ...times, before: await beginOf("90544001500") };
    expect(await list({ tag: "very-many", ...earlier })).toMatchObject({
      more: true,
      rows: [{ callerIdNumber: "90544001501" }, { callerIdNumber: "90544001502" }],
    });
    for (const asked of [{ tag: "few" }, { note: "SIKAYET: FEW" }, { disposition: "Olumlu few" }])
      expect(await list({ ...asked, ...times }), JSON.stringify(asked)).toMatchObject({
        total: 10,
        rows: [{ callerIdNumber: "90532000010" }, { callerIdNumber: "90532000011" }],
      });
  }
  const both = { tag: "very-many", direction: "inbound" };
  expect(await list(both)).toMatchObject({ total: 2_000, more: true, rows: newest });
  expect(await list({ ...both, page: 6_000 })).toMatchObject({ total: 2_000, more: true, rows: oldest });
  expect(await list({ ...both, note: "very" })).toMatchObject({ total: 2_000, more: true, rows: newest });
  expect(await list({ ...both, direction: "outbound" })).toEqual({ rows: [], total: 0 });
  const table = await (await reader.get("/console/calls.csv?tag=very-many&direction=inbound&lang=en")).text();
  const callers = table.match(/90544\d{6}/g) ?? [];
  expect([callers.length, new Set(callers).size]).toEqual([12_000, 12_000]);
  expect(await list({ tag: "few", note: "very" })).toEqual({ rows: [], total: 0 });
  expect(await list({ tag: "few", about: "0013" })).toMatchObject({
    total: 1,
    rows: [{ callerIdNumber: "90532000013" }],
  });
  expect(await list({ tag: "few", direction: "outbound" })).toEqual({ rows: [], total: 0 });
  expect(await list({ tag: "few", before: new Date(0).toISOString() })).toEqual({ rows: [], total: 0 });
  for (const hostile of ["%", "_", "\\", "'); drop table cdrs; --", "%s%L%1$s", "{}"])
    for (const of of ["tag", "note", "disposition"])
      expect(await list({ [of]: hostile }), `${of} ${hostile}`).toEqual({ rows: [], total: 0 });
});
