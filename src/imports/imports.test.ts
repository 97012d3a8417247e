import { expect, test } from "vitest";
import { secrets } from "../../test/ground/secrets.ts";
import { consoleTown } from "../../test/town/console-town.ts";
import { plainCampaign } from "../../test/town/plain-campaign.ts";
import { sure } from "../../test/town/sms-desk.ts";
import { realClock } from "../clock.ts";
import { silentLog } from "../log.ts";
import { type Right, roles } from "../nouns/role.ts";
import { inThisThread } from "../readers/task.ts";
import { createCampaign } from "../store/campaigns.ts";
import { addCredits, createSmsAccount } from "../store/sms-accounts.ts";
import { createCarrier } from "../store/sms-carriers.ts";
import { createTitle } from "../store/sms-titles.ts";
import { sql } from "../store/sql.ts";
import type { ImportSettings } from "./importing.ts";
import { runImports } from "./run-import.ts";

const { db, ours, theirs, objects, member } = await consoleTown();
const worker = await member("standard");
const page = { page: 1, limit: 10 };

type Kind = "contacts" | "recipients" | "consents" | "campaign";

async function upload(kind: Kind, text: string, by = worker) {
  return by.ask("imports.upload", { kind, fileName: "liste.csv", content: Buffer.from(text).toString("base64") });
}

/** One run of the background work, cut off after so many portions. */
async function run(
  importId: number,
  portions = Number.POSITIVE_INFINITY,
  { attempt = 1, from = objects } = {},
): Promise<void> {
  let left = portions;
  const signal = {
    get aborted() {
      return left-- <= 0;
    },
  } as AbortSignal; // all that a run asks of it
  const work = runImports({ db, clock: realClock, log: silentLog, objects: from, readers: inThisThread });
  await work.run({ exchangeId: ours.id, importId } as never, { id: 1, attempt, lane: null, signal });
}

async function imported(kind: Kind, text: string, settings: ImportSettings) {
  const { id, fields } = await upload(kind, text);
  await worker.ask("imports.begin", { id, fields, settings });
  await run(id);
  return stateOf(id);
}

async function stateOf(id: number) {
  const { rows } = await worker.ask("imports.list", page);
  return rows.find((row) => row.id === id);
}

async function count(table: "contacts" | "campaign_numbers"): Promise<number> {
  const [row] =
    table === "contacts"
      ? await db.query<{ count: number }>(sql`select count(*) as count from contacts where exchange_id = $1`, [ours.id])
      : await db.query<{ count: number }>(sql`select count(*) as count from campaign_numbers where exchange_id = $1`, [
          ours.id,
        ]);
  return row!.count; // an aggregate always has its one row
}

const CONTACTS = `numara;ad;soyad;grup;e-posta
0532 123 45 67;Ayşe;Yılmaz;Müşteri;a@example.com
123;Can;;;
;Elif;;;
05321234567;Ayşe;;;
05321234568;=HYPERLINK("x");;;
05321234569;Ali;;;nowhere
`;

test("contacts: looked at before, good rows go on, and each bad one says why and can be had back", async () => {
  const { id, fields, heading } = await upload("contacts", CONTACTS);
  expect([heading, fields]).toEqual([
    ["numara", "ad", "soyad", "grup", "e-posta"],
    ["phone", "name", "surname", "group", "email"],
  ]);
  const preview = await worker.ask("imports.preview", { id, fields, settings: {} });
  expect(preview).toMatchObject({ looked: 6, isWhole: true, good: 2, bad: 4 });
  expect(preview.first[0]).toEqual({ row: 2, shown: ["05321234567", "Ayşe Yılmaz", "", "Müşteri"] });
  expect(await worker.refused("imports.begin", { id, fields: [null, "name"], settings: {} })).toMatchObject({
    refused: "missing-column",
  });
  await worker.ask("imports.begin", { id, fields, settings: {} });
  expect(await worker.refused("imports.begin", { id, fields, settings: {} })).toMatchObject({
    refused: "import-begun",
  });
  await run(id);
  expect(await stateOf(id)).toMatchObject({ state: "done", rowsDone: 6, good: 2, bad: 4 });
  const { rows: faults } = await worker.ask("imports.faults", { id, after: 0 });
  expect(faults.map(({ row, why }) => [row, why])).toEqual([
    [3, "bad-phone"],
    [4, "no-phone"],
    [5, "twice"],
    [7, "bad-value"],
  ]);
  const csv = await (await worker.get(`/console/import-faults.csv?id=${id}&lang=tr`)).text();
  expect(csv).toContain("Satır;Neden;numara;ad;soyad;grup;e-posta\r\n3;Numara geçersiz;123;Can");
  const { rows } = await worker.ask("contacts.list", { ...page, about: "yılmaz", groupId: null });
  expect(rows).toMatchObject([{ name: "Ayşe", email: "a@example.com", group_ids: [expect.any(Number)] }]);
  // A second time they are known.
  expect(await imported("contacts", CONTACTS, {})).toMatchObject({ good: 0, bad: 6 });
});

