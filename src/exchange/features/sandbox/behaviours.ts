// The numbers of the sandbox and what whoever answers there does. Fixed, so that customers can build tests on them.

import type { HangupCause } from "../../calls/causes.ts";
import type { SandboxParty } from "./sandbox-party.ts";

export type Behaviour = { does: string; act(line: SandboxParty): Promise<void> };

export const SANDBOX_PREFIX = "90500000";

const GREETING = "tone-greeting";

/** By the last four digits. */
export const behaviours: Record<string, Behaviour> = {
  "0001": {
    does: "answers at once and echoes what it hears",
    async act(line) {
      await line.answer();
      await line.echo();
    },
  },
  "0002": {
    does: "rings 3 s, answers and plays a 440 Hz tone",
    async act(line) {
      line.ring();
      await line.wait(3_000);
      await line.answer();
      await line.play("440/1000");
    },
  },
  "0003": { does: "is busy", act: async (line) => line.end("USER_BUSY") },
  "0004": {
    does: "rings and never answers",
    async act(line) {
      line.ring();
    },
  },
  "0005": { does: "rejects the call", act: async (line) => line.end("CALL_REJECTED") },
  "0006": { does: "does not exist", act: async (line) => line.end("UNALLOCATED_NUMBER") },
  "0007": {
    does: "answers and presses 1 two seconds later, and again every ten seconds",
    async act(line) {
      line.ring();
      await line.answer();
      await line.wait(2_000);
      for (let times = 0; times < 6; times++) {
        await line.press("1");
        await line.wait(10_000);
      }
    },
  },
  "0008": {
    does: "answers and hangs up after 5 s",
    async act(line) {
      line.ring();
      await line.answer();
      await line.wait(5_000);
      line.end("NORMAL_CLEARING");
    },
  },
  "0009": {
    does: "is a fax machine with T.38: receives when called, sends its test page when it calls",
    act: (line) => line.fax({ t38: true }),
  },
  "0010": {
    does: "is a fax machine without T.38, otherwise like 0009",
    act: (line) => line.fax({ t38: false }),
  },
  "0011": {
    does: "answers with an answering machine's greeting and a beep",
    async act(line) {
      line.ring();
      await line.answer();
      await line.play(machine[GREETING], 1);
      await line.wait(60_000);
      line.end("NORMAL_CLEARING");
    },
  },
  "0012": {
    does: "rings 10 s, then answers and echoes",
    async act(line) {
      line.ring();
      await line.wait(10_000);
      await line.answer();
      await line.echo();
    },
  },
  "0013": {
    does: "rejects the call and calls back 2 s later",
    async act(line) {
      line.end("CALL_REJECTED");
      await line.pause(2_000);
      line.callBack();
    },
  },
  "0014": {
    does: "is out of reach",
    async act(line) {
      line.end("NO_USER_RESPONSE");
    },
  },
  "0016": {
    does: "answers, presses 1 two seconds later, and then says a 440 Hz tone for half a minute",
    async act(line) {
      line.ring();
      await line.answer();
      await line.wait(2_000);
      await line.press("1");
      await line.play("440/1000", 30);
      line.end("NORMAL_CLEARING");
    },
  },
  "0020": { does: "is a fax machine that is always busy", act: async (line) => line.end("USER_BUSY") },
  ...Object.fromEntries([1, 2, 3, 4, 5].map((page) => [`002${page}`, failsAt(page)])),
  "0015": {
    does: "answers, and its voice stops for good after 3 s",
    async act(line) {
      await line.answer();
      await line.play("440/3000", 1);
      await line.fallSilent();
    },
  },
};

function failsAt(page: number): Behaviour {
  return {
    does: `is a fax machine that hangs up in the middle of page ${page} of every call`,
    act: (line) => line.fax({ t38: true, hangsUpAtPage: page }),
  };
}

/** Two seconds of something like a voice, half a second of nothing, a beep. */
const machine = { [GREETING]: "300+480/400,0/100,350+520/500,0/100,280+440/800,0/500,1000/600" };

export function behaviourOf(number: string): { suffix: string; behaviour: Behaviour } | undefined {
  if (!number.startsWith(SANDBOX_PREFIX)) return undefined;
  const suffix = number.slice(SANDBOX_PREFIX.length);
  const behaviour = Object.hasOwn(behaviours, suffix) ? behaviours[suffix] : undefined;
  return behaviour && { suffix, behaviour };
}

export const NOBODY: HangupCause = "UNALLOCATED_NUMBER";
