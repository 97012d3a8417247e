import { expect, test } from "vitest";
import { openContactFiles } from "../../test/customer/contact-files.ts";
import { openSourceDesk } from "../../test/customer/source-desk.ts";
import { freshDatabase } from "../../test/ground/database.ts";
import { eventually } from "../../test/ground/eventually.ts";
import { secrets } from "../../test/ground/secrets.ts";
import { whenOver } from "../../test/ground/when-over.ts";
import { realClock } from "../clock.ts";
import { startWorkers } from "../jobs/workers.ts";
import { silentLog } from "../log.ts";
import { inThisThread } from "../readers/task.ts";
import { listAuditLines } from "../store/audit.ts";
import { nameOfCaller } from "../store/caller-names.ts";
import { beginRun, finishRun } from "../store/contact-runs.ts";
import { confirmRemovals, deleteContactSource, makeSourceDue, updateContactSource } from "../store/contact-sources.ts";
import { createContact, deleteContact, listContacts, updateContact } from "../store/contacts.ts";
import { sql } from "../store/sql.ts";
import { openRequester } from "../webhooks/requester.ts";
import { planContactRuns, SYNCHRONISE_CONTACTS, synchroniseContacts } from "./synchronise.ts";

const { db } = await freshDatabase();
const files = await openContactFiles();

const HEADING = "numara;ad;soyad;sirket;grup\n";
const row = (n: number, name = `Kişi${n}`) => `0532000${String(1_000 + n)};${name};Soyad;Şirket;Müşteriler\n`;
const rows = (count: number) => HEADING + Array.from({ length: count }, (_, n) => row(n)).join("");
let paths = 0;
const newPath = () => `/${paths++}.csv`;

async function fileDesk(content: string | Buffer, type?: string) {
  const desk = await openSourceDesk(db);
  const path = newPath();
  const id = await desk.add({ kind: "file", url: files.serveFile(path, content, type) });
  return { ...desk, id, path };
}

test("a table with Turkish headings: people and groups come, change, and are left alone when nothing changed", async () => {
  const { id, path, run, people, exchangeId } = await fileDesk(`${HEADING}${row(1)}${row(2)}yok;Ali;;;\n`);
  expect(await run(id)).toMatchObject({ failure: null, added: 2, changed: 0, unreadable: 1, contacts: 2 });
  expect(await people()).toEqual(["Kişi1 Soyad 05320001001", "Kişi2 Soyad 05320001002"]);
  const {
    rows: [first],
  } = await listContacts(db, exchangeId, { page: 1, limit: 10 });
  expect(first).toMatchObject({ company_name: "Şirket", group_ids: [expect.any(Number)] });
  await run(id);
  expect(files.asked.at(-1)).toMatchObject({ path, status: 304 });
  files.serveFile(path, HEADING + row(1, "Ayşe") + row(2) + row(3));
  expect(await run(id)).toMatchObject({ added: 1, changed: 1, removed: 0, unreadable: 0 });
  expect(await people()).toEqual(["Ayşe Soyad 05320001001", "Kişi2 Soyad 05320001002", "Kişi3 Soyad 05320001003"]);
});

test("JSON, vCards and columns with names of their own are understood, and an old code page is", async () => {
  const list = { contacts: [{ id: 7, name: "Can", surname: "Er", phone: "+90 532 000 11 22", group: ["a", "b"] }] };
  const json = await fileDesk(JSON.stringify(list), "application/json");
  expect(await json.run(json.id)).toMatchObject({ added: 1, failure: null });
  const cards = await fileDesk(
    "BEGIN:VCARD\nVERSION:3.0\nUID:1\nFN:Ali Ak\nTEL:05330001122\nEND:VCARD\n",
    "text/vcard",
  );
  await cards.run(cards.id);
  const turkish = Buffer.from("Cep No,İsim\n05340001122,\xdeule I\xfe\xfdk\n".replace("İ", "\xdd"), "latin1");
  const own = await openSourceDesk(db);
  const url = files.serveFile(newPath(), turkish);
  const ownId = await own.add({ kind: "file", url, columns: ["phone:Cep No"] });
  expect(await own.run(ownId)).toMatchObject({ failure: null });
  expect([await json.people(), await cards.people(), await own.people()]).toEqual([
    ["Can Er 05320001122"],
    ["Ali Ak 05330001122"],
    ["Şule Işık 05340001122"],
  ]);
});

