// Who speaks within a call: whoever knows its names may be anybody who has seen them, so that it counts where he is, or what
// he proves.

import type { Dialog } from "../../sip/dialog.ts";
import type { Incoming } from "../../sip/incoming.ts";
import { isMalformed } from "../../sip/message/malformed.ts";
import type { Request } from "../../sip/message/message.ts";
import { parseSipUri } from "../../sip/message/uri.ts";
import { addressIn } from "../../sip/transport/destination.ts";
import { speakerOf } from "../../sip/transport/speaker.ts";
import type { Source } from "../../sip/transport/transport.ts";
import type { LegFacts, Party } from "../calls/party.ts";
import type { Standing } from "./standing.ts";

export type DialogGuardParts = {
  standing: Standing;
  party: Party;
  /** Where the other side was heard last. */
  facts: Pick<LegFacts, "address">;
  /** Somebody else was refused. */
  stranger(what: { method: string; address: string }): void;
};

/** `moved`: it is the other side, and somewhere else than before. */
export type Admitted = "same" | "moved" | "refused";

export class DialogGuard {
  readonly #parts: DialogGuardParts;

  constructor(parts: DialogGuardParts) {
    this.#parts = parts;
  }

  /** What is refused has been answered. */
  admit(incoming: Incoming, dialog: Dialog): Admitted {
    const { request, source } = incoming;
    const { standing } = this.#parts;
    if (this.#isSame(incoming, dialog)) return "same";
    const known = standing.knows(source);
    if (known === "place") return this.#parts.party.is === "outside" ? "same" : this.#moved(source);
    if (known === "address" && !movesMedia(request)) return "same";
    // An ACK cannot be asked for a proof, nor need it give one: what it belongs to has.
    if (request.method === "ACK") return "refused";
    if (standing.proves?.(incoming)) return this.#moved(source);
    if (!standing.proves) incoming.reply(403);
    this.#parts.stranger({ method: request.method, address: speakerOf(source).address });
    return "refused";
  }

  #moved(source: Source): Admitted {
    this.#parts.facts.address = speakerOf(source).address;
    return "moved";
  }

  #isSame({ source }: Incoming, dialog: Dialog): boolean {
    const { party, facts } = this.#parts;
    const speaker = speakerOf(source).address;
    if (speaker === facts.address) return true;
    if (source.connection !== undefined && source.connection === dialog.flow?.connection) return true;
    // Without proxies a carrier's further requests come from where its Contact says, which need not be where it called from.
    return party.is === "outside" && [dialog.remoteTarget, dialog.routeSet[0]].some((it) => hostIn(it) === speaker);
  }
}

function movesMedia({ method, body }: Request): boolean {
  return method === "REFER" || method === "INVITE" || (method === "UPDATE" && body !== "");
}

function hostIn(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const uri = parseSipUri(text.startsWith("<") ? text.slice(1, text.indexOf(">")) : text);
  return isMalformed(uri) ? undefined : addressIn(uri.host);
}
