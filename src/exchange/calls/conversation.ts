// The media side of a call: joins two legs, plays to them, keeps the recording and the music on hold right.

import { runAgain } from "../../again.ts";
import type { CallRecording, MediaEngine, RecordedCall, RecordingFault, Sound } from "../../media/engine.ts";
import { type Listener, roomOf } from "./audience.ts";
import type { LegId } from "./call-machine.ts";
import type { Leg } from "./leg.ts";
import { introduce, type KnownAs } from "./shown.ts";

export type ConversationParts = {
  media: MediaEngine;
  /** How its extensions are known, inside and outside. */
  knownAs: KnownAs;
  /** The name of the room in which others listen; one of its own for each call. */
  room: string;
  /** Asked when two people first hear each other, or when one is recorded alone: the file, or undefined. */
  recordTo(a: Leg, b?: Leg): string | undefined;
  /** It was not written to its end; said while the call lasts, or before it is over. */
  recordingFailed(recorded: RecordedCall & { fault: RecordingFault }): void;
  holdMusic: Sound[];
  /** Of an earlier process. */
  kept?: KeptConversation | undefined;
  /** Played to each side at the moment they first hear each other. */
  greetings: { toCaller?: Sound | undefined; toCallee?: Sound | undefined };
};

type Absence = "held" | "away";

/** What of it a later process cannot find out by itself. */
export type KeptConversation = {
  unrecorded: boolean;
  recorded: boolean;
  absent: { leg: LegId; why: Absence[] }[];
  /** Not played yet. */
  greetings: ConversationParts["greetings"];
};

export class Conversation {
  readonly #parts: ConversationParts;
  #greetings: ConversationParts["greetings"];
  #unrecorded: boolean;
  /** Who was absent when an earlier process left them, until they are joined again. */
  #absentBefore: KeptConversation["absent"];
  #pair: { a: Leg; b: Leg } | undefined;
  #recording: Promise<CallRecording> | undefined;
  #listeners: Listener[] = [];
  /** One goes as another comes: what is mixed last is how it is. */
  readonly #mixing = runAgain(() => this.#mix());
  readonly #absent = new WeakMap<Leg, Set<Absence>>();

  constructor(parts: ConversationParts) {
    this.#parts = parts;
    this.#greetings = parts.kept?.greetings ?? parts.greetings;
    this.#unrecorded = parts.kept?.unrecorded === true;
    this.#absentBefore = parts.kept?.absent ?? [];
  }

  /** For the next time two people hear each other. */
  greet(greetings: ConversationParts["greetings"]): void {
    this.#greetings = { ...this.#greetings, ...greetings };
  }

  /** Somebody wanted that this call is not recorded. */
  keepUnrecorded(): void {
    this.#unrecorded = true;
  }

