// santral trunk: the lines to carriers.

import type { Command } from "commander";
import type { Clock } from "../clock.ts";
import type { TrunkView } from "../exchange/signalling/trunks/trunks.ts";
import { trunk as trunkNoun } from "../nouns/trunk.ts";
import { askServer } from "../server/control-client.ts";
import { placesIn } from "../server/data-folder.ts";
import { giveUp } from "../server/give-up.ts";
import { approvalsOf, approveTrunk, disapproveTrunk } from "../store/trunk-approvals.ts";
import { createTrunk, deleteTrunk, listTrunks, type Trunk, updateTrunk } from "../store/trunks.ts";
import { troubleInWords } from "../words/trunk-troubles.ts";
import { sureAbout, YES } from "./ask.ts";
import { exchangeCommand } from "./command.ts";
import { settingsHelp } from "./settings.ts";
import { said, table } from "./show.ts";
import { orGiveUp } from "./words.ts";

/** What says from where it may call, and where its voice may go. */
const NAMED = ["host", "outbound_proxy", "source_addresses", "media_networks"];

/** What the running server knows of it. */
function healthOf({ id, active, registers }: Trunk, views: readonly TrunkView[]) {
  const view = views.find(({ trunkId }) => trunkId === id);
  const at = (ms: number | null | undefined) => (ms ? new Date(ms) : null);
  const inWords = (code: string | null | undefined) => (code ? troubleInWords(code, "en") : null);
  const state = !active ? "inactive" : !view ? "unknown" : view.up ? "up" : "down";
  return {
    state,
    since: at(view?.sinceMs),
    registeredUntil: registers ? at(view?.registeredUntilMs) : null,
    answer: inWords(view?.answer),
    answered: at(view?.answeredMs),
    latencyMs: view?.latencyMs ?? null,
    nextTry: at(view?.nextTryMs),
    trouble: inWords(view?.lastError),
    channelsUsed: view?.channelsUsed ?? null,
    waiting: view?.waiting.join(", ") || null,
  };
}

export function addTrunkCommands(program: Command, clock: Clock): void {
  const trunk = program.command("trunk").description("trunks: the lines to carriers");
  exchangeCommand(trunk, clock, {
    usage: "create <name> <host> [settings...]",
    says: "make a trunk",
    changes: true,
    act: async ({ words: [name = "", host = ""], rest }, { db, secrets, exchange, settings }) => {
      const changes = await settings(trunkNoun, [`host=${host}`, ...rest]);
      const made = orGiveUp(await createTrunk(db, secrets, { exchangeId: exchange.id, name, host, changes }));
      // Whoever has the command line is the operator.
      await approveTrunk(db, { exchangeId: exchange.id, name, by: "operator" });
      return said(`trunk ${name} is made`, made);
    },
  }).addHelpText("after", settingsHelp(trunkNoun));
  exchangeCommand(trunk, clock, {
    usage: "list",
    says: "all trunks, whether they are registered and up, and what the carrier said last",
    act: async (_, { db, exchange, config }) => {
      // The answer is that of our own server, as it was asked; without one nothing is known.
      const views = ((await askServer(placesIn(config.dataFolder).control, "trunks")) ?? []) as TrunkView[];
      const trunks = await listTrunks(db, exchange.id);
      return table(
        trunks.map((it) => ({ ...it, ...healthOf(it, views) })),
        [
          ...([
            "name",
            "host",
            "port",
            "transport",
            "priority",
            "active",
            "state",
            "since",
            "registeredUntil",
          ] as const),
          ...(["answer", "latencyMs", "nextTry", "trouble", "channelsUsed", "waiting"] as const),
        ],
      );
    },
  });
  exchangeCommand(trunk, clock, {
    usage: "set <name> <settings...>",
    says: "change settings of a trunk",
    changes: true,
    act: async ({ words: [name = ""], rest }, { db, secrets, exchange, settings }) => {
      const changes = await settings(trunkNoun, rest, name);
      const wanted = { exchangeId: exchange.id, name, changes };
      if (!(await updateTrunk(db, secrets, wanted))) giveUp(`there is no trunk ${name}`);
      if (NAMED.some((field) => field in changes)) await approveTrunk(db, { ...wanted, by: "operator" });
      const { password: _password, ...told } = changes;
      return said(`trunk ${name} is changed`, told);
    },
  }).addHelpText("after", settingsHelp(trunkNoun));
  addApproval(trunk, clock);
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

function addApproval(trunk: Command, clock: Clock): void {
  exchangeCommand(trunk, clock, {
    usage: "approve <name>",
    says: "believe all the addresses of calls and voice that a trunk names, where several exchanges share this server",
    options: [["--withdraw", "take it back: only what a server there proves counts"]],
    changes: true,
    act: async ({ words: [name = ""], options }, { db, exchange }) => {
      const which = { exchangeId: exchange.id, name };
      if (options.withdraw === true) {
        if (!(await disapproveTrunk(db, exchange.id, name))) giveUp(`nothing of a trunk ${name} is approved`);
        return said(`trunk ${name} is no longer approved`, { name, approved: [] });
      }
      if (!(await approveTrunk(db, { ...which, by: "operator" }))) giveUp(`there is no trunk ${name}`);
      const approved = await approvalsOf(db, exchange.id, name);
      const all = approved.map(({ named }) => named);
      const voice = approved.filter(({ isVoice }) => isVoice).map(({ named }) => named);
      const calls = all.filter((named) => !voice.includes(named)).join(", ");
      const andVoice = voice.length > 0 ? `, and have its voice at ${voice.join(", ")}` : "";
      return said(`trunk ${name} may call from ${calls}${andVoice}`, { name, approved: all });
    },
  });
}
