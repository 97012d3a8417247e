import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { freshDatabase } from "../../test/ground/database.ts";
import { tablesWith } from "../../test/ground/readable.ts";
import { type Rotated, rotateKeys } from "../cli/rotate-keys.ts";
import { realClock } from "../clock.ts";
import { makeFirstRun } from "../first-run/first-run.ts";
import { silentLog } from "../log.ts";
import { openObjects } from "../objects/objects.ts";
import { changeRing, makeRing, readRing } from "../secrets/key-file.ts";
import { newKey, type Ring } from "../secrets/ring.ts";
import { openSecrets, type Secrets } from "../secrets/secrets.ts";
import { troubleWithKeys } from "../server/open-secrets.ts";
import { archiveInUse, createArchive, openArchiveSecret } from "./archives.ts";
import { sourcePassword } from "./contact-runs.ts";
import { createContactSource } from "./contact-sources.ts";
import type { Database, Db } from "./db.ts";
import { readEventReceiver, readSigningSecret, renewSigningSecret } from "./event-receivers.ts";
import { createExchange, updateExchange } from "./exchanges.ts";
import { createExtension } from "./extensions.ts";
import { findMailbox, openPin, setMailbox } from "./mailboxes.ts";
import { keepSubscription, pushKeyOf, readPushKey } from "./push.ts";
import { isRefusal } from "./refusal.ts";
import {
  countSecrets,
  resealAll,
  sealing,
  sealPlain,
  secretKinds,
  unreadableSecrets,
  untilWritten,
  whileKeysStay,
} from "./sealing.ts";
import { keepShownPassword } from "./shown-passwords.ts";
import { keepSingleSignOn, readClientSecret } from "./single-sign-on.ts";
import { createCarrier, listAllCarriers, listCarriers } from "./sms-carriers.ts";
import { type Sql, sql } from "./sql.ts";
import { createStaffAccount, setTotpSecret } from "./staff.ts";
import { hashPassword } from "./staff-password.ts";
import { beginSession, keepLogOutUrl, readLogOutUrl } from "./staff-sessions.ts";
import { signIn } from "./staff-sign-in.ts";
import { newTotpSecret } from "./totp.ts";
import { readTrunkSetups } from "./trunk-state.ts";
import { createTrunk, updateTrunk } from "./trunks.ts";