  keep(): KeptConversation {
    const legs = this.#pair ? [this.#pair.a, this.#pair.b] : [];
    const now = legs.map((leg) => ({ leg: leg.id, why: [...(this.#absent.get(leg) ?? [])] }));
    const absent = [...this.#absentBefore, ...now];
    const recorded = this.#recording !== undefined || this.#parts.kept?.recorded === true;
    const kept = { unrecorded: this.#unrecorded, recorded, greetings: this.#greetings };
    return { ...kept, absent: absent.filter(({ why }) => why.length > 0) };
  }

  pair(): { a: Leg; b: Leg } | undefined {
    return this.#pair;
  }

  /** `a` is the caller's side: the left channel. False when one of them had gone before they could talk. */
  async join(a: Leg, b: Leg): Promise<boolean> {
    const { media } = this.#parts;
    this.#pair = { a, b };
    introduce(a, b, this.#parts.knownAs);
    if (!(await pickUp(a, b)) || !(await pickUp(b, a))) return false;
    const [left, right] = [a.stream(), b.stream()];
    const areThere = () => this.#pair?.a === a && this.#pair.b === b;
    if (left === undefined || right === undefined || !areThere()) return false;
    await Promise.all([media.stopPlaying(left), media.stopPlaying(right)]);
    // Whatever is heard is recorded; but whoever was torn out of a talk does not wait for the file of what was said.
    const isTornOut = this.#parts.kept?.recorded === true;
    if (!isTornOut) await this.#record(a, b);
    if (!areThere()) return false;
    await (this.#listeners.length === 0 ? media.join(left, right) : this.#mixing.ask());
    if (isTornOut) await this.#record(a, b);
    this.#greet(left, right);
    await this.#stillAbsent([a, b]);
    return true;
  }

  async #stillAbsent(legs: Leg[]): Promise<void> {
    const before = this.#absentBefore;
    this.#absentBefore = [];
    const again = before.flatMap(({ leg: id, why: reasons }) =>
      legs.filter((it) => it.id === id).flatMap((leg) => reasons.map((why) => this.absent(leg, { why, on: true }))),
    );
    await Promise.all(again);
  }

  /** Whoever comes back before the two are joined again has not been absent for this process. */
  #isBack(leg: Leg, why: Absence): void {
    this.#absentBefore = this.#absentBefore.map((it) =>
      it.leg === leg.id ? { ...it, why: it.why.filter((other) => other !== why) } : it,
    );
  }

  /** Somebody listens in, as long as he likes: call what is returned when he leaves. */
  async letIn(listener: Listener): Promise<() => Promise<void>> {
    this.#listeners.push(listener);
    await this.#mixing.ask();
    return () => {
      this.#listeners = this.#listeners.filter((it) => it !== listener);
      return this.#mixing.ask();
    };
  }

  listeners = (): readonly Listener[] => this.#listeners;

  /** Both hear something before the second has answered: the network's own ringing or its reasons. */
  async preview(a: Leg, b: Leg): Promise<void> {
    const heard = a.isAnswered() || (await a.letHear(b.codec()));
    const [left, right] = [a.stream(), b.stream()];
    if (!heard || left === undefined || right === undefined) return;
    await this.#parts.media.stopPlaying(left);
    await this.#parts.media.join(left, right);
  }

  async part(leg: Leg): Promise<void> {
    this.#pair = undefined;
    const stream = leg.stream();
    if (stream !== undefined) await this.#parts.media.part(stream);
  }

  /** One of two was put on hold by the other, or the other has lost its network: music until it comes back. */
  async absent(leg: Leg, { why, on }: { why: Absence; on: boolean }): Promise<void> {
    const other = this.#other(leg)?.stream();
    const reasons = this.#absent.get(leg) ?? new Set<Absence>();
    const wasAbsent = reasons.size > 0;
    if (on) reasons.add(why);
    else reasons.delete(why);
    if (!on) this.#isBack(leg, why);
    this.#absent.set(leg, reasons);
    if (other === undefined || wasAbsent === reasons.size > 0) return;
    if (on) void this.#parts.media.play(other, { sounds: this.#parts.holdMusic, repeat: "forever" });
    else await this.#parts.media.stopPlaying(other);
  }

  /** A key that came beside the voice, or that the other party cannot have with it, is brought to whom it is for. */
  async passOn(leg: Leg, { digit, signalled }: { digit: string; signalled?: true }): Promise<void> {
    const other = this.#other(leg);
    if (other && (signalled || other.keysGoAside())) await other.press(digit);
  }

  async mute(leg: Leg, on: boolean): Promise<void> {
    const stream = leg.stream();
    if (stream !== undefined) await this.#parts.media.mute(stream, { says: on });
  }

  /** What this party says is not recorded until what is returned is called; time goes on in the recording. */
  async keepOut(leg: Leg): Promise<() => Promise<void>> {
    if (!this.#recording) return async () => undefined;
    await this.mute(leg, true);
    return () => this.mute(leg, false);
  }

  /** The recording's length, once its file is complete; undefined when nothing was recorded. */
  async stop(): Promise<number | undefined> {
    this.#pair = undefined;
    const recording = await this.#recording;
    return (await recording?.stop())?.durationMs;
  }

  /** For whoever goes on with it in another file: this one is complete. */
  async pauseRecording(): Promise<void> {
    await (await this.#recording)?.stop();
  }

  /** With listeners the two talk in a room; without, straight to each other again. */
  async #mix(): Promise<void> {
    const { media } = this.#parts;
    const [left, right] = [this.#pair?.a.stream(), this.#pair?.b.stream()];
    if (this.#listeners.length > 0 && this.#pair)
      return media.mix(this.#parts.room, roomOf(this.#pair, this.#listeners));
    await media.mix(this.#parts.room, []);
    if (left !== undefined && right !== undefined) await media.join(left, right);
  }

  #other(leg: Leg): Leg | undefined {
    if (leg === this.#pair?.a) return this.#pair.b;
    return leg === this.#pair?.b ? this.#pair.a : undefined;
  }

  /** Already while only a voice of ours is on the other side: what it says is the right channel. */
  async recordAlone(leg: Leg): Promise<void> {
    const left = leg.stream();
    const path = this.#recording || this.#unrecorded || left === undefined ? undefined : this.#parts.recordTo(leg);
    if (left === undefined || path === undefined) return;
    await this.#recordTo({ left, path });
  }

  async #record(a: Leg, b: Leg): Promise<void> {
    const [left, right] = [a.stream(), b.stream()];
    if (left === undefined || right === undefined) return;
    if (this.#recording) return (await this.#recording).change({ left, right });
    const path = this.#unrecorded ? undefined : this.#parts.recordTo(a, b);
    if (path === undefined) return;
    await this.#recordTo({ left, right, path });
  }

  async #recordTo(wanted: Parameters<MediaEngine["recordCall"]>[0]): Promise<void> {
    this.#recording = this.#parts.media.recordCall({ ...wanted, goesOn: this.#parts.kept?.recorded === true });
    const { ended } = await this.#recording;
    void ended.then(({ fault, durationMs }) => fault && this.#parts.recordingFailed({ fault, durationMs }));
  }

  #greet(left: string, right: string): void {
    const { toCaller, toCallee } = this.#greetings;
    this.#greetings = {};
    if (toCaller) void this.#parts.media.play(left, { sounds: [toCaller] });
    if (toCallee) void this.#parts.media.play(right, { sounds: [toCallee] });
  }
}

/** The caller is answered in the codec that the callee speaks, so that nothing has to be translated. */
function pickUp(leg: Leg, other: Leg): Promise<boolean> {
  return leg.isAnswered() ? Promise.resolve(true) : leg.answer(other.codec());
}
