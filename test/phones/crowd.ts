// Many telephones in one process, in two rows: everybody of the one calls several of the other, and each says a tone of his
// own in each call.

import { pause, realClock } from "../../src/clock.ts";
import { openStack } from "../../src/sip/stack.ts";
import { openRandom } from "../../src/sip/transport/random.ts";
import { openTcp } from "../../src/sip/transport/tcp.ts";
import { openTls } from "../../src/sip/transport/tls.ts";
import type { Destination, Transport } from "../../src/sip/transport/transport.ts";
import { openUdp } from "../../src/sip/transport/udp.ts";
import { selfSigned } from "../ground/certificate.ts";
import { unexpected } from "../ground/unexpected.ts";
import { RtpPhone } from "./rtp-phone.ts";
import { type RingingCall, SipPhone, type SoftCall } from "./sip-phone.ts";

export type Side = "caller" | "callee";

export type Talk = {
  caller: string;
  callee: string;
  says: Record<Side, number>;
  /** Both have been on the line. */
  sinceMs: number;
  /** Both have heard each other since they listened anew, and so much of it. */
  heard(ms?: number): Promise<void>;
  listenAnew(): void;
  /** How long the one who waited longest heard nothing. */
  gapMs(): number;
  /** The caller puts the other on hold, or takes him back: what the exchange answered. */
  hold(isHeld: boolean): Promise<number>;
  /** What the exchange answered. */
  hangUp(who: Side): Promise<number>;
};

export type CrowdOptions = {
  /** So many at once. */
  calls: number;
  domain: string;
  /** Several are taken in turn. */
  server: Destination | readonly [Destination, ...Destination[]];
  /** Makes that extension; its password. */
  extension(number: string): Promise<string>;
};

export type Crowd = {
  connect(calls: number): Promise<Talk[]>;
  /** Each of these numbers is called by somebody, who hears himself there; only he hangs up. */
  callEchoes(numbers: readonly string[]): Promise<Talk[]>;
  /** Whoever still talks says goodbye, whatever is answered. */
  hangUp(): Promise<void>;
  close(): Promise<void>;
};

const FIRST = { caller: 2_000, callee: 3_000 };
/** Not all at once: nobody dials fifty numbers in one breath. */
const AT_ONCE = 10;
const HEARS = 0.1;
/** Nobody picks up in the millisecond it rings: between two processes of a proxy the answer would overtake the ringing. */
const PICKS_UP_MS = 100;
const ANSWER_MS = 60_000;
const GOODBYE_MS = 40_000;

export async function openCrowd(options: CrowdOptions): Promise<Crowd> {
  const servers: readonly Destination[] = "transport" in options.server ? [options.server] : options.server;
  const size = Math.max(servers.length, Math.ceil(Math.sqrt(options.calls)));
  const callers: Person[] = [];
  const callees: Person[] = [];
  for (let at = 0; at < size; at++)
    for (const [row, first] of [
      [callers, FIRST.caller],
      [callees, FIRST.callee],
    ] as const)
      row.push(await Person.open(options, { number: String(first + at), server: servers[at % servers.length]! })); // within its length
  const up = new Set<Talk>();
  const kept = (talk: Talk): Talk => {
    const hangUp = (who: Side) => {
      up.delete(talk);
      return talk.hangUp(who);
    };
    up.add(talk);
    return { ...talk, hangUp };
  };
  return {
    async connect(calls) {
      const talks: Talk[] = [];
      for (let done = 0; done < calls; done += AT_ONCE) {
        const some = Array.from({ length: Math.min(AT_ONCE, calls - done) }, async (_, more) => {
          const at = done + more;
          return kept(await connect(callers[at % size]!, callees[(Math.floor(at / size) + at) % size]!, at)); // both rows are that long
        });
        talks.push(...(await allOf(some)));
      }
      return talks;
    },
    async callEchoes(numbers) {
      const talks: Talk[] = [];
      for (const [at, number] of numbers.entries()) talks.push(kept(await callEcho(callers[at % size]!, number, at))); // a row is that long
      return talks;
    },
    async hangUp() {
      const goodbyes = [...up].map((talk) => talk.hangUp("caller").catch(() => 0));
      up.clear();
      await Promise.race([Promise.all(goodbyes), pause(realClock, GOODBYE_MS)]);
    },
    async close() {
      await Promise.all([...callers, ...callees].map((person) => person.close()));
    },
  };
}

/** Whoever was told that it is tried waits for ever: an INVITE has no end of its own after that. */
async function answered<Value>(what: string, asked: Promise<Value>): Promise<Value> {
  let stopWaiting = () => {};
  const tired = new Promise<never>((_, reject) => {
    const tell = () => reject(new Error(`${what}: no answer within ${ANSWER_MS / 1_000} s`));
    stopWaiting = realClock.after(ANSWER_MS, tell);
  });
  return Promise.race([asked, tired]).finally(stopWaiting);
}

/** Once each is done or has failed: whoever is told of a failure may count on nothing being under way any more. */
async function allOf<Value>(some: readonly Promise<Value>[]): Promise<Value[]> {
  await Promise.allSettled(some);
  return Promise.all(some);
}