const { db } = await freshDatabase();
const folder = await mkdtemp(join(tmpdir(), "santral-sealing-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

let file: string;
let secrets: Secrets;
let files = 0;

beforeEach(async () => {
  await db.query(sql`delete from exchanges`);
  file = join(folder, `${files++}.keys`);
  await makeRing(file, 0);
  secrets = openSecrets({ read: () => readRing(file), log: silentLog });
});

const ringNow = () => readRing(file) as Ring;
const TRUNK = "trunk-password-93";
const CARRIER = "carrier-password-94";
const PIN = "730194856";
const SHOWN = "shown-password-95";
const STORE = "store-secret-96";
const place = { kind: "webdav", url: "https://h.example", region: "", bucket: "", prefix: "", folder: "" } as const;
const SOURCE = "source-password-97";
const CLIENT = "client-secret-98";
const PUSH = "push-key-100";
const BROWSER = { endpoint: "https://push.example/browser-101", p256dh: "point-102", auth: "secret-103" };
const LOG_OUT = "https://id.example/end?hint=token-99";
const signOn = {
  ...({ issuer: "https://id.example", client_id: "c", label: "", scopes: "openid", accounts: "linked" } as const),
  ...{ domains: [], trust_email: false, role_claim: "", roles: [], default_role: null, passwords: true },
  ...{ break_glass: null, active: true },
};

/** One secret of each kind, set as the doors set them; the exchange and what each kind should open as. */
async function fullExchange(name = "ours", sealedWith = secrets) {
  const made = sure(await createExchange(db, sealedWith, { name, sipDomain: `${name}.example` }));
  const exchangeId = made.id;
  sure(await createExtension(db, { exchangeId, number: "1000", password: "a long password" }));
  await updateExchange(db, exchangeId, { show_sip_passwords: true });
  await keepShownPassword(db, sealedWith, { exchangeId, number: "1000", password: SHOWN });
  await setMailbox(db, sealedWith, { exchangeId, number: "1000", changes: { active: true, pin: PIN } });
  sure(await createTrunk(db, sealedWith, { exchangeId, name: "t", host: "h.example", changes: { password: TRUNK } }));
  const carrier = { name: "c", kind: "smpp", host: "h.example", port: 2775, systemId: "s", password: CARRIER } as const;
  sure(await createCarrier(db, sealedWith, exchangeId, carrier));
  const settings = { ...place, addressing: "path", user: "u", after_days: 0, local_days: 1 } as const;
  await createArchive(db, sealedWith, { exchangeId, settings, secret: STORE });
  const source = { kind: "carddav", url: "https://dav.example", username: "u", password: SOURCE } as const;
  sure(await createContactSource(db, sealedWith, { exchangeId, name: "s", source, at: new Date() }));
  const password = await hashPassword("a long password");
  const person = { name, email: `${name}@example.com`, role: "standard", password } as const;
  const staff = sure(await createStaffAccount(db, { ...person, exchangeId }));
  const totp = newTotpSecret();
  await setTotpSecret(db, sealedWith, { exchangeId, id: staff.id, secret: totp });
  await keepSingleSignOn(db, sealedWith, { exchangeId, settings: signOn, secret: CLIENT });
  const coming = { staffId: staff.id, nowMs: Date.now(), address: "127.0.0.1", browser: "b", door: "oidc" } as const;
  const { id: sessionId } = await beginSession(db, coming);
  await keepLogOutUrl(db, sealedWith, { exchangeId, sessionId, url: LOG_OUT });
  await pushKeyOf(db, sealedWith, { exchangeId, fresh: () => PUSH });
  await keepSubscription(db, sealedWith, { exchangeId, sessionId, address: BROWSER, language: "tr" });
  return {
    exchangeId,
    staffId: staff.id,
    sessionId,
    totp,
    signing: await renewSigningSecret(db, sealedWith, exchangeId),
  };
}

async function readAll(exchangeId: number, by = secrets) {
  const mailbox = (await findMailbox(db, exchangeId, "1000"))!; // made above
  const [trunk] = (await readTrunkSetups(db, by)).trunks.filter((it) => it.exchangeId === exchangeId);
  const [carrier] = (await listAllCarriers(db, by)).filter((it) => it.exchangeId === exchangeId);
  return {
    pin: openPin(by, exchangeId, mailbox),
    trunk: trunk?.password,
    trunkLost: trunk?.passwordLost,
    carrier: carrier?.password,
    carrierLost: carrier?.passwordLost,
    source: await sourcePassword(db, by, { exchangeId, name: "s" }),
    signing: await readSigningSecret(db, by, exchangeId),
  };
}

const allOf = (signing: string) => ({
  pin: PIN,
  trunk: TRUNK,
  carrier: CARRIER,
  signing,
  source: SOURCE,
  trunkLost: undefined,
  carrierLost: undefined,
});

test("no column of the database holds a secret that was set, and whoever needs it reads it back", async () => {
  const { exchangeId, sessionId, totp, signing } = await fullExchange();
  for (const plain of [
    TRUNK,
    CARRIER,
    PIN,
    SHOWN,
    STORE,
    SOURCE,
    CLIENT,
    LOG_OUT,
    totp,
    signing,
    PUSH,
    ...Object.values(BROWSER),
  ])
    expect(await tablesWith(db, plain), plain).toEqual([]);
  expect(await readAll(exchangeId)).toEqual(allOf(signing));
  expect(openArchiveSecret(secrets, (await archiveInUse(db, exchangeId))!)).toBe(STORE);
  expect(await readClientSecret(db, secrets, exchangeId)).toBe(CLIENT);
  expect(await readLogOutUrl(db, secrets, { exchangeId, sessionId })).toBe(LOG_OUT);
  expect(await readPushKey(db, secrets, exchangeId)).toBe(PUSH);
  expect(await pushKeyOf(db, secrets, { exchangeId, fresh: () => "another" })).toBe(PUSH);
  await updateExchange(db, exchangeId, { crm_url: "https://crm.example" });
  expect(await readEventReceiver(db, secrets, exchangeId)).toEqual({ url: "https://crm.example", secret: signing });
  expect(JSON.stringify(await listCarriers(db, exchangeId))).not.toContain("sealed:");
  const { current } = ringNow();
  expect(await countSecrets(db)).toEqual(secretKinds.toSorted().map((kind) => ({ kind, keyId: current, secrets: 1 })));
});

test("every way to set a trunk's password or a PIN seals it, and taking it away leaves nothing", async () => {
  const { exchangeId } = await fullExchange();
  const trunk = (changes: Record<string, unknown>) => updateTrunk(db, secrets, { exchangeId, name: "t", changes });
  expect(await trunk({ password: "another-one-55", username: "u" })).toBe(true);
  expect(await tablesWith(db, "another-one-55")).toEqual([]);
  expect(await readAll(exchangeId)).toMatchObject({ trunk: "another-one-55" });
  expect(await trunk({ priority: 3 })).toBe(true);
  expect(await readAll(exchangeId)).toMatchObject({ trunk: "another-one-55" });
  expect(await trunk({ password: null })).toBe(true);
  expect(await readAll(exchangeId)).toMatchObject({ trunk: null });
  expect(await updateTrunk(db, secrets, { exchangeId, name: "no", changes: { password: "x" } })).toBe(false);
  await setMailbox(db, secrets, { exchangeId, number: "1000", changes: { pin: null } });
  expect(await readAll(exchangeId)).toMatchObject({ pin: null });
  expect(await setMailbox(db, secrets, { exchangeId, number: "9", changes: { pin: "1234" } })).toBe(false);
});

test("the first run leaves no readable secret behind", async () => {
  await db.query(sql`delete from audit_lines`);
  const objects = await openObjects(join(folder, "objects"));
  const made = await makeFirstRun({ db, secrets, objects, file: join(folder, "first-run.json") });
  const signing = await readSigningSecret(db, secrets, made!.exchange.id);
  expect(signing).toMatch(/^[0-9a-f]{64}$/);
  expect(await tablesWith(db, String(signing))).toEqual([]);
  expect((await countSecrets(db)).map(({ keyId }) => keyId)).toEqual([ringNow().current]);
});

test("a secret that is copied to another row or another tenant opens nowhere, and only its owner stands still", async () => {
  const ours = await fullExchange("ours");
  const theirs = await fullExchange("theirs");
  const copy = async (statement: Sql) => db.query(statement, [ours.exchangeId, theirs.exchangeId]);
  const column = (name: Sql, table: Sql) =>
    copy(
      sql`update ${table} set ${name} = (select ${name} from ${table} where exchange_id = $1) where exchange_id = $2`,
    );
  await column(sql`password`, sql`trunks`);
  await column(sql`password`, sql`sms_carriers`);
  await column(sql`secret`, sql`archives`);
  await column(sql`password`, sql`contact_sources`);
  await column(sql`shown_password`, sql`extensions`);
  await column(sql`pin`, sql`mailboxes`);
  await column(sql`totp_secret`, sql`staff`);
  await column(sql`client_secret`, sql`single_sign_on`);
  await column(sql`private_key`, sql`push_keys`);
  await column(sql`sealed`, sql`push_subscriptions`);
  await db.query(
    sql`update staff_sessions set log_out_url = (select log_out_url from staff_sessions where id = $1) where id = $2`,
    [ours.sessionId, theirs.sessionId],
  );
  await copy(sql`update exchanges set crm_secret = (select crm_secret from exchanges where id = $1) where id = $2`);
  const unreadable = { unreadable: "not-sealed-here", keyId: ringNow().current };
  expect(await readAll(theirs.exchangeId)).toEqual({
    trunk: null,
    trunkLost: true,
    carrier: null,
    carrierLost: true,
    pin: unreadable,
    source: null,
    signing: unreadable,
  });
  const trySignIn = { email: "theirs@example.com", password: "a long password", code: "000000" };
  expect(await signIn(db, secrets, trySignIn, realClock.wall())).toEqual({ refused: "secret-unreadable" });
  expect(await readAll(ours.exchangeId)).toEqual(allOf(ours.signing));
  expect((await unreadableSecrets(db, secrets)).map(({ exchangeId }) => exchangeId)).toEqual(
    secretKinds.map(() => theirs.exchangeId),
  );
});

/** As a database of before keys had them. */
async function makePlain(
  exchangeId: number,
  { staffId, totp, signing }: { staffId: number; totp: string; signing: string },
) {
  await db.query(sql`update trunks set password = $2 where exchange_id = $1`, [exchangeId, TRUNK]);
  await db.query(sql`update sms_carriers set password = $2 where exchange_id = $1`, [exchangeId, CARRIER]);
  await db.query(sql`update mailboxes set pin = $2 where exchange_id = $1`, [exchangeId, PIN]);
  await db.query(sql`update staff set totp_secret = $2 where id = $1`, [staffId, totp]);
  await db.query(sql`update exchanges set crm_secret = $2 where id = $1`, [exchangeId, signing]);
}

test("a database of before keys works unsealed, half sealed and sealed, wherever the sealing is cut off", async () => {
  const made = await fullExchange();
  for (let step = 0, done = false; !done; step++) {
    await makePlain(made.exchangeId, made);
    expect(await readAll(made.exchangeId)).toEqual(allOf(made.signing));
    done = await sealPlain(failingAt(db, step), secrets).then(
      () => true,
      () => false,
    );
    expect(await readAll(made.exchangeId), `cut off at ${step}`).toEqual(allOf(made.signing));
    await sealPlain(db, secrets);
    expect(await readAll(made.exchangeId)).toEqual(allOf(made.signing));
    for (const plain of [TRUNK, CARRIER, PIN, made.totp, made.signing]) expect(await tablesWith(db, plain)).toEqual([]);
    expect(await sealPlain(db, secrets)).toEqual({});
    if (step > 100) throw new Error("it never came to its end");
  }
});

test("more rows than are sealed at once are all sealed", async () => {
  const { exchangeId } = await fullExchange();
  await db.query(
    sql`insert into trunks (exchange_id, name, host, password) select $1, 't' || n, 'h', 'plain-' || n from generate_series(1, 1201) n`,
    [exchangeId],
  );
  expect(await sealPlain(db, secrets)).toEqual({ "trunks.password": 1201 });
  const { trunks } = await readTrunkSetups(db, secrets);
  expect(trunks.filter(({ name, password }) => password === `plain-${name.slice(1)}`)).toHaveLength(1201);
  const { current } = ringNow();
  expect(await rotateKeys({ db, file, clock: realClock })).toMatchObject({ resealed: 1213, removed: [current] });
  expect(await tablesWith(db, `sealed:${current}`)).toEqual([]);
  expect((await readTrunkSetups(db, secrets)).trunks).toEqual(trunks);
});

test("a rotation that breaks anywhere loses nothing, and the next one finishes it", async () => {
  const { exchangeId, signing } = await fullExchange();
  for (let step = 0, done = false; !done; step++) {
    const first = ringNow().keys.map(({ id }) => id);
    const broken = await rotateKeys({ db: failingAt(db, step), file, clock: realClock }).catch(() => undefined);
    done = broken !== undefined && !("refused" in broken);
    const fresh = openSecrets({ read: () => readRing(file), log: silentLog });
    expect(await readAll(exchangeId, fresh), `broken at ${step}`).toEqual(allOf(signing));
    const again = (await rotateKeys({ db, file, clock: realClock })) as Rotated;
    expect(again).toMatchObject({ removed: expect.arrayContaining(done ? [] : first), kept: [] });
    expect(ringNow().keys.map(({ id }) => id)).toEqual([again.keyId]);
    expect(new Set((await countSecrets(db)).map(({ keyId }) => keyId))).toEqual(new Set([again.keyId]));
    expect(await readAll(exchangeId)).toEqual(allOf(signing)); // by a server that has run all the while
    if (step > 200) throw new Error("it never came to its end");
  }
});

test("a key stays for as long as somebody writes under it: whoever asked for it before has committed", async () => {
  const { exchangeId } = await fullExchange();
  const old = ringNow().current;
  let goOn = (): void => undefined;
  const sealed = new Promise<void>((isSealed) => {
    void sealing(db, secrets, async (db, seal) => {
      const [trunk] = await db.query<{ id: number }>(sql`select id from trunks where exchange_id = $1`, [exchangeId]);
      const text = seal({ kind: "trunks.password", exchangeId, row: trunk!.id }, "late");
      await new Promise<void>((resolve) => {
        goOn = resolve;
        isSealed();
      });
      await db.query(sql`update trunks set password = $2 where exchange_id = $1`, [exchangeId, text]);
    });
  });
  await sealed;
  const rotated = rotateKeys({ db, file, clock: realClock });
  await expect.poll(() => ringNow().current).not.toBe(old);
  goOn();
  expect(await rotated).toMatchObject({ removed: [old] });
  expect(await readAll(exchangeId)).toMatchObject({ trunk: "late" });
  await untilWritten(db);
});

test("a secret that is set while others are sealed anew keeps its new value", async () => {
  const { exchangeId } = await fullExchange();
  const old = ringNow();
  const next = newKey(1);
  await changeRing(file, ({ keys }) => ({ current: next.id, keys: [next, ...keys] }));
  const racing = interposed(db, /update trunks as secret/, () =>
    updateTrunk(db, secrets, { exchangeId, name: "t", changes: { password: "set meanwhile" } }),
  );
  await resealAll(racing, secrets, next.id);
  expect(await readAll(exchangeId)).toMatchObject({ trunk: "set meanwhile" });
  expect((await countSecrets(db)).filter(({ keyId }) => keyId === old.current)).toEqual([]);
});

test("keys do not rotate while a backup reads, nor twice at once", async () => {
  await fullExchange();
  let done = (): void => undefined;
  const reading = new Promise<void>((resolve) => {
    done = resolve;
  });
  let backup: Promise<void> | undefined;
  await new Promise<void>((begun) => {
    backup = whileKeysStay(db, () => {
      begun();
      return reading;
    });
  });
  expect(await rotateKeys({ db, file, clock: realClock })).toEqual({ refused: "busy" });
  done();
  await backup;
  const [one, other] = await Promise.all([
    rotateKeys({ db, file, clock: realClock }),
    rotateKeys({ db, file, clock: realClock }),
  ]);
  expect([one, other].filter((it) => !("refused" in it)).length).toBeGreaterThan(0);
  expect(await unreadableSecrets(db, secrets)).toEqual([]);
});

test("a key that secrets still need stays, even when they do not open", async () => {
  const { exchangeId, signing } = await fullExchange();
  const old = ringNow().current;
  await db.query(sql`update trunks set password = overlay(password placing 'AAAA' from 30) where exchange_id = $1`, [
    exchangeId,
  ]);
  expect(await rotateKeys({ db, file, clock: realClock })).toMatchObject({ removed: [], kept: [old] });
  expect(await readAll(exchangeId)).toEqual({ ...allOf(signing), trunk: null, trunkLost: true });
  await updateTrunk(db, secrets, { exchangeId, name: "t", changes: { password: TRUNK } });
  expect(await rotateKeys({ db, file, clock: realClock })).toMatchObject({ kept: [] });
  expect(await readAll(exchangeId)).toEqual(allOf(signing));
});

test("a lost file of keys is told, is not made again by itself, and can be begun anew", async () => {
  const { exchangeId } = await fullExchange();
  expect(await troubleWithKeys(db, file)).toEqual([]);
  await rm(file);
  expect(await troubleWithKeys(db, file)).toMatchObject([
    { isGrave: true, says: `the file of keys ${file} is not there: 12 secrets in the database cannot be opened` },
  ]);
  expect(await rotateKeys({ db, file, clock: realClock })).toMatchObject({ refused: "no-ring" });
  expect(readRing(file)).toMatchObject({ missing: "no-file" });
  const done = await rotateKeys({ db, file, clock: realClock, lost: true });
  expect(done).toMatchObject({ resealed: 0, kept: [] });
  expect(await troubleWithKeys(db, file)).toMatchObject([
    { isGrave: true, says: expect.stringContaining("lacks key") },
  ]);
  const fresh = openSecrets({ read: () => readRing(file), log: silentLog });
  await renewSigningSecret(db, fresh, exchangeId);
  expect(await readSigningSecret(db, fresh, exchangeId)).toMatch(/^[0-9a-f]{64}$/);
});

/** The same database, until so many statements were made; then it is gone. */
function failingAt(db: Database, statements: number): Database {
  let left = statements;
  return spied(db, () => {
    if (left-- <= 0) throw new Error("the connection broke");
  });
}

/** The same database; something else happens right before the first such statement. */
function interposed(db: Database, statement: RegExp, act: () => Promise<unknown>): Database {
  let isDone = false;
  return spied(db, async (text) => {
    if (isDone || !statement.test(text)) return;
    isDone = true;
    await act();
  });
}

function spied(db: Database, before: (text: string) => unknown): Database {
  const spyOn = <Handle extends Db>(handle: Handle): Handle => ({
    ...handle,
    query: async (text: Sql, values?: readonly unknown[]) => {
      await before(text);
      return handle.query(text, values);
    },
    transaction: (work: (db: Db) => Promise<unknown>) => handle.transaction((db) => work(spyOn(db))),
  });
  return spyOn(db);
}

function sure<Made>(made: Made): Exclude<Made, { refused: string }> {
  if (isRefusal(made)) throw new Error(JSON.stringify(made));
  return made as Exclude<Made, { refused: string }>;
}