test("another exchange sees nothing of it, and who only reads begins nothing", async () => {
  const { id, fields } = await upload("contacts", CONTACTS);
  const stranger = await member("administrator", theirs.id);
  for (const name of ["imports.stop", "imports.resume"] as const)
    expect(await stranger.refused(name, { id })).toMatchObject({ refused: "not-found" });
  expect(await stranger.refused("imports.begin", { id, fields, settings: {} })).toMatchObject({ refused: "not-found" });
  expect((await stranger.get(`/console/import-faults.csv?id=${id}`)).status).toBe(400);
  expect((await stranger.ask("imports.list", page)).total).toBe(0);
  const reader = await member("read-only");
  expect((await reader.get(`/console/import-faults.csv?id=${id}`)).status).toBe(403);
});

test("whoever may import one kind neither begins, sees nor gets back files of another", async () => {
  const rightOf = { contacts: "manage-contacts", recipients: "send-messages", consents: "send-messages" } as const;
  const kinds = { ...rightOf, campaign: "run-campaigns" } as const satisfies Record<Kind, Right>;
  const made = new Map<Kind, number>();
  for (const kind of Object.keys(kinds) as Kind[]) {
    const { id } = await upload(kind, "numara\n05320000001\n");
    await db.query(sql`update imports set state = 'failed' where id = $1`, [id]);
    made.set(kind, id);
  }
  const somebody = await member("viewer");
  const { rights } = roles.viewer;
  const content = Buffer.from("numara\n05320000001\n").toString("base64");
  try {
    for (const right of new Set(Object.values(kinds))) {
      // A role of this one kind, as none is yet.
      Object.assign(roles.viewer, { rights: [...rights, "import", right] });
      const listed = await somebody.ask("imports.list", { page: 1, limit: 50 });
      expect(new Set(listed.rows.map(({ kind }) => kinds[kind]))).toEqual(new Set([right]));
      expect(listed.total).toBe(listed.rows.length);
      for (const [kind, id] of made) {
        const may = kinds[kind] === right;
        const answer = async (name: string, parameters: unknown) =>
          (await somebody.post(`/console/api/${name}`, parameters)).status;
        const asked = await Promise.all([
          answer("imports.upload", { kind, fileName: "x.csv", content }),
          answer("imports.faults", { id, after: 0 }),
          answer("imports.resume", { id }),
          answer("imports.stop", { id }),
        ]);
        expect([kind, right, asked.filter((status) => status === 403).length]).toEqual([kind, right, may ? 0 : 4]);
        for (const name of ["imports.preview", "imports.begin"])
          expect([name, kind, await answer(name, { id, fields: ["phone"], settings: {} })]).toEqual([
            name,
            kind,
            may ? 400 : 403, // it was begun
          ]);
        const table = await somebody.get(`/console/import-faults.csv?id=${id}`);
        expect([kind, right, table.status]).toEqual([kind, right, may ? 200 : 400]);
      }
    }
  } finally {
    Object.assign(roles.viewer, { rights });
  }
});

test("a run that is cut off is taken up with the row after, and nothing comes twice", async () => {
  const before = await count("contacts");
  const rows = Array.from({ length: 2_600 }, (_, n) => `0533${String(1_000_000 + n)};Kişi ${n}`);
  // One that was there before the cut and comes again after it.
  const { id, fields } = await upload("contacts", ["numara;ad", ...rows, rows[3]].join("\n"));
  await worker.ask("imports.begin", { id, fields, settings: { known: "add" } });
  await run(id, 2);
  expect(await stateOf(id)).toMatchObject({ state: "waiting", rowsDone: 1_000, good: 1_000 });
  await run(id);
  expect(await stateOf(id)).toMatchObject({ state: "done", rowsDone: 2_601, good: 2_600, bad: 1 });
  expect((await count("contacts")) - before).toBe(2_600);
  await run(id);
  expect((await count("contacts")) - before).toBe(2_600);
});

