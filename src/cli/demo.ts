// santral demo: a believable year of history, for looking around and for measuring.

import type { Command } from "commander";
import { type Clock, since } from "../clock.ts";
import { fillWithCalls } from "../demo/fill.ts";
import { demoRecordings } from "../demo/recordings.ts";
import { fillTelephoneBook, townOf } from "../demo/town.ts";
import { giveUp } from "../server/give-up.ts";
import { type ExchangeTools, exchangeCommand, type Given } from "./command.ts";
import { openProgress } from "./progress.ts";
import { type Shown, said } from "./show.ts";

export function addDemoCommand(program: Command, clock: Clock): void {
  exchangeCommand(program, clock, {
    usage: "demo",
    says: "fill an exchange with contacts and a year of calls; the same seed goes on where it was stopped",
    options: [
      ["--cdrs <n>", "calls; by default 10000"],
      ["--contacts <n>", "contacts; by default 500"],
      ["--seed <text>", "the same seed makes the same people and calls"],
    ],
    changes: true,
    act: fill,
  });
}

async function fill({ options }: Given, { db, urls, folder, exchange, clock }: ExchangeTools): Promise<Shown> {
  const seed = String(options.seed ?? "santral");
  const calls = amount("--cdrs", options.cdrs ?? "10000");
  const contacts = amount("--contacts", options.contacts ?? "500");
  const town = await townOf(db, exchange.id, { seed, contacts });
  if (!town) return giveUp("a demo needs at least one extension and one external number in the exchange");
  const book = openProgress("contacts", contacts, clock);
  const added = await fillTelephoneBook(db, { exchangeId: exchange.id, seed, count: contacts, progress: book.at });
  book.end();
  const progress = openProgress("calls", calls, clock);
  const started = clock.ticks();
  const keepRecording = demoRecordings(folder.objects);
  const nowMs = clock.wall();
  const filled = await fillWithCalls({
    connection: urls.owner,
    exchange,
    town,
    seed,
    calls,
    nowMs,
    keepRecording,
    progress: progress.at,
  });
  progress.end();
  const seconds = since(clock, started) / 1_000;
  const rows = filled.calls + filled.legs + filled.recordings;
  const skipped = filled.skippedDays > 0 ? `; ${filled.skippedDays} days were there already` : "";
  return said(
    `${added} contacts, ${filled.calls} calls with ${filled.legs} legs and ${filled.recordings} recordings in ${seconds.toFixed(1)} s (${Math.round(rows / seconds)} rows/s)${skipped}`,
    { contacts: added, ...filled, seconds },
  );
}

const MOST = 100_000_000;

function amount(option: string, given: string | boolean): number {
  const value = Number(given);
  return Number.isSafeInteger(value) && value >= 0 && value <= MOST
    ? value
    : giveUp(`${option} takes a whole number up to ${MOST}, not "${given}"`, "usage");
}