test("what vanished there is removed; contacts of the exchange's own and of other sources stay", async () => {
  const { id, path, run, people, add, exchangeId } = await fileDesk(rows(4));
  const other = await add(
    { kind: "file", url: files.serveFile(newPath(), `${HEADING}05320001000;Öteki;;;\n`) },
    "other",
  );
  await createContact(db, exchangeId, { name: "Kendi", surname: "", phone: "05320001000" });
  await run(id);
  await run(other);
  files.serveFile(path, HEADING + row(1) + row(2));
  expect(await run(id)).toMatchObject({ removed: 2, heldRemovals: 0, contacts: 2 });
  expect((await people()).map((it) => it.split(" ")[0])).toEqual(["Kendi", "Kişi1", "Kişi2", "Öteki"]);
});

test("a removal of more than half waits for a word, is told once, and goes no further than what was agreed to", async () => {
  const { id, path, run, exchangeId, state } = await fileDesk(rows(10));
  const at = new Date();
  const name = "outside";
  await run(id);
  files.serveFile(path, HEADING + row(1, "Ayşe"));
  expect(await run(id)).toMatchObject({ changed: 1, removed: 0, heldRemovals: 9, contacts: 10, failure: null });
  expect(await run(id)).toMatchObject({ heldRemovals: 9, contacts: 10 });
  const told = (await listAuditLines(db, exchangeId, {})).filter(({ did }) => did === "contact-removal-held");
  expect(told).toMatchObject([{ details: { source: name, contacts: "9" } }]);
  await confirmRemovals(db, { exchangeId, name, at });
  files.serveFile(path, HEADING);
  expect(await run(id)).toMatchObject({ heldRemovals: 10, contacts: 10 });
  files.serveFile(path, HEADING + row(1));
  expect(await run(id)).toMatchObject({ heldRemovals: 9 });
  expect(await confirmRemovals(db, { exchangeId, name, at })).toBe(true);
  expect(await run(id)).toMatchObject({ heldRemovals: 0, removed: 9, contacts: 1 });
  expect(await confirmRemovals(db, { exchangeId, name, at })).toBe(false);
  files.serveFile(path, rows(10));
  await run(id);
  files.serveFile(path, HEADING);
  await run(id);
  files.serveFile(path, rows(10));
  await run(id);
  expect(await state(id)).toMatchObject({ heldRemovals: 0, contacts: 10 });
});

test("people who became unreadable count as gone: a source that suddenly says nonsense removes nobody", async () => {
  const { id, path, run } = await fileDesk("id,ad,numara\n1,A,05320000001\n2,B,05320000002\n3,C,05320000003\n");
  await run(id);
  files.serveFile(path, "id,ad,numara\n1,A,?\n2,B,?\n3,C,?\n");
  expect(await run(id)).toMatchObject({ contacts: 3, heldRemovals: 3, unreadable: 3 });
  files.serveFile(path, "id,ad,numara\n1,A,05320000001\n2,B,05320000002\n3,C,?\n");
  expect(await run(id)).toMatchObject({ contacts: 2, heldRemovals: 0, removed: 1, unreadable: 1 });
});

test.each([
  ["half a table", (it: string) => it.slice(0, -20), "cut-off"],
  ["an open quotation mark", (it: string) => `${it}0532,"Ali`, "cut-off"],
  ["nothing at all", () => "", "cut-off"],
  ["a sign-in page", () => "<!doctype html><title>Sign in</title>", "no-table"],
  ["a workbook", () => "PK\u0003\u0004\u0000\u0000", "no-table"],
  ["other columns", () => "a;b\n1;2\n", "no-phone-column"],
  ["half a list", () => '[{"phone":"05320001122","name":"a"},{"pho', "cut-off"],
])("%s is a failure and removes nobody", async (_, spoil, failure) => {
  const { id, path, run, people } = await fileDesk(rows(3));
  await run(id);
  const before = await people();
  files.serveFile(path, spoil(rows(3)));
  expect(await run(id)).toMatchObject({ failure, removed: 0, contacts: 3 });
  expect(await people()).toEqual(before);
  files.serveFile(path, rows(3));
  expect(await run(id)).toMatchObject({ failure: null, failingSince: null, contacts: 3 });
});

test("after each failure the next run waits longer, up to six hours", async () => {
  const { run, add } = await openSourceDesk(db);
  const id = await add({ kind: "file", url: `${files.url}/nowhere` });
  const waits: number[] = [];
  for (let failures = 0; failures < 11; failures++) {
    const { nextRunAt, lastRunAt, failure, failureAbout } = await run(id);
    expect([failure, failureAbout]).toEqual(["not-there", "404"]);
    waits.push((nextRunAt.getTime() - (lastRunAt?.getTime() ?? 0)) / 60_000);
  }
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 360, 360]);
});

