// The demo exchange of a first run. Its credentials reach the disk before it exists, so that no crash in between
// leaves an exchange whose keys nobody knows: the next start finds them and makes the exchange with them.

import assert from "node:assert/strict";
import { carryOutRequest } from "../exchange/features/agents/agent-requests.ts";
import type { Objects } from "../objects/objects.ts";
import type { Secrets } from "../secrets/secrets.ts";
import { createApiKey } from "../store/api-keys.ts";
import { writeAuditLine } from "../store/audit.ts";
import type { Db } from "../store/db.ts";
import { newSigningSecret, signingSecretOf } from "../store/event-receivers.ts";
import { nextExchangeId } from "../store/exchanges.ts";
import { createExtension } from "../store/extensions.ts";
import { createExternalNumber } from "../store/external-numbers.ts";
import { createMenu } from "../store/menus.ts";
import { createQueue } from "../store/queues.ts";
import { isRefusal, type SetupRefusal } from "../store/refusal.ts";
import { createRingGroup } from "../store/ring-groups.ts";
import { sealing } from "../store/sealing.ts";
import { DEMO_NAME } from "../store/setup-facts.ts";
import { addCredits, createSmsAccount } from "../store/sms-accounts.ts";
import { createCarrier, setTariff } from "../store/sms-carriers.ts";
import { createTitle } from "../store/sms-titles.ts";
import { setSpecialDays } from "../store/special-days.ts";
import { sql } from "../store/sql.ts";
import { createStaffAccount } from "../store/staff.ts";
import { hashPassword } from "../store/staff-password.ts";
import { DEMO_EXTENSIONS, type FirstRun, newCredentials, readCredentials, writeCredentials } from "./credentials.ts";
import { waitingMusic } from "./melody.ts";
import { putSound } from "./sounds.ts";
import { welcomeSound } from "./welcome.ts";

type Needs = { db: Db; secrets: Secrets; objects: Objects; file: string };

/** Any number that all nodes share: whoever holds it makes the exchange, the others find it made. */
const FIRST_RUN_LOCK = 7_268_726;

/** The line that says it was done once: an operator who deletes the demo exchange does not get it back. */
const DONE = "demo-made";

const NAMES = ["Ayşe Yılmaz", "Mehmet Demir", "Zeynep Kaya", "Can Şahin", "Elif Çelik", "Burak Öztürk"];
const NUMBERS = { menu: "908505320000", queue: "908505320001" };

const DEMO_CREDITS = 10_000;

/** Makes it on the first run and returns its credentials; nothing on any later one. */
export function makeFirstRun({ db, secrets, objects, file }: Needs): Promise<FirstRun | undefined> {
  return db.transaction(async (db) => {
    await db.query(sql`select pg_advisory_xact_lock($1)`, [FIRST_RUN_LOCK]);
    if (!(await isFirstRun(db))) return undefined;
    const credentials = (await readCredentials(file)) ?? newCredentials(await nextExchangeId(db));
    await writeCredentials(file, credentials);
    await makeDemoExchange({ db, secrets, objects }, credentials);
    await writeAuditLine(db, { doer: "start", who: "", did: DONE, details: { exchange: credentials.exchange.id } });
    return credentials;
  });
}

/** The address is known only when the door is open: port 0 takes any free one. */
export async function tellConsoleUrl(file: string, credentials: FirstRun, url: string): Promise<void> {
  await writeCredentials(file, { ...credentials, console: { ...credentials.console, url } });
}

async function isFirstRun(db: Db): Promise<boolean> {
  const used = await db.query(
    sql`select 1 where exists (select 1 from exchanges) or exists (select 1 from audit_lines where did = $1)`,
    [DONE],
  );
  return used.length === 0;
}

