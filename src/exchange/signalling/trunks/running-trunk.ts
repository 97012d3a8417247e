// One trunk at work: its servers found, its registration kept, its health watched, its channels counted.

import { type Cancel, type Clock, LONG_AGO, momentOf, since, stampOf } from "../../../clock.ts";
import type { Log } from "../../../log.ts";
import { Machine, type ReportUnexpected } from "../../../machine.ts";
import { NO_DOOR, type Outcome } from "../../../sip/client.ts";
import { contactFor } from "../../../sip/contact.ts";
import type { ClientAccount } from "../../../sip/digest-answer.ts";
import { newCallId, newTag } from "../../../sip/headers/random.ts";
import type { Header, Request } from "../../../sip/message/message.ts";
import { SIGN_OF_LIFE_PATIENCE } from "../../../sip/patience.ts";
import type { Stack } from "../../../sip/stack.ts";
import type { Resolve } from "../../../sip/transport/resolve.ts";
import type { Destination } from "../../../sip/transport/transport.ts";
import type { TrunkSetup, TrunkState } from "../../../store/trunk-state.ts";
import { firstHopUri, serverUri } from "./addressing.ts";
import { askCarrier, type ClientParts, serverAt, trusted } from "./asking.ts";
import { carrierRequest } from "./carrier-request.ts";
import * as health from "./health.ts";
import { knownOr } from "./known-state.ts";
import { openProving, type Proving } from "./proving.ts";
import { grantedSeconds, leastAsked, retryAfterMs } from "./register-answer.ts";
import * as registration from "./registration.ts";
import { answerIn, standingTrouble, type Trouble } from "./troubles.ts";
import { type Asked, isAlive, type RegisterWatch, type TrunkCheck, watchRegister } from "./trunk-check.ts";

export type RunningTrunkParts = ClientParts & {
  clock: Clock;
  log: Log;
  unexpected: ReportUnexpected;
  stack: Pick<Stack, "ask" | "doorTo">;
  resolve: Resolve;
  /** PEM of the authorities that its certificate may come from; undefined where the file cannot be read. */
  authorities?: string | undefined;
  /** Writes it down; nobody waits for it. */
  keep(state: TrunkState): void;
  /** Its servers have changed, or it has proved an address. */
  moved(): void;
  /** Addresses that it names and that nobody has shown to be its own of late. `fresh`: where that was. */
  toProve(trunk: RunningTrunk, fresh: readonly string[]): readonly string[];
};

type Method = "REGISTER" | "OPTIONS";
type Health = Machine<health.State, health.Input, health.Effect>;
type Registration = Machine<registration.State, registration.Input, registration.Effect>;

const REGISTER_SECONDS = 600;
const LOCATE_MS = 60_000;

export class RunningTrunk {
  readonly setup: TrunkSetup;
  /** Where its servers are; empty while the name leads nowhere. */
  destinations: readonly Destination[] = [];
  readonly #parts: RunningTrunkParts;
  readonly #state: TrunkState;
  readonly #health: Health | undefined;
  #cancelLocate: Cancel = () => undefined;
  readonly #registration: Registration | undefined;
  #seconds = REGISTER_SECONDS;
  #wasUp = false;
  #registeredUntil = LONG_AGO;
  readonly #registers: RegisterWatch;
  readonly #proving: Proving;
  /** What keeps it out of use until somebody sets it right. */
  readonly #standing: Trouble | undefined;
  /** Why it could not be asked, and why it could not register. */
  readonly #troubles: { asked?: string | undefined; registered?: string | undefined } = {};

