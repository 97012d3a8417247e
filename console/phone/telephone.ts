// The telephone itself: registers at the exchange, makes and takes calls, and gets back to them when the way broke.

import type { UA } from "jssip";
import type { RTCSession } from "jssip/lib/RTCSession";
import type { IncomingRequest } from "jssip/lib/SIPMessage";
import type { WebphoneSession } from "../../src/http/webphone/shown.ts";
import { type DialogName, keepCalls, keptCalls } from "./keep.ts";
import { LineBoard } from "./line-board.ts";
import { dialable, type Line, MOST_LINES } from "./lines.ts";
import { Returns } from "./returns.ts";
import { followSession } from "./session-events.ts";
import * as sip from "./sip-session.ts";
import type { Sounds } from "./sound.ts";
import type { Link, PhoneState } from "./state.ts";
import type { Store } from "./store.ts";
import { drop, release, showQuality, type Up, worthKeeping } from "./up.ts";

export type TelephoneParts = {
  store: Store<PhoneState>;
  sounds: Sounds;
  /** Its login is not taken any more. */
  refused(): void;
  /** Whose number it is; empty when nobody's. */
  nameOf(number: string): Promise<string>;
  /** A call is over: what the library calls the cause. */
  ended(line: Line, cause: string): void;
};

const TRY_AGAIN_MS = 800;
const LOOK_MS = 1_000;
/** The exchange waits a little longer than this for a browser that fell silent. */
const FETCHED_MS = 18_000;
const NO_SERVERS = { iceServers: [] };

export class Telephone {
  readonly #parts: TelephoneParts;
  readonly #session: WebphoneSession;
  readonly #ua: UA;
  readonly #board: LineBoard;
  readonly #ups = new Map<string, Up>();
  readonly #returns = new Returns();
  readonly #who: string;
  readonly #looking: ReturnType<typeof setInterval>;
  #isLeft = false;