test("an import outlives what is away for a moment, and not what is away for good", async () => {
  const from = { ...objects, read: () => Promise.reject(new Error("the disk is away")) };
  const begun = async () => {
    const { id, fields } = await upload("contacts", "numara;ad\n05341234567;Deniz");
    await worker.ask("imports.begin", { id, fields, settings: {} });
    return id;
  };
  const id = await begun();
  await expect(run(id, undefined, { from })).rejects.toThrow("the disk is away");
  expect(await stateOf(id)).toMatchObject({ state: "waiting", rowsDone: 0 });
  await run(id, undefined, { attempt: 2 });
  expect(await stateOf(id)).toMatchObject({ state: "done", good: 1 });
  const lost = await begun();
  await run(lost, undefined, { attempt: 100, from });
  expect(await stateOf(lost)).toMatchObject({ state: "failed", failure: "broken" });
});

test("messages go out as one campaign with words of each row, stop when the credits do, and go on later", async () => {
  const account = sure(await createSmsAccount(db, ours.id, { username: "908505320000", allowedAddresses: [] }));
  const title = sure(
    await createTitle(db, ours.id, { name: "ACME", iysCode: 1, iysBrandCode: 2, optOutNumber: "4607" }),
  );
  sure(await createCarrier(db, secrets, ours.id, { name: "sandbox", kind: "sandbox" }));
  const rows = Array.from({ length: 700 }, (_, n) => `0534${String(1_000_000 + n)};Kişi ${n}`);
  const credit = (credits: number) =>
    addCredits(db, { exchangeId: ours.id, accountId: account.id, credits, at: new Date() });
  await credit(600);
  const { id, fields } = await upload("recipients", ["cep;Ad", ...rows, "abc;Can"].join("\n"));
  const settings = { title: "ACME", text: "Merhaba {ad}" };
  const refused = await worker.refused("imports.begin", { id, fields, settings: { ...settings, title: "YOK" } });
  expect(refused).toMatchObject({ refused: "sms", code: "INVALID_SOURCE_ADDRESS" });
  await worker.ask("imports.begin", { id, fields, settings });
  await run(id);
  expect(await stateOf(id)).toMatchObject({
    state: "failed",
    about: "INSUFFICIENT_CREDITS",
    good: 500,
    canResume: true,
  });
  await credit(600);
  await worker.ask("imports.resume", { id });
  await run(id);
  const done = await stateOf(id);
  expect(done).toMatchObject({ state: "done", good: 700, bad: 1 });
  const sent = await db.query<{ texts: number; campaigns: number; text: string }>(
    sql`select count(distinct text) as texts, count(distinct campaign_id) as campaigns, min(text) as text
     from sms_messages where exchange_id = $1 and title_id = $2`,
    [ours.id, title.id],
  );
  expect(sent).toEqual([{ texts: 700, campaigns: 1, text: "Merhaba Kişi 0" }]);
});

test("consents of any spelling are handed to the registry when the last row was read", async () => {
  const today = new Date(realClock.wall() - 3_600_000).toISOString().slice(0, 10).split("-").reverse().join(".");
  const text = `alıcı;izin durumu;tarih\n05321234567;ONAY;${today}\n05321234568;ONAY;01.01.2016\n05321234569;belki;${today}\n`;
  const settings = { title: "ACME", type: "MESAJ", recipientType: "BIREYSEL", source: "HS_WEB" };
  const done = await imported("consents", text, settings);
  expect(done).toMatchObject({ state: "done", good: 1, bad: 2 });
  const [campaign] = await db.query(sql`select finished, source from consent_campaigns where id = $1`, [done?.madeId]);
  expect(campaign).toEqual({ finished: false, source: "csv" });
});

test("numbers join a campaign that is there, and no other exchange's", async () => {
  const id = await createCampaign(db, campaignOf(ours.id));
  const text = "telefon,cümle\n05321234567,Merhaba\n05321234568,#99\n";
  expect(await imported("campaign", text, { campaignId: id })).toMatchObject({ good: 1, bad: 1, madeId: id });
  expect(await count("campaign_numbers")).toBe(1);
  const foreign = await createCampaign(db, campaignOf(theirs.id));
  const other = await upload("campaign", text);
  const settings = { campaignId: foreign };
  expect(await worker.refused("imports.begin", { id: other.id, fields: other.fields, settings })).toMatchObject({
    refused: "not-found",
  });
});

function campaignOf(exchangeId: number) {
  return { ...plainCampaign, welcomeAnnouncementId: null, exchangeId, createdMs: realClock.wall() };
}