test("hostile servers: endless answers, lines of ten megabytes, circles of redirections, private addresses", async () => {
  const { add, run } = await openSourceDesk(db);
  const at = async (url: string, name: string) => {
    const { failure, contacts } = await run(await add({ kind: "file", url }, name));
    return { failure, contacts };
  };
  const endless = files.serve("/endless", (_, response) => {
    const piece = Buffer.alloc(1024 * 1024, "x");
    const more = () =>
      response.destroyed || (response.write(piece) ? setImmediate(more) : response.once("drain", more));
    response.writeHead(200, { "content-type": "text/csv" });
    more();
  });
  expect(await at(endless, "endless")).toEqual({ failure: "too-long", contacts: 0 });
  const line = files.serveFile("/line", `numara,ad\n05320001122,${"x".repeat(10_000_000)}\n05320001123,Ali\n`);
  expect(await at(line, "line")).toEqual({ failure: null, contacts: 2 });
  const half = files.serve("/half", (_, response) => {
    response.writeHead(200, { "content-length": 1_000_000 });
    response.write(rows(3), () => response.destroy());
  });
  expect(await at(half, "half")).toEqual({ failure: "unreachable", contacts: 0 });
  const round = files.serve("/round", (_, response) => response.writeHead(302, { location: "/round" }).end());
  expect(await at(round, "round")).toEqual({ failure: "redirected-too-often", contacts: 0 });
  const zip = files.serve("/zip", (_, response) => response.writeHead(302, { location: "ftp://127.0.0.1/a" }).end());
  expect(await at(zip, "zip")).toEqual({ failure: "bad-url", contacts: 0 });
});

test("private addresses are refused, whether named, resolved to or redirected to", async () => {
  const redirecting = files.serve("/inwards", (_, response) =>
    response.writeHead(302, { location: "http://169.254.169.254/latest" }).end(),
  );
  const port = new URL(files.url).port;
  const requester = openRequester({
    clock: realClock,
    privateAllowed: false,
    // The first answer is public and the server itself is here: what was checked is what is called.
    resolve: (host, done) =>
      done(null, [{ address: host === "public.example" ? "93.184.216.34" : "127.0.0.1", family: 4 }]),
  });
  whenOver(async () => requester.close());
  const walled = await openSourceDesk(db, { requester });
  for (const url of [`http://127.0.0.1:${port}/`, `http://rebound.example:${port}/`, "http://[::1]/a.csv"]) {
    const id = await walled.add({ kind: "file", url }, url);
    expect(await walled.run(id)).toMatchObject({ failure: "not-public" });
  }
  // The guard of the first address lets it pass here; the one it leads to is looked at as well.
  const asked: string[] = [];
  const open = openRequester({ clock: realClock, privateAllowed: true });
  whenOver(async () => open.close());
  const watching = {
    close: () => undefined,
    ask: (url: string, request: Parameters<typeof open.ask>[1]) => {
      asked.push(url);
      return (asked.length === 1 ? open : requester).ask(url, request);
    },
  };
  const led = await openSourceDesk(db, { requester: watching });
  expect(await led.run(await led.add({ kind: "file", url: redirecting }))).toMatchObject({ failure: "not-public" });
  expect(asked).toEqual([redirecting, "http://169.254.169.254/latest"]);
});

test("a login is told to its own server alone", async () => {
  const elsewhere = await openContactFiles();
  const away = elsewhere.serveFile("/away.csv", rows(1));
  const url = files.serve("/login", (_, response) => response.writeHead(307, { location: away }).end());
  const { add, run } = await openSourceDesk(db);
  const basic = await add({ kind: "file", url, username: "u", password: "p:w" }, "basic");
  expect(await run(basic)).toMatchObject({ failure: null, contacts: 1 });
  const bearer = await add({ kind: "file", url, password: "token" }, "bearer");
  await run(bearer);
  const logins = files.asked.filter(({ path }) => path === "/login").map(({ login }) => login);
  expect(logins).toEqual([`Basic ${Buffer.from("u:p:w").toString("base64")}`, "Bearer token"]);
  expect(elsewhere.asked.map(({ login }) => login)).toEqual(["", ""]);
  const refusing = files.serve("/refusing", (_, response) => response.writeHead(401).end());
  expect(await run(await add({ kind: "file", url: refusing }, "refused"))).toMatchObject({ failure: "login-refused" });
});

