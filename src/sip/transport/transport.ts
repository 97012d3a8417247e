// PORT: what the stack asks of a way to carry messages. UDP, TCP, TLS, WebSocket and memory stand behind it.

import type { Octets } from "../message/message.ts";
import type { Parsed } from "../reading/parse.ts";

export type TransportName = "udp" | "tcp" | "tls" | "ws" | "wss";

/** Where a message came from. `address` is bare, without the brackets of an IPv6 reference. */
export type Source = {
  transport: TransportName;
  address: string;
  port: number;
  /** Names the stream it came over; a reply or a later request may go back over it. */
  connection?: string;
  /** Names the door of ours it came in by. */
  listener: string;
  /** Whoever spoke, where it was a proxy of ours that passed the message on. */
  client?: { address: string; port: number };
  /** By what that reached it. */
  clientTransport?: TransportName;
};

/** Where a message goes. A `connection` that is still up is used first; without one, or once it is gone, the address. */
export type Destination = {
  transport: TransportName;
  address: string;
  port: number;
  connection?: string;
  listener?: string;
  /** What a certificate must say, when a name led to this address. */
  serverName?: string;
  /** How far its certificate is believed, where that is not as everywhere. */
  trust?: Trust;
};

/** `authorities` as PEM; without them those of the system. */
export type Trust = { verify: boolean; authorities?: string | undefined };

/** Who wants to know that a message could not be sent: told at most once, never before `send` returns, with a code of the system's if there is one. */
export type Sender = { failed(why: string): void };

export type Receiver = {
  /** Asked before anything is spent on a source: a datagram's first look, a stream's acceptance. */
  guard(source: Source): "pass" | "drop";
  /** Whether somebody is there who need not log in: a carrier, or a proxy of ours. */
  knows?(source: Source): boolean;
  /** Whether somebody has logged in from there lately, or need not. */
  isProved?(source: Source): boolean;
  /** A datagram or WebSocket frame: one message, or a keep-alive. */
  receive(octets: Octets, source: Source): void;
  /** What a stream's framing has already parsed. */
  receiveParsed(parsed: Parsed, source: Source): void;
  /** A datagram came back; what there is of it, from its beginning. */
  undelivered?(octets: Octets): void;
  /** A stream has ended, whoever ended it. */
  gone?(connection: string): void;
  /** Something was refused or cut off before it became a message. */
  refused(what: Refused, source: Source): void;
};

export type Refused =
  | "too-many-connections"
  | "too-many-from-source"
  | "unfinished-message"
  | "bad-stream"
  | "too-large"
  | "handshake"
  | "slow-reader";

/** What a door says of itself to each peer. */
export type DoorReach = Pick<Transport, "toldTo" | "leadsTo">;

export type Transport = {
  name: TransportName;
  /** Streams resend by themselves, so that transactions need not. */
  reliable: boolean;
  family: 4 | 6;
  /** Unique among the doors of one stack. */
  listener: string;
  /** Where it is opened, an IPv6 host in brackets: what Via and Contact say to everybody, unless `toldTo` knows better. */
  sentBy: { host: string; port: number };
  /** The host that this peer finds us at, an IPv6 one in brackets. */
  toldTo?(peer: string): string;
  /** False where another door is nearer, or none leads there at all. */
  leadsTo?(peer: string): boolean;
  /** Begins to deliver. */
  start(receiver: Receiver): void;
  /** Without a sender nobody is told of a failure, which spares a busy socket half its work. */
  send(octets: Octets, destination: Destination, sender?: Sender): void;
  /** Is this stream still up? Datagrams have none. */
  holds(connection: string): boolean;
  /** Closes this stream once what was sent over it is out; only for those whose peer comes back by itself. */
  drop?(connection: string): void;
  connections(): number;
  /** Kept once all that had come is read; a door that cannot tell has none. */
  emptied?(): Promise<void>;
  close(): Promise<void>;
};
