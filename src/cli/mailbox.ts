// santral mailbox: how an extension takes messages.

import type { Command } from "commander";
import type { Clock } from "../clock.ts";
import { giveUp } from "../server/give-up.ts";
import { languages } from "../speech/language.ts";
import { countMessages, findMailbox, setMailbox } from "../store/mailboxes.ts";
import { exchangeCommand } from "./command.ts";
import { card, said } from "./show.ts";

type Options = Record<string, string | boolean | undefined>;

export function addMailboxCommands(program: Command, clock: Clock): void {
  const mailbox = program.command("mailbox").description("voicemail of extensions");
  exchangeCommand(mailbox, clock, {
    usage: "show <extension>",
    says: "its settings and how many messages wait",
    act: async ({ words: [number = ""] }, { db, exchange }) => {
      const found = await findMailbox(db, exchange.id, number);
      if (!found) return giveUp(`there is no extension ${number}`);
      const [counts] = await countMessages(db, { exchangeId: exchange.id, extension: number });
      const { sealedPin, extensionId: _, greetingObjectKey, ...shown } = found;
      const recordedGreeting = greetingObjectKey !== null;
      return card({
        ...shown,
        recordedGreeting,
        hasPin: sealedPin !== null,
        unheard: counts?.unheard ?? 0,
        heard: counts?.heard ?? 0,
      });
    },
  });
  exchangeCommand(mailbox, clock, {
    usage: "set <extension>",
    says: "switch it on or off, and say how it greets",
    options: [
      ["--on", "calls that nobody takes end here"],
      ["--off", "only calls that are sent here end here"],
      ["--greeting <text>", "spoken to callers"],
      ["--language <tag>", `of the greeting: ${languages.join(", ")}`],
      ["--sound <id>", "a sound file played instead"],
      ["--seconds <n>", "longest message, 5 to 1800"],
      ["--pin <digits>", "4 to 12 digits asked for before messages are played; none to ask for nothing"],
      ["--email <address>", "where new messages are sent; none for nowhere"],
    ],
    changes: true,
    act: async ({ words: [number = ""], options }, { db, secrets, exchange }) => {
      const changes = changesIn(options);
      const known = await setMailbox(db, secrets, { exchangeId: exchange.id, number, changes });
      if (!known) giveUp(`there is no extension ${number}`);
      return said(`the mailbox of ${number} is set`, { number, ...changes });
    },
  });
}

/** Column by option; what is not said stays as it is. */
function changesIn(options: Options): Record<string, unknown> {
  const changes: Record<string, unknown> = {};
  if (options.on === true) changes.active = true;
  if (options.off === true) changes.active = false;
  for (const [name, { column, read }] of Object.entries(settings)) {
    const text = options[name];
    if (typeof text === "string") changes[column] = text === "none" ? null : read(text);
  }
  // What was said last holds: a recording of its owner's would go before it.
  if ("greeting_text" in changes || "greeting_announcement_id" in changes) changes.greeting_object_key = null;
  return changes;
}

const settings: Record<string, { column: string; read(text: string): unknown }> = {
  greeting: { column: "greeting_text", read: (text) => text.slice(0, 1_000) },
  language: {
    column: "greeting_language",
    read: (text) => languages.find((it) => it === text) ?? giveUp(`--language takes ${languages.join(", ")}`, "usage"),
  },
  sound: { column: "greeting_announcement_id", read: (text) => wholeNumber("--sound", text, [1, 1e15]) },
  seconds: { column: "max_seconds", read: (text) => wholeNumber("--seconds", text, [5, 1_800]) },
  pin: {
    column: "pin",
    read: (text) => (/^\d{4,12}$/.test(text) ? text : giveUp("--pin takes 4 to 12 digits", "usage")),
  },
  email: {
    column: "email",
    read: (text) => (/^[^\s@]+@[^\s@]+$/.test(text) ? text : giveUp("--email takes an address", "usage")),
  },
};

function wholeNumber(option: string, text: string, [least, most]: [number, number]): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < least || value > most)
    giveUp(`${option} takes a number from ${least} to ${most}`, "usage");
  return value;
}