async function makeDemoExchange({ db, secrets, objects }: Omit<Needs, "file">, credentials: FirstRun): Promise<void> {
  const exchangeId = credentials.exchange.id;
  await insertExchange(db, secrets, credentials);
  const welcome = await keepSound({ db, objects, exchangeId }, { name: "Karşılama", samples: welcomeSound() });
  const music = await keepSound({ db, objects, exchangeId }, { name: "Bekleme müziği", samples: waitingMusic() });
  for (const [index, { number, password }] of credentials.extensions.entries())
    must(
      await createExtension(db, {
        exchangeId,
        number,
        password,
        name: NAMES[index] ?? number,
        isAgent: index < 3,
        outboundCallerId: NUMBERS.menu,
      }),
    );
  const agents = DEMO_EXTENSIONS.slice(0, 3);
  // Whoever has a phone there is rung at once; while nobody has, a caller hears where he stands and leaves a message.
  const changes = {
    music_announcement_id: music,
    announce_seconds: 30,
    max_wait_seconds: 120,
    overflow_target: "voicemail/1000",
  };
  must(await createQueue(db, { exchangeId, number: "200", name: "Destek", members: agents, changes }));
  for (const extension of agents)
    await carryOutRequest(db, { exchangeId, extension, request: "logIn", by: { doer: "start", who: "" } });
  const salespeople = DEMO_EXTENSIONS.slice(3).map((extension) => ({ extension }));
  must(await createRingGroup(db, { exchangeId, number: "700", name: "Satış", members: salespeople }));
  await makeMenuAndNumbers(db, exchangeId, welcome);
  await makeMessaging(db, secrets, credentials);
  await createApiKey(db, exchangeId, { key: credentials.exchange.key, label: "first run" });
  const { email } = credentials.console;
  const password = await hashPassword(credentials.console.password); // at a first start nobody else waits
  const person = { name: NAMES[0]!, email, password, role: "administrator", extension: "1000" } as const;
  must(await createStaffAccount(db, { ...person, mustChangePassword: true, exchangeId }));
}

/** An account that may send from this machine, one title, and the carrier in a box with two foreign tariffs to try. */
async function makeMessaging(db: Db, secrets: Secrets, { exchange: { id: exchangeId }, sms }: FirstRun): Promise<void> {
  const { username, password, title } = sms;
  const allowedAddresses = ["127.0.0.0/8", "::1/128"];
  const account = must(await createSmsAccount(db, exchangeId, { username, password, allowedAddresses }));
  await addCredits(db, { exchangeId, accountId: account.id, credits: DEMO_CREDITS, at: new Date() });
  const brand = { iysCode: 600_000, iysBrandCode: 600_001, optOutNumber: "4607" };
  const { id: titleId } = must(await createTitle(db, exchangeId, { name: title, ...brand }));
  must(await createCarrier(db, secrets, exchangeId, { name: "sandbox", kind: "sandbox" }));
  await setTariff(db, exchangeId, "49", 4);
  await setTariff(db, exchangeId, "44", 4);
  // A greeting in the name of the firm is commercial: it goes to those who consented.
  await setSpecialDays(db, { exchangeId, accountId: account.id, titleId, recipientType: "BIREYSEL" });
}

async function insertExchange(db: Db, secrets: Secrets, { exchange: { id, sip_domain } }: FirstRun): Promise<void> {
  await sealing(db, secrets, (db, seal) =>
    db.query(
      sql`insert into exchanges (id, name, sip_domain, default_caller_id, crm_secret)
       values ($1, $2, $3, $4, $5)`,
      [id, DEMO_NAME, sip_domain, NUMBERS.menu, seal(signingSecretOf(id), newSigningSecret())],
    ),
  );
  // The id may come from the file of a run that was cut off: later exchanges count on from it.
  await db.query(
    sql`select setval(pg_get_serial_sequence('exchanges', 'id'), (select greatest(last_value, $1) from exchanges_id_seq))`,
    [id],
  );
}

async function makeMenuAndNumbers(db: Db, exchangeId: number, welcome: number): Promise<void> {
  const keys = { 1: "group/700", 2: "queue/200", 0: "user/1000" };
  const menu = {
    welcome_announcement_id: welcome,
    key_targets: keys,
    timeout_target: "queue/200",
    invalid_target: "restart",
  };
  must(await createMenu(db, { exchangeId, number: "10", name: "Karşılama menüsü", changes: menu }));
  const closed = { closed_target: "voicemail/1000", description: "Ana hat" };
  must(await createExternalNumber(db, { exchangeId, number: NUMBERS.menu, target: "ivr/10", changes: closed }));
  const support = { description: "Destek hattı" };
  must(await createExternalNumber(db, { exchangeId, number: NUMBERS.queue, target: "queue/200", changes: support }));
}

async function keepSound(
  { db, objects, exchangeId }: { db: Db; objects: Objects; exchangeId: number },
  { name, samples }: { name: string; samples: Int16Array },
): Promise<number> {
  const { key, durationMs } = await putSound(objects, samples);
  const [row] = await db.query<{ id: number }>(
    sql`insert into announcements (exchange_id, name, file_name, object_key, duration_ms)
     values ($1, $2, $3, $4, $5) returning id`,
    [exchangeId, name, `${name}.wav`, key, durationMs],
  );
  return row!.id; // an insert without a condition returns its row
}

// The demo exchange is empty when we fill it: whatever is refused here is a mistake of ours.
function must<Made>(made: Made | SetupRefusal): Made {
  assert(!isRefusal(made), `the demo exchange was refused: ${JSON.stringify(made)}`);
  return made as Made;
}
