// A party whose call an earlier process began: answered long ago, its dialog and its stream go on where they were.

import type { Ticks } from "../../clock.ts";
import type { ClientAccount } from "../../sip/digest-answer.ts";
import type { HangupCause } from "../calls/causes.ts";
import type { KeptCalled, KeptCalling, KeptLeg, KeptRinging } from "../calls/kept-leg.ts";
import type { Leg, LegImage } from "../calls/leg.ts";
import type { LegLine, Party } from "../calls/party.ts";
import { askIfSilent } from "./ask-if-silent.ts";
import type { CameBack } from "./flow-back.ts";
import { LegCore } from "./leg-core.ts";
import type { LegParts } from "./leg-parts.ts";
import type { LineTerms } from "./line-terms.ts";
import type { LegOf } from "./standing.ts";
import { tellMoved } from "./tell-place.ts";

/** What is not kept of the line it goes by, because the line knows. */
export type ResumedLine = {
  of?: LegOf | undefined;
  account?: ClientAccount | undefined;
  connected?: LineTerms["connected"];
  /** Told when a phone whose connection has ended is back. */
  cameBack?: CameBack | undefined;
};

/** Not answered yet: who called us, and whom we call. */
export type ResumedCaller = { kept: KeptRinging & { invite: KeptCalling }; line: ResumedLine };
export type ResumedCalled = { kept: KeptRinging & { invite: KeptCalled }; line: ResumedLine };

/** Without media it is there to be hung up. */
export function resumedLeg(parts: LegParts, kept: KeptLeg, line: ResumedLine = {}): Leg {
  return new ResumedLeg(parts, kept, line);
}

class ResumedLeg implements Leg {
  readonly id: string;
  readonly party: Party;
  readonly sipCallId: string;
  readonly direction: "in" | "out";
  readonly hops: number | undefined;
  readonly began: Ticks;
  readonly over: Promise<void>;
  readonly image: LegImage;
  line: LegLine | undefined;
  readonly #core: LegCore;
  /** Until it has taken where its voice is now. */
  #isMoved: boolean;

  constructor(parts: LegParts, kept: KeptLeg, { of, account, connected, cameBack }: ResumedLine) {
    const { id, party, direction, hops, facts, isBrowser, t38, media, dialog } = kept;
    this.id = id;
    this.party = party;
    this.direction = direction;
    this.hops = hops;
    this.line = kept.line;
    this.sipCallId = dialog.dialog.callId;
    this.#core = new LegCore(parts, {
      party,
      of,
      codecs: media?.codecs ?? [],
      isBrowser,
      t38,
      terms: { ...media?.terms, connected },
      account,
      peer: { ...facts, address: media?.peerHint ?? facts.address },
      edge: media?.towards,
      end: (cause) => this.end(cause),
      kept,
      cameBack,
    });
    this.began = this.#core.began;
    this.over = this.#core.over;
    this.image = this.#core.image;
    this.#isMoved = media?.isMoved === true;
    if (this.#isMoved) this.#core.attempt(tellMoved(this.#core, () => this.#taken()));
    else if (media && !isBrowser) askIfSilent(this.#core);
  }

  stream = () => this.#core.media.stream();
  codec = () => this.#core.media.codec();
  isAnswered = () => true;
  facts = () => this.#core.facts;
  dialog = () => this.#core.dialog?.dialog();
  ask: Leg["ask"] = (method, options) => this.#core.dialog?.say(method, options);
  listen: Leg["listen"] = (hear) => this.#core.events.listen(hear);
  meet: Leg["meet"] = (other) => this.#core.meet(other);
  press = (digits: string) => this.#core.press(digits);
  keysGoAside = () => this.#core.media.keysGoAside();
  tellTransfer: Leg["tellTransfer"] = (news) => this.#core.tellTransfer(news);
  keep: Leg["keep"] = () => {
    const { id, party, direction, hops, line } = this;
    const core = this.#core.keep();
    if (!core) return undefined;
    const media = core.media && this.#isMoved ? { ...core.media, isMoved: true } : core.media;
    return { id, party, direction, hops, line, ...core, media };
  };
  keepRinging = () => undefined;
  /** It was picked up before. */
  pickUp = async () => false;
  ring = () => undefined;
  answer = async () => true;
  letHear = async () => true;

  #taken(): void {
    this.#isMoved = false;
  }

  end(cause: HangupCause): void {
    if (this.#core.isGone) return;
    this.#core.leave();
    this.#core.dialog?.bye(cause);
  }
}
