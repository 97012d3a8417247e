// santral trunk: the lines to carriers.

import type { Command } from "commander";
import type { Clock } from "../clock.ts";
import { giveUp } from "../server/give-up.ts";
import {
  CALLER_ID_FORMS,
  createTrunk,
  deleteTrunk,
  listTrunks,
  TRUNK_TRANSPORTS,
  updateTrunk,
} from "../store/trunks.ts";
import { sureAbout, YES } from "./ask.ts";
import { exchangeCommand } from "./command.ts";
import * as read from "./readers.ts";
import { readSettings, settings, settingsHelp } from "./settings.ts";
import { said, table } from "./show.ts";
import { orGiveUp } from "./words.ts";

const known = settings({
  host: ["host name or address", read.host],
  port: ["1 to 65535", read.whole(1, 65_535)],
  transport: [TRUNK_TRANSPORTS.join(", "), read.oneOf(TRUNK_TRANSPORTS)],
  username: ["text, or empty", read.optional(read.text)],
  password: ["text, or empty; sealed, and opened when the carrier asks for it", read.optional(read.text)],
  registers: ["yes or no: whether we register there", read.yesOrNo],
  "source-addresses": ["addresses calls may come from, such as 192.0.2.10,198.51.100.0/24", read.addresses],
  "caller-id-form": [CALLER_ID_FORMS.join(", "), read.oneOf(CALLER_ID_FORMS)],
  codecs: ["in order, such as PCMA,PCMU", read.codecs],
  "channel-limit": ["calls at once, or empty for no limit", read.optional(read.whole(1, 100_000))],
  priority: ["0 to 1000, lowest first", read.whole(0, 1_000)],
  "health-check": ["yes or no: ask by OPTIONS whether it is there", read.yesOrNo],
  t38: ["yes or no: whether faxes may go as data; otherwise as sound", read.yesOrNo],
  active: ["yes or no", read.yesOrNo],
});

export function addTrunkCommands(program: Command, clock: Clock): void {
  const trunk = program.command("trunk").description("trunks: the lines to carriers");
  exchangeCommand(trunk, clock, {
    usage: "create <name> <host> [settings...]",
    says: "make a trunk",
    changes: true,
    act: async ({ words: [name = "", host = ""], rest }, { db, secrets, exchange }) => {
      const where = { db, exchangeId: exchange.id };
      const changes = await readSettings(known, [`host=${host}`, ...rest], where);
      const made = orGiveUp(await createTrunk(db, secrets, { exchangeId: exchange.id, name, host, changes }));
      return said(`trunk ${name} is made`, made);
    },
  }).addHelpText("after", settingsHelp(known));
  exchangeCommand(trunk, clock, {
    usage: "list",
    says: "all trunks",
    act: async (_, { db, exchange }) =>
      table(await listTrunks(db, exchange.id), [
        "name",
        "host",
        "port",
        "transport",
        "registers",
        "priority",
        "t38",
        "active",
      ]),
  });
  exchangeCommand(trunk, clock, {
    usage: "set <name> <settings...>",
    says: "change settings of a trunk",
    changes: true,
    act: async ({ words: [name = ""], rest }, { db, secrets, exchange }) => {
      const changes = await readSettings(known, rest, { db, exchangeId: exchange.id });
      const wanted = { exchangeId: exchange.id, name, changes };
      if (!(await updateTrunk(db, secrets, wanted))) giveUp(`there is no trunk ${name}`);
      const { password: _password, ...told } = changes;
      return said(`trunk ${name} is changed`, told);
    },
  }).addHelpText("after", settingsHelp(known));
  exchangeCommand(trunk, clock, {
    usage: "delete <name>",
    says: "delete a trunk",
    options: [YES],
    changes: true,
    act: async (given, { db, exchange }) => {
      const [name = ""] = given.words;
      await sureAbout(`Delete trunk ${name}?`, given);
      orGiveUp(await deleteTrunk(db, exchange.id, name));
      return said(`trunk ${name} is deleted`, { name, deleted: true });
    },
  });
}
