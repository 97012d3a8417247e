// Who speaks within a call: whoever knows its names may be anybody who has seen them, so that it counts where he is, or what
// he proves.

import type { Agreed } from "../../sdp/agreed.ts";
import type { Dialog, Place } from "../../sip/dialog.ts";
import type { Incoming } from "../../sip/incoming.ts";
import { isMalformed } from "../../sip/message/malformed.ts";
import type { Request } from "../../sip/message/message.ts";
import { parseSipUri } from "../../sip/message/uri.ts";
import { sessionIn } from "../../sip/reading/multipart.ts";
import { addressIn } from "../../sip/transport/destination.ts";
import { speakerOf, spokenBy } from "../../sip/transport/speaker.ts";
import type { Source } from "../../sip/transport/transport.ts";
import type { Party } from "../calls/party.ts";
import { movesVoice } from "./moves-voice.ts";
import type { Standing } from "./standing.ts";
import type { Whereabouts } from "./whereabouts.ts";

export type DialogGuardParts = {
  standing: Standing;
  party: Party;
  whereabouts: Whereabouts;
  /** What was agreed on for its voice. */
  voice(): Agreed | undefined;
  /** Somebody else was refused. */
  stranger(what: { method: string; address: string }): void;
};

/** `isMoved`: it is the other side, and somewhere else than before. `onlyAt`: by no proof, so that it is believed to be there alone. */
type Heard = { isMoved: boolean; onlyAt?: Place | undefined };
export type Admitted = "refused" | Heard;

/** `back`: where its party is registered; `beside`: at its address, or that of its registration. */
type From = "there" | "back" | "beside" | "elsewhere";

export const BELIEVED: Heard = { isMoved: false };

export class DialogGuard {
  readonly #parts: DialogGuardParts;

  constructor(parts: DialogGuardParts) {
    this.#parts = parts;
  }

  /** What is refused has been answered. */
  admit(incoming: Incoming, dialog: Dialog): Admitted {
    const { request, source } = incoming;
    const from = this.#from(source, dialog);
    if (!this.#mustProve(request, source, from)) return this.#taken(source, from);
    // An ACK cannot be asked for a proof.
    if (request.method === "ACK") return "refused";
    const { standing, stranger } = this.#parts;
    if (standing.proves?.(incoming)) return from === "there" ? BELIEVED : this.#moved(source);
    if (!standing.proves) incoming.reply(403);
    if (from === "beside" || from === "elsewhere")
      stranger({ method: request.method, address: speakerOf(source).address });
    return "refused";
  }

  /** Whether this ACK is the party's: what it belongs to has proved itself, so that it counts from where the party is. */
  isAckOf(ack: Request, source: Source, dialog: Dialog): boolean {
    const from = this.#from(source, dialog);
    return from === "beside" ? !movesMedia(ack) : from !== "elsewhere";
  }

  #from(source: Source, dialog: Dialog): From {
    const { party, whereabouts, standing } = this.#parts;
    if (party.is === "outside") return this.#isCarriers(source, dialog) ? "there" : "elsewhere";
    const seen = whereabouts.see(source, dialog);
    if (seen === "there") return seen;
    const known = standing.knows(source);
    if (whereabouts.isOnStream(dialog) && spokenBy(source) === "udp") return "elsewhere";
    if (known === "place") return "back";
    if (whereabouts.isOnStream(dialog)) return "elsewhere";
    return known === "address" ? "beside" : seen;
  }

  #isCarriers(source: Source, dialog: Dialog): boolean {
    const { whereabouts, standing } = this.#parts;
    const { address } = speakerOf(source);
    if (whereabouts.isAddress(address) || whereabouts.isConnection(source, dialog)) return true;
    if (standing.knows(source) === "place") return true;
    // Without proxies a carrier's further requests come from where its Contact says, which need not be where it called from.
    return [dialog.remoteTarget, dialog.routeSet[0]].some((it) => hostIn(it) === address);
  }

  #mustProve(request: Request, source: Source, from: From): boolean {
    const { party, standing } = this.#parts;
    if (from === "elsewhere") return true;
    if (from === "beside") return movesMedia(request);
    if (party.is === "outside" || request.method === "ACK") return false;
    // Anybody can write a datagram in its name; a connection is the proof itself.
    return spokenBy(source) === "udp" && standing.asksWithinCalls() && this.#leadsAway(request);
  }

  /** The call, or its voice, to somewhere else than now. */
  #leadsAway(request: Request): boolean {
    const { method } = request;
    if (method !== "INVITE" && method !== "UPDATE") return method === "REFER";
    const offer = sessionIn(request);
    // Where the voice goes is said by the ACK, which cannot be asked for anything.
    if (offer === undefined) return method === "INVITE";
    return movesVoice(offer, this.#parts.voice());
  }

  #taken(source: Source, from: From): Admitted {
    const { party, whereabouts } = this.#parts;
    if (party.is === "outside" || (from !== "beside" && spokenBy(source) !== "udp"))
      return from === "back" ? this.#moved(source) : BELIEVED;
    const isMoved = from === "back";
    if (isMoved) whereabouts.isAt(source);
    // Whoever only stands beside it is not where it can be reached.
    return { isMoved, onlyAt: whereabouts.place ?? NOWHERE };
  }

  #moved(source: Source): Admitted {
    this.#parts.whereabouts.isAt(source);
    return { isMoved: true };
  }
}

const NOWHERE: Place = { address: "", port: 0 };

function movesMedia({ method, body }: Request): boolean {
  return method === "REFER" || method === "INVITE" || ((method === "UPDATE" || method === "ACK") && body !== "");
}

function hostIn(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const uri = parseSipUri(text.startsWith("<") ? text.slice(1, text.indexOf(">")) : text);
  return isMalformed(uri) ? undefined : addressIn(uri.host);
}