  constructor(parts: TelephoneParts, session: WebphoneSession) {
    this.#parts = parts;
    this.#session = session;
    this.#who = `${session.extension}@${session.domain}`;
    this.#board = new LineBoard(parts.store);
    this.#ua = sip.openUa(session);
    this.#listen();
    this.#remember();
    this.#looking = setInterval(() => {
      showQuality(this.#ups, this.#board);
      this.#keep();
    }, LOOK_MS);
    this.#ua.start();
  }

  /** A fresh login, used from the next request on. */
  renew({ user, password }: WebphoneSession["login"]): void {
    this.#ua.set("authorization_user", user);
    this.#ua.set("password", password);
    if (!this.#ua.isRegistered() && this.#ua.isConnected()) this.#ua.register();
  }

  async dial(typed: string, known: Partial<Line> = {}): Promise<string | undefined> {
    const number = dialable(typed);
    if (number === "" || this.#board.all().length >= MOST_LINES || this.#isLeft) return undefined;
    this.#holdOthers("");
    const id = this.#board.add({ at: "calling", direction: "out", number, ...known });
    if (!known.name) void this.#parts.nameOf(number).then((name) => this.#change(id, { name }));
    await this.#call(id, number);
    return id;
  }

  async answer(id: string): Promise<void> {
    const up = this.#ups.get(id);
    if (!up || !this.#board.find(id) || up.isAnswering) return;
    up.isAnswering = true;
    this.#holdOthers(id);
    const microphone = await this.#parts.sounds.microphone();
    up.isAnswering = microphone !== undefined;
    if (!microphone || this.#ups.get(id) !== up) return release(microphone);
    up.microphone = microphone;
    if (up.session.isInProgress()) up.session.answer({ mediaStream: microphone, pcConfig: NO_SERVERS });
  }

  reject(id: string): void {
    this.#end(id, { status_code: 486 });
  }

  hangUp(id: string): void {
    this.#end(id);
  }

  mute(id: string, on: boolean): void {
    const session = this.#ups.get(id)?.session;
    if (on) session?.mute({ audio: true });
    else session?.unmute({ audio: true });
    this.#change(id, { muted: on });
  }

  hold(id: string, on: boolean): void {
    if (!on) this.#holdOthers(id);
    const session = this.#ups.get(id)?.session;
    if (on) session?.hold();
    else session?.unhold();
  }

  press(id: string, key: string): void {
    this.#ups.get(id)?.session.sendDTMF(key, sip.AS_PACKETS);
  }

  /** Sends the call on at once. */
  transfer(id: string, typed: string): void {
    this.#refer(id, dialable(typed));
  }

  /** Puts the two calls of this phone together and leaves them. */
  complete(asking: string): void {
    const { asksFor, number } = this.#board.find(asking) ?? {};
    const dialog = this.#ups.get(asking)?.dialog;
    if (asksFor !== undefined && number !== undefined && dialog) this.#refer(asksFor, number, sip.putThrough(dialog));
  }

  /** Another tab is the phone now: it fetches the calls, and nothing here may end them. Without calls there is no wait. */
  leave(fetchedMs = FETCHED_MS): void {
    this.#isLeft = true;
    clearInterval(this.#looking);
    for (const [id, up] of this.#ups) {
      release(up.microphone);
      this.#parts.sounds.forget(id);
    }
    this.#ups.clear();
    this.#board.clear();
    this.#parts.sounds.play("nothing");
    if (this.#ua.isRegistered()) this.#ua.unregister();
    // By then the exchange has hung up here what the other tab took.
    setTimeout(() => this.#ua.stop(), fetchedMs);
  }

  /** The page is going: what is up is fetched by the next one, which is rung as well; what was only dialled is over. */
  pause(): void {
    for (const { id, at } of this.#board.all()) if (at === "calling") this.#ups.get(id)?.session.terminate();
    this.#keep();
  }

  #listen(): void {
    sip.followUa(this.#ua, this.#who, {
      link: (link) => this.#linked(link),
      refused: () => !this.#isLeft && this.#parts.refused(),
      rings: (session, request) => this.#ring(session, request),
      agent: ({ dnd, ...agent }) => this.#parts.store.change({ dnd, agent }),
    });
  }

  /** Lines are returned to once our login is taken: an exchange that was started again knows none of those before. */
  #linked(link: Link): void {
    if (this.#isLeft) return;
    this.#parts.store.change({ link });
    if (link === "registered") for (const id of this.#returns.ids()) this.#return(id);
  }

  #ring(session: RTCSession, request: IncomingRequest): void {
    const others = this.#board.all().length;
    if (this.#isLeft || others >= MOST_LINES) return session.terminate({ status_code: 486 });
    const { display_name: name, uri } = session.remote_identity;
    const from = { number: uri.user ?? "", name: name ?? "" };
    const id = this.#board.add({ at: "ringing", direction: "in", ...from, ...sip.toldOf(request) });
    this.#follow(id, session, undefined);
    sip.onTalk(session, () => void this.answer(id));
    const afterMs = sip.answersItselfAfter(request);
    if (afterMs !== undefined && others === 0) setTimeout(() => void this.answer(id), afterMs);
  }

  async #call(id: string, number: string, extraHeaders: string[] = []): Promise<void> {
    const microphone = await this.#parts.sounds.microphone();
    if (!this.#board.find(id)) return release(microphone);
    if (!microphone) return this.#over(id, "User Denied Media Access");
    const options = { mediaStream: microphone, pcConfig: NO_SERVERS, extraHeaders };
    const session = this.#ua.call(`sip:${number}@${this.#session.domain}`, options);
    this.#follow(id, session, microphone);
  }

  #follow(id: string, session: RTCSession, microphone: MediaStream | undefined): void {
    const before = this.#ups.get(id);
    const up: Up = { session, microphone };
    this.#ups.set(id, up);
    const ifMine = (act: () => void) => {
      if (this.#ups.get(id) === up) act();
    };
    followSession(session, {
      rings: () => ifMine(() => this.#parts.store.change({ notice: "ringing" })),
      up: () => {
        if (before) drop(before);
        ifMine(() => this.#isUp(id, up));
      },
      held: (held) => ifMine(() => this.#change(id, { held })),
      voice: (track) => ifMine(() => this.#parts.sounds.hear(id, track)),
      broken: () => ifMine(() => this.#lost(id)),
      over: (cause) => {
        release(up.microphone);
        ifMine(() => this.#ended(id, cause));
      },
    });
  }

  #isUp(id: string, up: Up): void {
    const dialog = sip.dialogOf(up.session);
    if (dialog) up.dialog = dialog;
    const line = this.#board.find(id);
    this.#board.move(id, "up");
    this.#returns.done(id);
    if (line?.muted) up.session.mute({ audio: true });
    if (line?.at === "returning" && line.held) up.session.hold();
    this.#keep();
  }

  #lost(id: string): void {
    const dialog = this.#ups.get(id)?.dialog;
    if (!dialog || this.#board.find(id)?.at !== "talking") return;
    this.#board.move(id, "lost");
    // The first that is lost takes a new way for all.
    if (this.#returns.ids().length === 0 && this.#ua.isConnected()) sip.connectAnew(this.#ua);
    this.#tryToReturn(id, { dialog, goneMs: Date.now() });
  }

  /** Calls of the page that was here before, or of another tab that gave way. */
  #remember(): void {
    for (const { line, keptMs: goneMs, ...dialog } of keptCalls(this.#who, Date.now()))
      this.#tryToReturn(this.#board.add({ ...line, at: "returning" }), { dialog, goneMs });
  }

  #tryToReturn(id: string, gone: { dialog: DialogName; goneMs: number }): void {
    this.#returns.begin(id, gone, () => this.#over(id, "Connection Error"));
    this.#return(id);
  }

  #return(id: string): void {
    const line = this.#board.find(id);
    if (line?.at !== "returning" || !this.#ua.isRegistered()) return;
    const dialog = this.#returns.attempt(id);
    if (dialog) void this.#call(id, line.number, [sip.replacing(dialog)]);
  }

  #ended(id: string, cause: string): void {
    if (!this.#returns.failed(id) || !sip.isBrokenWay(cause)) return this.#over(id, cause);
    setTimeout(() => this.#return(id), TRY_AGAIN_MS);
  }

  #over(id: string, cause: string): void {
    const line = this.#board.find(id);
    release(this.#ups.get(id)?.microphone);
    this.#ups.delete(id);
    this.#returns.done(id);
    this.#parts.sounds.forget(id);
    if (!line) return;
    this.#board.move(id, "end");
    this.#parts.store.change({ notice: sip.endings[cause] ?? "ended" });
    this.#keep();
    this.#parts.ended(line, cause);
    const waiting = this.#board.all().find(({ id, held }) => held && id === line.asksFor);
    if (waiting) this.hold(waiting.id, false);
  }

  #end(id: string, how: { status_code?: number } = {}): void {
    const up = this.#ups.get(id);
    if (up && !up.session.isEnded()) up.session.terminate(up.session.isEstablished() ? {} : how);
    else this.#over(id, "Terminated");
  }

  #refer(id: string, number: string, replaces?: RTCSession): void {
    const { store } = this.#parts;
    const session = this.#ups.get(id)?.session;
    if (!session || number === "") return;
    store.change({ notice: "transferring" });
    const failed = () => store.change({ notice: "transferFailed" });
    sip.sendOn(session, { to: `sip:${number}@${this.#session.domain}`, replaces, failed });
  }

  #holdOthers(id: string): void {
    for (const other of this.#board.all())
      if (other.id !== id && other.at === "talking" && !other.held) this.#ups.get(other.id)?.session.hold();
  }

  #change(id: string, change: Partial<Line>): void {
    this.#board.change(id, change);
    this.#keep();
  }

  #keep(): void {
    if (!this.#isLeft) keepCalls(this.#who, worthKeeping(this.#board.all(), this.#ups, this.#returns));
  }
}