  constructor(setup: TrunkSetup, parts: RunningTrunkParts, known: TrunkState | undefined) {
    this.setup = setup;
    this.#parts = parts;
    this.#registers = watchRegister(parts.clock);
    this.#proving = this.#openProving(known);
    this.#standing = standingTrouble(setup, parts.authorities);
    this.#state = { ...knownOr(known, setup, parts), ...this.#proving.kept(), lastError: this.#standing ?? null };
    if (known?.registeredUntilMs) this.#registeredUntil = momentOf(parts.clock, known.registeredUntilMs);
    this.#wasUp = this.isUp();
    this.#locateAgain();
    // Without its password it would only be refused, and some carriers lock an account for that.
    this.#registration = setup.registers && !setup.passwordLost ? this.#keepRegistered() : undefined;
    if (this.#standing) this.#note({});
    this.#health = setup.healthCheck ? this.#watch() : undefined;
  }

  /** Can it carry a call now? */
  isUp(): boolean {
    if (this.#state.health === "down" || this.#standing) return false;
    return !this.setup.registers || this.#registeredUntil > this.#parts.clock.ticks();
  }

  /** Answers the carrier's challenges. */
  get account(): ClientAccount | undefined {
    const { username, authUser, password } = this.setup;
    const user = authUser ?? username;
    return user !== null && password !== null ? { user, password } : undefined;
  }

  state(): Readonly<TrunkState> {
    return this.#state;
  }

  /** The user part of the Contact we register: a word that only this carrier knows. */
  contactUser(): string {
    return `t${this.setup.id}-${(this.#state.callId ?? "").slice(0, 16)}`;
  }

  /** A call could not be carried: that counts like a health check that failed. */
  failed(): void {
    this.#health?.receive({ is: "failed" });
  }

  /** "withdraw": the trunk is no longer ours to use, and the carrier is told. */
  close(how: "stop" | "withdraw"): void {
    this.#cancelLocate();
    this.#health?.receive({ is: "stop" });
    this.#registration?.receive({ is: how });
  }

  // The name may lead elsewhere tomorrow; the resolver remembers for as long as it is worth.
  #locateAgain(): void {
    this.#cancelLocate = this.#parts.clock.after(LOCATE_MS, () => this.#locateAgain());
    void this.#locate().then(() => this.#proving.round());
  }

  /** The servers of any address of the carrier's. */
  async locate(uri: string): Promise<Destination[]> {
    return (await this.#parts.resolve(uri)).map((it) => trusted(it, this.setup, this.#parts.authorities));
  }

  async #locate(): Promise<readonly Destination[]> {
    const found = await this.locate(firstHopUri(this.setup));
    // A name server that is away does not move the carrier.
    if (found.length === 0) return this.destinations;
    const before = this.destinations.map(({ address }) => address).join();
    this.destinations = found;
    if (before !== found.map(({ address }) => address).join()) this.#parts.moved();
    return this.destinations;
  }

  /** Only an answer from there is one: nobody else has seen what was asked. */
  async #answersAt(address: string): Promise<boolean> {
    const known = this.destinations.find((server) => server.address === address);
    const server = known ?? trusted(serverAt(this.setup, address), this.setup, this.#parts.authorities);
    const outcome = await this.#ask("OPTIONS", serverUri(this.setup), [], [server]);
    return "response" in outcome && outcome.source.address === address;
  }

  #openProving(known: TrunkState | undefined): Proving {
    return openProving({
      clock: this.#parts.clock,
      known,
      due: (fresh) => (this.#standing ? [] : this.#parts.toProve(this, fresh)),
      ask: (address) => this.#answersAt(address),
      changed: () => {
        this.#note({});
        this.#parts.moved();
      },
    });
  }

  #watch() {
    const { clock, unexpected } = this.#parts;
    const begin = health.begin(this.#state.health);
    const machine: Health = new Machine(health.table, begin, clock, {
      perform: (effect) => {
        if (effect.do === "ask")
          void this.#ping().then((alive) => {
            machine.receive({ is: alive ? "answered" : "failed" });
            const pauseMs = health.pauseMs(machine.state());
            this.#note({ nextTryMs: pauseMs === undefined ? null : clock.wall() + pauseMs });
          });
        else this.#turned(effect.health);
      },
      unexpected: (state, input) => unexpected({ machine: "trunk health", state, input }),
    });
    return machine;
  }

  #turned(now: "up" | "down"): void {
    const { name, exchangeId } = this.setup;
    this.#parts.log.warn({ trunk: name, exchange: exchangeId }, now === "up" ? "trunk is back" : "trunk is down");
    this.#note({ health: now });
  }

  async #ping(): Promise<boolean> {
    const { isWell, answer } = await this.#look();
    this.#troubles.asked = isWell ? undefined : answer;
    this.#note(this.#state.health === "unknown" && isWell ? { health: "up" } : {});
    return isWell;
  }

  async #look(): Promise<Asked> {
    const began = this.#parts.clock.ticks();
    const outcome = await this.#ask("OPTIONS", serverUri(this.setup), []);
    const isWell = isAlive(outcome);
    const latencyMs = isWell ? Math.round(since(this.#parts.clock, began)) : null;
    this.#note({ ...this.#answered(outcome), latencyMs });
    return { answer: answerIn(outcome), isWell, latencyMs };
  }

  /** Asked now, whatever is planned: for a sign of life, and where it registers whether its login is taken. */
  async check(): Promise<TrunkCheck> {
    const trouble = this.#standing ?? null;
    const [alive, registered] = await Promise.all([this.#look(), this.#registerNow()]);
    return { trouble, alive, registered };
  }

  #registerNow(): Promise<Asked | null> {
    const machine = this.#registration;
    if (!machine) return Promise.resolve(null);
    const asked = this.#registers.next();
    // One that is on its way is not asked twice.
    if (machine.state().at !== "trying") machine.receive({ is: "again" });
    return asked;
  }

  #keepRegistered() {
    const stands = this.#registeredUntil > this.#parts.clock.ticks();
    const { clock, unexpected } = this.#parts;
    const begin = registration.begin(stands ? this.#registeredUntil : undefined);
    const machine: Registration = new Machine(registration.table, begin, clock, {
      perform: (effect) => {
        if (effect.do === "register")
          void this.#register(this.#seconds).then((input) => {
            machine.receive(input);
            this.#registers.heard(input, this.#state.answer ?? "");
          });
        else if (effect.do === "unregister") void this.#register(0);
        else this.#told(effect);
      },
      unexpected: (state, input) => unexpected({ machine: "trunk registration", state, input }),
    });
    return machine;
  }

  #answered(outcome: Outcome): Partial<TrunkState> {
    const answer = answerIn(outcome);
    if (!("response" in outcome)) return { answer };
    this.#proving.heardAgain(outcome.source.address);
    return { answer, answeredMs: this.#parts.clock.wall() };
  }

  #told({ until, why, afterMs }: registration.Effect & { do: "tell" }): void {
    const { name, exchangeId } = this.setup;
    if (why !== undefined) this.#parts.log.warn({ trunk: name, exchange: exchangeId, why }, "trunk could not register");
    this.#troubles.registered = why;
    // Where health is watched, too, that is asked sooner.
    const nextTryMs = this.setup.healthCheck ? {} : { nextTryMs: this.#parts.clock.wall() + afterMs };
    this.#registeredUntil = until ?? LONG_AGO;
    const registeredUntilMs = until === undefined ? null : stampOf(this.#parts.clock, until);
    this.#note({ registeredUntilMs, ...nextTryMs });
  }

  async #register(seconds: number): Promise<registration.Input> {
    const outcome = await this.#ask("REGISTER", serverUri(this.setup), [{ name: "Expires", value: String(seconds) }]);
    this.#note(this.#answered(outcome));
    if (!("response" in outcome)) return { is: "refused", why: answerIn(outcome), afterMs: undefined };
    const { response } = outcome;
    const least = leastAsked(response, seconds);
    if (least !== undefined) {
      this.#seconds = least;
      return this.#register(least);
    }
    if (outcome.is !== "success") return { is: "refused", why: answerIn(outcome), afterMs: retryAfterMs(response) };
    // Many a carrier answers no OPTIONS: one that took our login is where we asked it, and knows us besides.
    const { address } = outcome.source;
    if (this.#parts.toProve(this, this.#proving.fresh()).includes(address)) this.#proving.proved(address);
    const granted = grantedSeconds(response, this.contactUser()) ?? this.#seconds;
    return { is: "accepted", seconds: granted, now: this.#parts.clock.ticks() };
  }

  async #ask(method: Method, uri: string, headers: Header[], only?: Destination[]): Promise<Outcome> {
    const destinations = only ?? (await this.#locate());
    if (destinations.length === 0) return { is: "unreachable", why: "no-address" };
    // To an OPTIONS a challenge is as good a sign of life as any answer.
    const account = method === "REGISTER" ? this.account : undefined;
    const ids = {
      callId: method === "REGISTER" ? this.#state.callId! : newCallId(this.#parts.random),
      tag: newTag(this.#parts.random),
    };
    // Only now is it known by which door the carrier is spoken to, and so where it finds us.
    const contact = contactFor(this.#parts.stack, this.contactUser(), destinations);
    if (contact === undefined) return { is: "unreachable", why: NO_DOOR };
    const all = method === "REGISTER" ? [...headers, { name: "Contact", value: contact }] : headers;
    const build = (extra: Header[]): Request =>
      carrierRequest(this.setup, { method, uri, ...ids, cseq: ++this.#state.cseq }, [...all, ...extra]);
    const patience = method === "OPTIONS" ? SIGN_OF_LIFE_PATIENCE : undefined;
    return askCarrier(this.#parts, build, { destinations, account, patience });
  }

  #note(change: Partial<TrunkState>): void {
    Object.assign(this.#state, change, this.#proving.kept());
    this.#state.lastError = this.#standing ?? this.#troubles.registered ?? this.#troubles.asked ?? null;
    const isUp = this.isUp();
    if (isUp !== this.#wasUp) this.#state.sinceMs = this.#parts.clock.wall();
    this.#wasUp = isUp;
    this.#parts.keep({ ...this.#state });
  }
}
