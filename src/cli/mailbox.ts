// santral mailbox: how an extension takes messages.

import type { Command } from "commander";
import type { Clock } from "../clock.ts";
import { mailbox as mailboxNoun } from "../nouns/mailbox.ts";
import { isSimplePin } from "../passwords/weakness.ts";
import { giveUp } from "../server/give-up.ts";
import { countMessages, findMailbox, setMailbox } from "../store/mailboxes.ts";
import { exchangeCommand } from "./command.ts";
import { optionsHelp, readOptions } from "./settings.ts";
import { card, said } from "./show.ts";
import { inWords } from "./words.ts";

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
      ...optionsHelp(mailboxNoun),
    ],
    changes: true,
    act: async ({ words: [number = ""], options }, { db, secrets, exchange, note }) => {
      const switched = options.on === true ? { active: true } : options.off === true ? { active: false } : {};
      // An empty text takes a setting away, and so does the word.
      const given = Object.fromEntries(Object.entries(options).map(([name, it]) => [name, it === "none" ? "" : it]));
      const changes = { ...(await readOptions(mailboxNoun, given, { db, exchangeId: exchange.id })), ...switched };
      if (changes.pin && isSimplePin(changes.pin, number)) giveUp(inWords({ refused: "simple-pin" }), "usage");
      await note(mailboxNoun, changes, number);
      const known = await setMailbox(db, secrets, { exchangeId: exchange.id, number, changes });
      if (!known) giveUp(`there is no extension ${number}`);
      return said(`the mailbox of ${number} is set`, { number, ...changes });
    },
  });
}
