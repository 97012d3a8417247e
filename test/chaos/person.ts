// Somebody with a telephone in a bad time: registers again and again, answers whoever calls, and never waits for ever.

import { pause, realClock } from "../../src/clock.ts";
import { openStack } from "../../src/sip/stack.ts";
import { openRandom } from "../../src/sip/transport/random.ts";
import type { Destination } from "../../src/sip/transport/transport.ts";
import { openUdp } from "../../src/sip/transport/udp.ts";
import { RtpPhone } from "../phones/rtp-phone.ts";
import { type RingingCall, SipPhone, type SoftCall } from "../phones/sip-phone.ts";
import type { Packets } from "./packets.ts";

export type PersonOptions = {
  number: string;
  password: string;
  domain: string;
  server: Destination;
  packets: Packets;
  random(): number;
  /** So long it talks with whoever called, and hangs up; until the other does, if it has all the time. */
  talksMs?: number | undefined;
};

/** A call and the tone that is said in it. */
export type Talking = SoftCall & { says: number };

/** As long as a call may take to be refused by an exchange that comes back late. */
const LONGEST_CALL_MS = 150_000;
const REGISTERS_EVERY_MS = 25_000;
const ANSWERS_WITHIN_MS = 1_200;

let tones = 0;

/** Apart from each other, so that nobody takes one for another. */
const nextTone = () => 400 + 20 * (tones++ % 120);

type Ways = Pick<PersonOptions, "random" | "talksMs"> & { close(): Promise<void> };

export class Person {
  readonly number: string;
  readonly #phone: SipPhone;
  readonly #random: () => number;
  readonly #talksMs: number | undefined;
  readonly #close: () => Promise<void>;
  readonly #voices = new Set<RtpPhone>();
  /** Whom it talks to, by whoever called. */
  readonly #answered = new Map<string, Talking>();
  #isClosed = false;

  static async open({ number, password, domain, server, packets, random, talksMs }: PersonOptions): Promise<Person> {
    const transport = packets.through(await openUdp({ address: "127.0.0.1", port: 0 }));
    const stack = openStack({ clock: realClock, random: openRandom(), unexpected: () => {}, transports: [transport] });
    const contact = `<sip:${number}@127.0.0.1:${transport.sentBy.port}>`;
    const loses = () => packets.losesVoice();
    const voice = () => RtpPhone.open({ says: nextTone(), events: 101, loses });
    const account = { number, password, domain, server };
    const person: Person = new Person(number, new SipPhone(stack, account, contact, () => person.#heldBy(voice())), {
      random,
      talksMs,
      close: () => stack.close(),
    });
    await person.#phone.register();
    void person.#staysRegistered();
    void person.#welcomes();
    return person;
  }

  private constructor(number: string, phone: SipPhone, by: Ways) {
    this.number = number;
    this.#phone = phone;
    this.#random = by.random;
    this.#talksMs = by.talksMs;
    this.#close = by.close;
  }

  /** `unknown`: nothing was heard of it any more. */
  async call(number: string): Promise<Talking | { refused: number } | "unknown"> {
    const outcome = await soon(this.#phone.call(number), LONGEST_CALL_MS);
    if (outcome === undefined) return "unknown";
    return "refused" in outcome ? outcome : talking(outcome);
  }

  /** What it talks with that caller, if he was answered. */
  async answered(caller: string, patienceMs: number): Promise<Talking | undefined> {
    for (let waitedMs = 0; waitedMs < patienceMs && !this.#answered.has(caller); waitedMs += 20)
      await pause(realClock, 20);
    return this.#answered.get(caller);
  }

  forget(caller: string): void {
    this.#answered.delete(caller);
  }

  /** Whatever became of it. */
  silence({ voice }: SoftCall): void {
    if (this.#voices.delete(voice)) voice.hangUp();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const voice of this.#voices) voice.hangUp();
    await this.#close();
  }

  async #heldBy(opening: Promise<RtpPhone>): Promise<RtpPhone> {
    const voice = await opening;
    this.#voices.add(voice);
    return voice;
  }

  async #staysRegistered(): Promise<void> {
    while (!this.#isClosed) {
      await pause(realClock, REGISTERS_EVERY_MS);
      if (!this.#isClosed) await this.#phone.register().catch(() => undefined); // it is tried again
    }
  }

  async #welcomes(): Promise<void> {
    while (!this.#isClosed) {
      const ringing = await this.#phone.incoming().catch(() => undefined); // nobody called for a while
      if (ringing) void this.#answers(ringing).catch(() => undefined); // closed meanwhile
    }
  }

  async #answers(ringing: RingingCall): Promise<void> {
    const caller = callerIn(ringing);
    this.#answered.delete(caller);
    const canceled = ringing.request().then(({ method }) => method === "CANCEL");
    const patience = pause(realClock, 100 + this.#random() * ANSWERS_WITHIN_MS).then(() => false);
    if (await Promise.race([canceled, patience])) return ringing.refuse(487);
    const call = talking(await ringing.answer());
    this.#answered.set(caller, call);
    const over = call.over.then(() => "over" as const);
    const isOver = await (this.#talksMs === undefined ? over : soon(over, this.#talksMs));
    if (!isOver) await call.hangUp();
    this.silence(call);
  }
}

const talking = (call: SoftCall): Talking => Object.assign(call, { says: call.voice.says });

/** What comes later is nobody's any more. */
export async function soon<Value>(value: Promise<Value>, ms: number): Promise<Value | undefined> {
  let cancel = () => {};
  const late = new Promise<undefined>((resolve) => {
    cancel = realClock.after(ms, () => resolve(undefined));
  });
  try {
    return await Promise.race([value, late]);
  } finally {
    cancel();
  }
}

function callerIn({ invite }: RingingCall): string {
  const from = invite.headers.find(({ name }) => name === "From")?.value ?? "";
  return /sip:(\d+)@/.exec(from)?.[1] ?? "";
}
