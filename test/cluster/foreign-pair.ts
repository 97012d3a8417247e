// Two phones that somebody else wrote, in a call of their own beside the crowd: baresip, one over UDP and one over TLS.

import { pause, realClock } from "../../src/clock.ts";
import { temporaryFolder } from "../ground/santral-process.ts";
import { whenOver } from "../ground/when-over.ts";
import { type Baresip, startBaresip } from "../phones/baresip.ts";
import { CLEAR, toneFile, toneIn } from "../town/real-town.ts";
import type { Called, Wrong } from "./callers.ts";
import { type Cluster, doorFor } from "./cluster.ts";
import type { Recorded } from "./recordings.ts";

export type ForeignPair = {
  connect(): Promise<Recorded>;
  /** Hangs up after a while, and says when; what was wrong with the call until then. */
  talkedOn(): Promise<{ overMs: number; goneMs: number; wrong: Wrong }>;
  hangUp(): Promise<void>;
};

const LISTENS_MS = 4_000;
const LAST_MS = 2_000;
const NUMBERS: Called = { caller: "1000", callee: "1001" };
const TONES = { caller: 440, callee: 660 };

export async function openForeignPair(cluster: Cluster): Promise<ForeignPair> {
  const { extensions, exchange } = cluster.firstRun;
  const tones = temporaryFolder();
  const phone = async (user: string, hz: number, transport: "udp" | "tls") => {
    const password = extensions.find(({ number }) => number === user)?.password ?? "";
    const account = { user, password, domain: exchange.sip_domain, server: doorFor(cluster, transport) };
    const plays = toneFile(tones, hz);
    // So short that it is over during a drill, and some of them want to register again while nobody has the exchange.
    const started = await startBaresip({ ...account, transport, plays, answerMode: "auto", registerSeconds: 60 });
    whenOver(() => started.kill());
    await started.registered();
    return started;
  };
  const caller = await phone(NUMBERS.caller, TONES.caller, "udp");
  const callee = await phone(NUMBERS.callee, TONES.callee, "tls");
  const both = [
    { phone: caller, name: "the caller", hears: TONES.callee },
    { phone: callee, name: "the callee", hears: TONES.caller },
  ];
  return {
    async connect() {
      for (const { phone } of both) phone.forget();
      await caller.dial(NUMBERS.callee);
      for (const { phone } of both) await phone.event("CALL_ESTABLISHED");
      return { ...NUMBERS, says: TONES, sinceMs: performance.now() };
    },
    async talkedOn() {
      await pause(realClock, LISTENS_MS);
      const overMs = performance.now();
      const ended = (...wrong: Wrong) => ({ overMs, goneMs: performance.now(), wrong });
      if (await isClosed(caller)) return ended("baresip to baresip: is not heard again: it was hung up");
      await caller.hangUp();
      const told = await callee.event("CALL_CLOSED", 40_000).catch(() => undefined);
      if (!told) return ended("baresip to baresip: BYE of the caller: alone");
      await pause(realClock, 500); // the other's file is written meanwhile
      const wrong: Wrong = [];
      for (const { phone, name, hears } of both) {
        const [heard = ""] = (await phone.recordings("dec")).slice(-1);
        if (!(toneIn(heard, hears, { lastMs: LAST_MS }) > CLEAR))
          wrong.push(`baresip to baresip: is not heard again by ${name}`);
      }
      return ended(...wrong);
    },
    async hangUp() {
      for (const { phone } of both) await phone.hangUp().catch(() => undefined);
    },
  };
}

const isClosed = (phone: Baresip) =>
  phone.event("CALL_CLOSED", 50).then(
    () => true,
    () => false,
  );
