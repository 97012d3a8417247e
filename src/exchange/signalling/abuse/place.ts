// By which way a message came, and from which place.

import { holderOf } from "../../../addresses.ts";
import { remember } from "../../../sip/headers/remember.ts";
import { speakerOf } from "../../../sip/transport/speaker.ts";
import type { Source } from "../../../sip/transport/transport.ts";

/** A connection stands only with whoever is where he says; an edge tells of datagrams as well. */
export const isConnected = ({ transport, client }: Source) => transport !== "udp" && client === undefined;
export const wayOf = (source: Source) => (isConnected(source) ? "connections" : "datagrams");

/** Asked several times of each message, one after the other. Whoever writes datagrams may say that they come from the port of a connection. */
export const placeOf = remember((source: Source) => {
  const { address, port } = speakerOf(source);
  return `${wayOf(source)} ${address} ${port}`;
});
export const tryOf = (address: string, user: string) => `${holderOf(address)} ${user}`;
