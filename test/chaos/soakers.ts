// People who keep so many calls up for as long as they are let: who has hung up calls somebody again.

import { pause, realClock } from "../../src/clock.ts";
import { openStack } from "../../src/sip/stack.ts";
import { openRandom } from "../../src/sip/transport/random.ts";
import type { Destination } from "../../src/sip/transport/transport.ts";
import { openUdp } from "../../src/sip/transport/udp.ts";
import { unexpected } from "../ground/unexpected.ts";
import { type RingingCall, SipPhone } from "../phones/sip-phone.ts";
import { ManyVoices, type Voice } from "./many-voices.ts";

export type SoakOptions = {
  calls: number;
  domain: string;
  server: Destination;
  /** Makes that extension; its password. */
  extension(number: string): Promise<string>;
};

export type Soakers = {
  /** Of all voices since the beginning. */
  counted(): { sent: number; missing: number };
  /** Kept when all have hung up: how many calls there were, and what went wrong. */
  end(): Promise<{ begun: number; refused: number; badGoodbyes: number }>;
  close(): Promise<void>;
};

/** So many on each side share the calls. */
const PHONES = 10;
const TALK_MS = { least: 20_000, more: 80_000 };
/** Who hangs up before a word was said has no recording. */
const RECORDED_MS = 3_000;
/** Not all in one breath. */
const BETWEEN_FIRST_MS = 60;
const REGISTERS_EVERY_MS = 240_000;

export async function openSoakers({ calls, domain, server, extension }: SoakOptions): Promise<Soakers> {
  const voices = await ManyVoices.open();
  const every: Voice[] = [];
  const gone = { sent: 0, missing: 0 };
  const tally = { begun: 0, refused: 0, badGoodbyes: 0 };
  let isOver = false;
  const closing: (() => Promise<void>)[] = [];
  const phones: SipPhone<Voice>[] = [];
  for (let at = 0; at < 2 * PHONES; at++) {
    const number = String((at < PHONES ? 2_000 : 3_000) + (at % PHONES));
    const transport = await openUdp({ address: "127.0.0.1", port: 0 });
    const stack = openStack({ clock: realClock, random: openRandom(), unexpected, transports: [transport] });
    const account = { number, password: await extension(number), domain, server };
    const contact = `<sip:${number}@127.0.0.1:${transport.sentBy.port}>`;
    const phone = new SipPhone(stack, account, contact, async () => newVoice());
    await phone.register();
    closing.push(() => stack.close());
    phones.push(phone);
    void staysRegistered(phone);
    if (at >= PHONES) void answers(phone);
  }
  const lines = Array.from({ length: calls }, async (_, at) => {
    await pause(realClock, at * BETWEEN_FIRST_MS);
    while (!isOver) await callOnce(phones[at % PHONES]!, String(3_000 + (Math.floor(at / PHONES) % PHONES))); // there are so many
  });
  return {
    counted: () => every.reduce((sum, { sent, missing }) => added(sum, { sent, missing }), { ...gone }),
    async end() {
      isOver = true;
      await Promise.all(lines);
      return tally;
    },
    async close() {
      isOver = true;
      voices.close();
      await Promise.all(closing.map((close) => close()));
    },
  };

  function newVoice(): Voice {
    const voice = voices.voice();
    every.push(voice);
    return voice;
  }

  function forget(voice: Voice): void {
    voice.hush();
    const at = every.indexOf(voice);
    if (at < 0) return;
    every.splice(at, 1);
    Object.assign(gone, added(gone, voice));
  }

  async function callOnce(phone: SipPhone<Voice>, number: string): Promise<void> {
    const call = await phone.call(number);
    if ("refused" in call) {
      tally.refused += 1;
      return pause(realClock, 1_000);
    }
    tally.begun += 1;
    const now = performance.now();
    const [soonestMs, endMs] = [now + RECORDED_MS, now + TALK_MS.least + Math.random() * TALK_MS.more];
    while (performance.now() < (isOver ? soonestMs : endMs)) await Promise.race([pause(realClock, 1_000), call.over]);
    if ((await call.hangUp()) !== 200) tally.badGoodbyes += 1;
    forget(call.voice);
  }

  async function answers(phone: SipPhone<Voice>): Promise<void> {
    for (;;) {
      const ringing = await phone.incoming().catch(() => undefined); // nobody called for a while
      if (ringing) void answer(ringing);
      else if (isOver) return;
    }
  }

  async function answer(ringing: RingingCall<Voice>): Promise<void> {
    const call = await ringing.answer();
    await call.over;
    forget(call.voice);
  }

  async function staysRegistered(phone: SipPhone<Voice>): Promise<void> {
    while (!isOver) {
      await pause(realClock, REGISTERS_EVERY_MS);
      if (!isOver) await phone.register();
    }
  }
}

const added = (one: { sent: number; missing: number }, other: { sent: number; missing: number }) => ({
  sent: one.sent + other.sent,
  missing: one.missing + other.missing,
});