async function connect(caller: Person, callee: Person, at: number): Promise<Talk> {
  const says = { caller: 400 + 40 * at, callee: 420 + 40 * at };
  const refused = new AbortController();
  const [calling, called] = await Promise.all([
    caller.call(callee.number, says.caller).catch((error: Error) => {
      refused.abort(error);
      throw error;
    }),
    callee.answer(caller.number, says.callee, refused.signal),
  ]);
  const calls = { caller: calling, callee: called };
  const voices = [
    { voice: calls.caller.voice, hears: says.callee },
    { voice: calls.callee.voice, hears: says.caller },
  ];
  return {
    ...listened({ caller: caller.number, callee: callee.number, says }, voices),
    hold: (isHeld) => answered(`${caller.number} holds ${callee.number}`, calls.caller.hold(isHeld)),
    async hangUp(who) {
      const [first, second] = who === "caller" ? [calls.caller, calls.callee] : [calls.callee, calls.caller];
      const status = await first.hangUp();
      await second.over;
      for (const { voice } of voices) voice.hangUp();
      return status;
    },
  };
}

async function callEcho(caller: Person, number: string, at: number): Promise<Talk> {
  const hz = 410 + 40 * at;
  const call = await caller.call(number, hz);
  const says = { caller: hz, callee: hz };
  return {
    ...listened({ caller: caller.number, callee: number, says }, [{ voice: call.voice, hears: hz }]),
    hold: (isHeld) => answered(`${caller.number} holds ${number}`, call.hold(isHeld)),
    async hangUp() {
      const status = await call.hangUp();
      call.voice.hangUp();
      return status;
    },
  };
}

type Listening = { voice: RtpPhone; hears: number };

function listened(
  who: Pick<Talk, "caller" | "callee" | "says">,
  voices: readonly Listening[],
): Omit<Talk, "hold" | "hangUp"> {
  return {
    ...who,
    sinceMs: performance.now(),
    async heard(ms = 0) {
      for (const { voice, hears } of voices) {
        await voice.heardFor(ms);
        const level = await voice.soonHears(hears);
        if (level < HEARS) throw new Error(`${who.caller} and ${who.callee}: ${hears} Hz at ${level}`);
      }
    },
    listenAnew() {
      for (const { voice } of voices) voice.listenAnew();
    },
    gapMs: () => Math.round(Math.max(...voices.map(({ voice }) => voice.longestGapMs))),
  };
}

class Person {
  readonly number: string;
  readonly #phone: SipPhone;
  readonly #close: () => Promise<void>;
  /** What the next call says. */
  #says = 0;
  readonly #ringing = new Map<string, RingingCall>();
  #isClosed = false;

  static async open(
    { domain, extension }: CrowdOptions,
    { number, server }: { number: string; server: Destination },
  ): Promise<Person> {
    const transport = await openTransport(server);
    const stack = openStack({ clock: realClock, random: openRandom(), unexpected, transports: [transport] });
    const password = await extension(number);
    const way = server.transport === "udp" ? "" : `;transport=${server.transport}`;
    const contact = `<sip:${number}@127.0.0.1:${transport.sentBy.port}${way}>`;
    const person: Person = new Person(
      number,
      new SipPhone(stack, { number, password, domain, server }, contact, () =>
        RtpPhone.open({ says: person.#says, events: 101 }),
      ),
      () => stack.close(),
    );
    await person.#phone.register();
    void person.#welcome();
    return person;
  }

  private constructor(number: string, phone: SipPhone, close: () => Promise<void>) {
    this.number = number;
    this.#phone = phone;
    this.#close = close;
  }

  async call(number: string, says: number): Promise<SoftCall> {
    this.#says = says;
    const call = await answered(`${this.number} calls ${number}`, this.#phone.call(number));
    if ("refused" in call) throw new Error(`${this.number} calls ${number}: ${call.refused}`);
    return call;
  }

  /** Waits for him until he was refused. */
  async answer(caller: string, says: number, refused: AbortSignal): Promise<SoftCall> {
    let ringing = this.#ringing.get(caller);
    for (; !ringing; ringing = this.#ringing.get(caller)) {
      refused.throwIfAborted();
      if (this.#isClosed) throw new Error(`${this.number} is closed, and ${caller} has not called`);
      await pause(realClock, 5);
    }
    this.#ringing.delete(caller);
    await pause(realClock, PICKS_UP_MS);
    this.#says = says;
    return ringing.answer();
  }

  close(): Promise<void> {
    this.#isClosed = true;
    return this.#close();
  }

  async #welcome(): Promise<void> {
    while (!this.#isClosed) {
      const ringing = await this.#phone.incoming().catch(() => undefined); // nobody called for a while
      if (ringing) this.#ringing.set(callerIn(ringing), ringing);
    }
  }
}

function openTransport({ transport }: Destination): Promise<Transport> {
  const here = { address: "127.0.0.1", port: 0 };
  if (transport === "udp") return openUdp(here);
  if (transport === "tcp") return openTcp({ clock: realClock, ...here });
  return openTls({ clock: realClock, ...here, certificates: { default: selfSigned("localhost") }, verify: false });
}

function callerIn({ invite }: RingingCall): string {
  const from = invite.headers.find(({ name }) => name === "From")?.value ?? "";
  return /sip:(\d+)@/.exec(from)?.[1] ?? "";
}