test("people of a source are not changed or deleted by hand, and others are; a source that goes leaves them if told to", async () => {
  const { id, run, exchangeId, people } = await fileDesk(rows(1));
  await run(id);
  const {
    rows: [foreign],
  } = await listContacts(db, exchangeId, { page: 1, limit: 10 });
  const no = { refused: "external-contacts" };
  const change = { exchangeId, id: foreign?.id ?? 0, changes: { name: "x" } };
  expect(await updateContact(db, change, () => undefined)).toEqual(no);
  expect(await deleteContact(db, exchangeId, foreign?.id ?? 0)).toEqual(no);
  const own = await createContact(db, exchangeId, { name: "Kendi", surname: "", phone: "1" });
  expect(await deleteContact(db, exchangeId, Number(own))).toBeUndefined();
  expect(await deleteContactSource(db, { exchangeId, name: "outside", keeps: true })).toBe(true);
  expect(await people()).toHaveLength(1);
  expect(await updateContact(db, change, () => undefined)).toBeUndefined();
});

test("a caller is called as the exchange's own contact has him, then as a source has him, by any of his numbers", async () => {
  const content = "name,phone,phone1\nKaynak,05320007001,05320007002\nBaşka,05320007002,00491701234567\n";
  const { id, run, exchangeId } = await fileDesk(content);
  await run(id);
  const name = (number: string) => nameOfCaller(db, { exchangeId, number });
  expect(await name("05320007001")).toBe("Kaynak");
  expect(await name("05320007002")).toBe("Başka");
  expect(await name("00491701234567")).toBe("Başka");
  await createContact(db, exchangeId, { name: "Kendi", surname: "", phone: "0", phone1: "+905320007001" });
  expect(await name("05320007001")).toBe("Kendi");
});

test("a run that another one, or other settings, took the place of writes nothing any more", async () => {
  const { id, path, exchangeId, run, state } = await fileDesk(rows(2));
  const overtaken = { exchangeId, sourceId: id, run: "00000000-0000-4000-8000-000000000001" };
  await beginRun(db, secrets, overtaken);
  files.serve(path, (_, response) => {
    // While the file is on its way somebody sets another column.
    void updateContactSource(db, secrets, {
      exchangeId,
      name: "outside",
      changes: { columns: [] },
      at: new Date(),
    }).then(() => response.writeHead(200, { "content-type": "text/csv" }).end(rows(2)));
  });
  expect(await run(id)).toMatchObject({ contacts: 0, failure: null, lastRunAt: null, isRunning: false });
  const ending = {
    gone: [],
    unreadable: [],
    before: 0,
    added: 0,
    changed: 0,
    memory: {},
    at: new Date(),
    nextAt: new Date(),
  };
  expect(await finishRun(db, overtaken, ending)).toBeUndefined();
  expect(await state(id)).toMatchObject({ lastRunAt: null });
});

test("due sources are read by the workers, once at a time, and at once when somebody asks for it", async () => {
  const { exchangeId, add, state } = await openSourceDesk(db);
  let now = 0;
  let most = 0;
  const url = files.serve("/slow", (_, response) => {
    most = Math.max(most, ++now);
    setTimeout(() => {
      now--;
      response.writeHead(200).end(rows(3));
    }, 50);
  });
  const id = await add({ kind: "file", url });
  const requester = openRequester({ clock: realClock, privateAllowed: true });
  const parts = { db, secrets, clock: realClock, log: silentLog, requester, readers: inThisThread };
  const handlers = { [SYNCHRONISE_CONTACTS]: synchroniseContacts(parts) };
  const workers = await startWorkers({ ...parts, handlers });
  const stop = await planContactRuns(parts);
  whenOver(async () => {
    await stop();
    await workers.stop();
    requester.close();
  });
  await eventually("it is read", async () => (await state(id)).contacts === 3);
  const { lastRunAt } = await state(id);
  const wanted = { exchangeId, name: "outside", at: new Date() };
  await Promise.all([1, 2, 3].map(() => makeSourceDue(db, wanted)));
  await eventually("it is read again", async () => (await state(id)).lastRunAt?.getTime() !== lastRunAt?.getTime());
  await workers.idle();
  expect(most).toBe(1);
  await updateContactSource(db, secrets, { ...wanted, changes: { active: false } });
  await makeSourceDue(db, wanted);
  await workers.idle();
  const [dead] = await db.query(sql`select 1 from jobs where kind = $1 and dead_at is not null`, [
    SYNCHRONISE_CONTACTS,
  ]);
  expect(dead).toBeUndefined();
});
