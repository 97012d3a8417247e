// Who may speak for the party of a leg from elsewhere than where its dialog was made.

import type { Incoming } from "../../sip/incoming.ts";
import { speakerOf, spokenBy } from "../../sip/transport/speaker.ts";
import type { Source } from "../../sip/transport/transport.ts";
import type { Party } from "../calls/party.ts";
import { ownConnection } from "./whereabouts.ts";

/** Whose leg it is. `trunk`: the one it goes by; null is the network in the box. */
export type LegOf = { exchangeId: number; trunk?: string | null | undefined };

export type Standing = {
  /** It stands there by its registration or its trunk: in that very place, or at that address. */
  knows(source: Source): "place" | "address" | undefined;
  /** What leads a call or its voice away is asked for a password, even from where its party is. */
  asksWithinCalls(): boolean;
  /** By a password; it has been answered otherwise. Carriers have none. */
  proves?: ((incoming: Incoming) => boolean) | undefined;
};

export type StandingParts = {
  phones: {
    contactsOf(exchangeId: number, extension: string): readonly { source: Source }[];
    authenticate(
      incoming: Incoming,
      exchangeId: number,
    ): { extension: { exchangeId: number; number: string } } | object;
  };
  exchanges: { exchange(id: number): { proofWithinCalls?: boolean } | undefined };
  trunks: { isOf(exchangeId: number, name: string, address: string): boolean };
};

export function standingOf({ phones, exchanges, trunks }: StandingParts, of: LegOf, party: Party): Standing {
  const { exchangeId, trunk } = of;
  const isTrunks = (address: string) => typeof trunk === "string" && trunks.isOf(exchangeId, trunk, address);
  if (party.is === "outside")
    return {
      knows: (source) => (isTrunks(speakerOf(source).address) ? "place" : undefined),
      asksWithinCalls: () => false,
    };
  return {
    knows(source) {
      const there = phones.contactsOf(exchangeId, party.number).map((phone) => placeBetween(phone.source, source));
      return there.find((it) => it === "place") ?? there.find((it) => it !== undefined);
    },
    asksWithinCalls: () => exchanges.exchange(exchangeId)?.proofWithinCalls !== false,
    proves(incoming) {
      const login = phones.authenticate(incoming, exchangeId);
      if (!("extension" in login)) return false;
      const isIt = login.extension.exchangeId === exchangeId && login.extension.number === party.number;
      if (!isIt) incoming.reply(403);
      return isIt;
    },
  };
}

function placeBetween(registered: Source, source: Source): "place" | "address" | undefined {
  const [one, other] = [speakerOf(registered), speakerOf(source)];
  const connection = ownConnection(source);
  if (connection !== undefined && connection === ownConnection(registered)) return "place";
  if (one.address !== other.address) return undefined;
  const isSamePort = one.port === other.port && (registered.client !== undefined) === (source.client !== undefined);
  return isSamePort && isSameWay(registered, source) ? "place" : "address";
}

/** Behind an edge the port names a stream as well; by what a phone came to it is not kept over a restart. */
function isSameWay(registered: Source, source: Source): boolean {
  if (!registered.client) return registered.transport === "udp" && source.transport === "udp";
  return registered.clientTransport === undefined || registered.clientTransport === spokenBy(source);
}
