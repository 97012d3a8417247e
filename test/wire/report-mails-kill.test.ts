// The program is killed while it sends a report by mail: none is lost, one that may have gone out goes again by the same
// mark, and one of which it is noted that it went out does not.

import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { realClock } from "../../src/clock.ts";
import { type Database, openDatabase } from "../../src/store/db.ts";
import { connectionTo } from "../../src/store/embedded.ts";
import { sql } from "../../src/store/sql.ts";
import { openMailServer, type TakenLetter } from "../customer/mail-server.ts";
import { eventually } from "../ground/eventually.ts";
import { whenOver } from "../ground/when-over.ts";
import { visitorAt } from "../town/console-town.ts";
import { realTown } from "../town/real-town.ts";

vi.setConfig({ testTimeout: 600_000, hookTimeout: 240_000 });

/** By how far each letter has come when the blow falls. */
const UNBEGUN = "unbegun@example.com"; // the mail server has not asked for it yet
const UNHEARD = "unheard@example.com"; // it has taken it, and we have not heard so
const UNNOTED = "unnoted@example.com"; // we have heard so, and are just noting it
const NOTED = "noted@example.com"; // it is noted, and its job is just being ended
const addresses = [UNBEGUN, UNHEARD, UNNOTED, NOTED];

/** Whoever notes the one letter, or ends the job of the other, waits until he is killed. */
async function holdBack(db: Database): Promise<void> {
  await db.query(sql`create schema held`);
  await db.query(sql`create table held.back (address text)`);
  await db.query(sql`create function held.wait() returns trigger language plpgsql security definer as $$
    declare which bigint := case tg_op when 'DELETE' then to_jsonb(old) #>> '{payload,mail}' else to_jsonb(new) ->> 'id' end;
    begin
      perform pg_sleep(3600) from public.report_mails join held.back using (address) where id = which;
      return coalesce(new, old);
    end $$`);
  await db.query(sql`create trigger held before update on report_mails for each row
    when (new.address = 'unnoted@example.com' and new.sent_at is not null) execute function held.wait()`);
  await db.query(sql`create trigger held before delete on jobs for each row
    when (old.kind = 'report.mail') execute function held.wait()`);
  await db.query(sql`insert into held.back values ('unnoted@example.com'), ('noted@example.com')`);
}

const sleepers = (db: Database) => db.query(sql`select pid from pg_stat_activity where wait_event = 'PgSleep'`);

test("kill -9 in the middle of sending a report", async () => {
  let isSilent = true;
  const silences: Record<string, "unheard" | "taken"> = { [UNBEGUN]: "unheard", [UNHEARD]: "taken" };
  const fellSilent: string[] = [];
  const mailServer = await openMailServer({
    silent: ({ to: [address = ""] }) => {
      const silence = isSilent ? silences[address] : undefined;
      if (silence) fellSilent.push(address);
      return silence;
    },
  });
  whenOver(() => mailServer.close());
  const town = await realTown({ SANTRAL_LOG: "warn", SANTRAL_SMTP_URL: `smtp://127.0.0.1:${mailServer.port}` });
  const open = () => openDatabase(connectionTo(join(town.data, "pg"), "postgres"), realClock, { connections: 1 });
  let db = open();
  whenOver(() => db.close());
  const [email, password] = ["ayse@example.com", "ten letters, and more"];
  await town.command("staff", "create", email, "Ayşe", "--role", "administrator", "--password", password);
  const reader = visitorAt(`http://${town.santral.run.http}`);
  await reader.signIn({ email, password });
  await holdBack(db);
  // Paused: none is sent but those that are asked for, whatever the hour.
  const plan = { name: "Günlük", changes: { addresses, active: false }, filter: {} };
  const { id } = await reader.ask("reportPlans.create", plan);
  await reader.ask("reportPlans.send", { id });
  const mails = async () => (await reader.ask("reportPlans.mails", { page: 1, limit: 10 })).rows;
  const noted = async () => (await mails()).filter(({ sentAt }) => sentAt !== null).map(({ address }) => address);

  await eventually("each is where it is to be", async () => {
    const here = new Set(fellSilent);
    return here.has(UNBEGUN) && here.has(UNHEARD) && (await sleepers(db)).length === 2;
  });
  expect(mailServer.letters.flatMap(({ to }) => to).toSorted()).toEqual([NOTED, UNHEARD, UNNOTED]);
  expect(await noted()).toEqual([NOTED]);
  const { length } = mailServer.letters;
  await db.query(sql`delete from held.back`); // who waits now waits on
  await db.close(); // the database may end with its server
  await town.restart(() => {
    isSilent = false;
  });
  db = open();
  await eventually("all went out, and nothing is left to do", async () => {
    const owed = await db.query(sql`select from jobs where kind = 'report.mail'`);
    return (await noted()).length === addresses.length && owed.length === 0;
  });
  const later = mailServer.letters.slice(length);
  expect(later.flatMap(({ to }) => to).toSorted()).toEqual([UNBEGUN, UNHEARD, UNNOTED]);
  const again = later.filter(({ to: [address] }) => address !== UNBEGUN);
  for (const letter of again)
    expect(markOf(letter)).toBe(markOf(mailServer.letters.find(({ to }) => to[0] === letter.to[0])!)); // went out before
  expect(new Set(mailServer.letters.map(markOf)).size).toBe(addresses.length);
});

const markOf = ({ text }: TakenLetter) => /^message-id: (\S+)\r?$/im.exec(text)?.[1];
