// Where the party of a leg was heard last, and whether somebody speaks from there.

import type { Dialog } from "../../sip/dialog.ts";
import { speakerOf, spokenBy } from "../../sip/transport/speaker.ts";
import type { Source } from "../../sip/transport/transport.ts";
import type { LegFacts } from "../calls/party.ts";

export type Known = Pick<LegFacts, "address" | "place">;

/** `there`: over the same connection, or from the same port; `beside`: from its address. */
export type Seen = "there" | "beside" | "elsewhere";

/** What is known of somebody who speaks from there; behind an edge that is what the edge has noted. */
export function knownOf(source: Source): Known {
  const { address, port } = speakerOf(source);
  return { address, place: { transport: spokenBy(source), port } };
}

/** The connection of an edge is that of everybody behind it. */
export const ownConnection = ({ client, connection }: Source) => (client ? undefined : connection);

export class Whereabouts {
  readonly #facts: Known;
  /** A stream ends with its process, and is no fact of the call. */
  #connection: string | undefined;

  constructor(facts: Known) {
    this.#facts = facts;
  }

  /** Undefined where an older program has not noted it. */
  get place(): { address: string; port: number } | undefined {
    const { address, place } = this.#facts;
    return place && { address, port: place.port };
  }

  isAt(source: Source): void {
    Object.assign(this.#facts, knownOf(source));
    this.#connection = ownConnection(source);
  }

  /** It has answered from there; `behind`: what is known of it where that was an edge. */
  answers(source: Source, behind: Known | undefined): void {
    if (!behind) return this.isAt(source);
    Object.assign(this.#facts, behind);
  }

  isAddress(address: string): boolean {
    return address === this.#facts.address;
  }

  isConnection(source: Source, { flow }: Dialog): boolean {
    const connection = ownConnection(source);
    return connection !== undefined && (connection === this.#connection || connection === flow?.connection);
  }

  /** Nobody who can only send datagrams speaks for it. */
  isOnStream({ flow }: Dialog): boolean {
    return (this.#facts.place?.transport ?? flow?.transport ?? "udp") !== "udp";
  }

  see(source: Source, dialog: Dialog): Seen {
    const { address, port } = speakerOf(source);
    if (this.isConnection(source, dialog)) return "there";
    if (!this.isAddress(address)) return "elsewhere";
    const { place } = this.#facts;
    const isSamePort = place?.port === port && place.transport === spokenBy(source);
    // A stream from the same port of the same address is the same one to an edge, and another one to us.
    const isSame = isSamePort && (source.client !== undefined || place.transport === "udp");
    if (isSame) return "there";
    return this.isOnStream(dialog) ? "elsewhere" : "beside";
  }
}
