// santral exchange: make, list, show, set, delete.

import type { Command } from "commander";
import type { Clock } from "../clock.ts";
import { removeAllOutside } from "../exchange/archiving/remove-all.ts";
import { exchange as exchangeNoun } from "../nouns/exchange.ts";
import type { CommandDatabase } from "../server/command-database.ts";
import { giveUp } from "../server/give-up.ts";
import { createApiKey, untilKeysForgotten } from "../store/api-keys.ts";
import { readSigningSecret, renewSigningSecret } from "../store/event-receivers.ts";
import { createExchange, deleteExchange, describeExchange, listExchanges, updateExchange } from "../store/exchanges.ts";
import { listExtensions } from "../store/extensions.ts";
import { listCallRates } from "../store/spending.ts";
import { archiveTroubleInWords } from "../words/archive-troubles.ts";
import { withArchives } from "./archive.ts";
import { sureAbout, YES } from "./ask.ts";
import { databaseCommand, exchangeCommand, type Tools } from "./command.ts";
import * as read from "./readers.ts";
import { settingsHelp } from "./settings.ts";
import { card, said, table } from "./show.ts";
import { orGiveUp } from "./words.ts";

export function addExchangeCommands(program: Command, clock: Clock): void {
  const exchange = program.command("exchange").description("exchanges: each is a tenant of its own");
  addCreate(exchange, clock);
  databaseCommand(exchange, clock, {
    usage: "list",
    says: "all exchanges",
    act: async (_, { db }) => table(await listExchanges(db), ["id", "name", "sipDomain", "timeZone", "createdAt"]),
  });
  exchangeCommand(exchange, clock, {
    usage: "show",
    says: "every setting of an exchange",
    act: async (_, { db, exchange }) => {
      const { crm_secret: _secret, ...facts } = (await describeExchange(db, exchange.id)) ?? {};
      return card(facts);
    },
  });
  exchangeCommand(exchange, clock, {
    usage: "secret",
    says: "the secret that signs the call events of an exchange",
    options: [["--new", "make a new one: whoever checks signatures has to be told"]],
    changes: ({ options }) => options.new === true,
    act: async ({ options }, { db, secrets, exchange }) => {
      const secret = options.new
        ? await renewSigningSecret(db, secrets, exchange.id)
        : (await readSigningSecret(db, secrets, exchange.id))!; // it was chosen a moment ago
      if (typeof secret === "string") return said(secret, { secret });
      return giveUp('it cannot be opened: see "santral doctor", or make a new one with --new');
    },
  });
  addSet(exchange, clock);
  databaseCommand(exchange, clock, {
    usage: "delete <id>",
    says: "delete an exchange with everything that belongs to it",
    options: [YES, ["--leave-archived", "leave its recordings in their store outside, where nobody finds them by us"]],
    changes: true,
    act: async (given, tools) => {
      const { db } = tools;
      const id = Number(given.words[0]);
      await sureAbout(`Delete exchange ${given.words[0]} with all its calls, recordings and contacts?`, given);
      if (Number.isSafeInteger(id) && !given.options.leaveArchived) await clearOutside(tools, id);
      if (!Number.isSafeInteger(id) || !(await deleteExchange(db, id)))
        giveUp(`there is no exchange ${given.words[0]}`);
      await untilKeysForgotten(clock);
      return said(`exchange ${id} is deleted`, { id, deleted: true });
    },
  });
}

/** The keys to its store go with the exchange: nobody could remove anything there afterwards. */
async function clearOutside(tools: Tools & CommandDatabase, exchangeId: number): Promise<void> {
  const { db, clock } = tools;
  const failed = await withArchives(tools, (archives) =>
    removeAllOutside({ db, archives, nowMs: clock.wall() }, exchangeId),
  );
  if (!failed) return;
  const why = archiveTroubleInWords(failed, "en");
  giveUp(`its recordings in the store outside cannot be removed: ${why}; --leave-archived leaves them there`);
}

function addCreate(parent: Command, clock: Clock): void {
  databaseCommand(parent, clock, {
    usage: "create <name>",
    says: "make an exchange with an API key",
    options: [
      ["--sip-domain <host>", "the realm of its SIP passwords; by default made from the name"],
      ["--time-zone <zone>", "such as Europe/Istanbul"],
    ],
    make: true,
    changes: true,
    act: async ({ words, options }, { db, secrets }) => {
      const name = words[0]!.trim(); // the usage line requires it
      const wanted = String(options.sipDomain ?? `${slugOf(name)}.localhost`);
      const sipDomain = read.host(wanted, { db, exchangeId: 0 });
      if (name === "") giveUp("an exchange needs a name", "usage");
      if (typeof sipDomain !== "string") return giveUp(`--sip-domain takes a host name, not "${wanted}"`, "usage");
      const zone = read.timeZone(String(options.timeZone ?? "Europe/Istanbul"), { db, exchangeId: 0 });
      if (typeof zone !== "string") return giveUp(`there is no time zone ${options.timeZone}`, "usage");
      const { made, key } = await db.transaction(async (db) => {
        const made = orGiveUp(await createExchange(db, secrets, { name, sipDomain, timeZone: zone }));
        return { made, key: (await createApiKey(db, made.id, { label: "first" })).key };
      });
      return said([`exchange ${made.id} is made`, `API key (shown only now): ${key}`], { ...made, key });
    },
  });
}

function addSet(parent: Command, clock: Clock): void {
  exchangeCommand(parent, clock, {
    usage: "set <settings...>",
    says: "change settings of an exchange",
    changes: true,
    act: async ({ rest }, { db, exchange, settings }) => {
      const changes = await settings(exchangeNoun, rest, null);
      if ("sip_domain" in changes && (await listExtensions(db, exchange.id)).length > 0)
        giveUp("the SIP domain is part of every extension's password digest: delete the extensions first");
      await updateExchange(db, exchange.id, changes);
      const free = changes.monthly_spending_limit != null && (await listCallRates(db, exchange.id)).length === 0;
      const warning = free ? ["no minute has a price yet, so the limit stops nothing: santral rate set"] : [];
      return said([`exchange ${exchange.id} is changed`, ...warning], changes);
    },
  }).addHelpText("after", settingsHelp(exchangeNoun));
}

const plainLetters: Record<string, string> = { ı: "i", ş: "s", ğ: "g", ç: "c", ö: "o", ü: "u" };

function slugOf(name: string): string {
  const plain = name.toLocaleLowerCase("tr").replace(/[ışğçöü]/g, (letter) => plainLetters[letter] ?? letter);
  return (
    plain
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-|-$/g, "")
      .slice(0, 60) || "exchange"
  );
}
