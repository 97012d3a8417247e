// santral calls, call, sandbox: what is going on on the lines, what went on, and somebody to try it with.

import type { Command } from "commander";
import type { Clock } from "../clock.ts";
import { storyOf } from "../exchange/calls/story.ts";
import { behaviours, SANDBOX_PREFIX } from "../exchange/features/sandbox/behaviours.ts";
import { papersIn, trayIn } from "../exchange/features/sandbox/fax-machines.ts";
import { answerShown } from "../forms/answers.ts";
import type { ShownCall } from "../server/call-answers.ts";
import { askServer } from "../server/control-client.ts";
import { placesIn } from "../server/data-folder.ts";
import { giveUp } from "../server/give-up.ts";
import { type CallForm, formsOfCall } from "../store/call-forms.ts";
import { findCdr } from "../store/cdrs.ts";
import { readStory } from "../store/live-calls.ts";
import { yesNo } from "../words/form-words.ts";
import { storyInWords } from "../words/story/story.ts";
import { exchangeCommand, plainCommand, type Tools } from "./command.ts";
import { said, table } from "./show.ts";

export function addCallCommands(program: Command, clock: Clock): void {
  const calls = program.command("calls").description("calls that are up");
  plainCommand(calls, clock, {
    usage: "list",
    says: "who talks with whom",
    act: async (_, tools) =>
      table((await ask(tools, "calls")) as ShownCall[], [
        ...(["callUuid", "exchangeId", "direction", "caller", "destination", "state", "seconds"] as const),
      ]),
  });
  plainCommand(calls, clock, {
    usage: "end <call>",
    says: "hang up a call",
    act: async ({ words: [call = ""] }, tools) => {
      if ((await ask(tools, "end", { call })) !== true) giveUp(`there is no call ${call}`);
      return said("the call is ended", { call });
    },
  });
  exchangeCommand(program, clock, {
    usage: "call <call>",
    says: "tell the story of a call: who was rung and why, and how it ended",
    act: async ({ words: [call = ""] }, { db, exchange }) => {
      if (!/^[0-9a-f-]{36}$/i.test(call)) giveUp(`"${call}" is not a call's UUID`, "usage");
      const kept = await readStory(db, exchange.id, call);
      const record = await findCdr(db, exchange.id, call);
      if (!kept && !record) return giveUp(`there is no call ${call}`);
      const story = storyOf(kept);
      const lines = story.map((line) => `${clockTime(line.atMs, exchange.timeZone)}  ${storyInWords(line, "en")}`);
      const forms = await formsOfCall(db, exchange.id, call);
      const told = lines.length > 0 ? lines : ["nothing was noted about this call"];
      return said([...told, ...forms.flatMap(formLines)], { story, record, forms: forms.map(answersOf) });
    },
  });
  addSandboxCommands(program, clock);
}

function formLines({ form, extension, fields, answers, filledBy }: CallForm): string[] {
  if (!answers) return [`form ${form}, owed by ${extension}`];
  const said = fields.flatMap(({ id, label }) => {
    const shown = answerShown(answers[id], yesNo.en);
    return shown === "" ? [] : [`  ${label}: ${shown}`];
  });
  return [`form ${form}, filled in by ${filledBy} for ${extension}`, ...said];
}

/** By the labels that they were asked under. */
function answersOf({ fields, answers, ...form }: CallForm): object {
  const labelled = fields.flatMap(({ id, label }) =>
    answers?.[id] === undefined ? [] : [{ label, answer: answers[id] }],
  );
  return { ...form, answers: answers && labelled };
}

function addSandboxCommands(program: Command, clock: Clock): void {
  const sandbox = program.command("sandbox").description("the telephone network in a box");
  plainCommand(sandbox, clock, {
    usage: "numbers",
    says: "the numbers of the sandbox and what they do",
    act: async () => {
      const rows = Object.entries(behaviours).map(([suffix, { does }]) => ({ number: SANDBOX_PREFIX + suffix, does }));
      return table(rows, ["number", "does"]);
    },
  });
  plainCommand(sandbox, clock, {
    usage: "faxes",
    says: "what the sandbox's fax machines have received, the newest first",
    act: async (_, { config }) =>
      table(await papersIn(trayIn(placesIn(config.dataFolder).faxes)), ["at", "number", "from", "pages", "pdf"]),
  });
  exchangeCommand(sandbox, clock, {
    usage: "call",
    says: "let a number of the sandbox call one of the exchange's numbers",
    options: [
      ["--from <number>", "a number of the sandbox"],
      ["--to <number>", "a number of the exchange"],
    ],
    act: async ({ options: { from, to } }, tools) => {
      if (typeof from !== "string" || typeof to !== "string") return giveUp("say --from and --to", "usage");
      const answer = await ask(tools, "sandbox", { from, to, exchange: String(tools.exchange.id) });
      if (answer !== "calling") giveUp(String((answer as { refused?: string }).refused ?? answer));
      return said(`${from} calls ${to}`, { from, to });
    },
  });
}

async function ask({ config }: Tools, question: string, given: Record<string, string> = {}): Promise<unknown> {
  const answer = await askServer(placesIn(config.dataFolder).control, question, given);
  return answer === undefined ? giveUp("no server runs on this data folder") : answer;
}

function clockTime(ms: number, timeZone: string): string {
  const parts = { hour: "2-digit", minute: "2-digit", second: "2-digit", fractionalSecondDigits: 3 } as const;
  return new Date(ms).toLocaleTimeString("en-GB", { timeZone, ...parts });
}
