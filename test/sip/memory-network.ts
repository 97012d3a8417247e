// A network inside the process, for tests: it can lose, repeat and reorder datagrams, by a seed.

import type { Clock } from "../../src/clock.ts";
import type { Octets } from "../../src/sip/message/message.ts";
import type {
  Destination,
  Receiver,
  Sender,
  Source,
  Transport,
  TransportName,
} from "../../src/sip/transport/transport.ts";

export type Weather = {
  /** 0 to 1: the share of datagrams that never arrive. */
  loss?: number;
  /** 0 to 1: the share that arrives twice. */
  repeat?: number;
  /** Each datagram takes between these two. */
  delayMs?: [least: number, most: number];
};

export type MemoryNetwork = {
  attach(options: { address: string; port?: number; name?: TransportName }): Transport;
  /** From now on. */
  weather(weather: Weather): void;
  /** A datagram that seems to come from there: an address, with its port if that is another than 5060. */
  forge(octets: Octets, from: string, to: string): void;
  /** What was handed to the network, lost or not: the last of it, when it was very much. */
  carried(): { octets: Octets; from: string; to: string }[];
};

const LOG_LENGTH = 20_000;

/** `look` is shown everything that is sent. */
export function memoryNetwork(clock: Clock, seed = 1, look: (octets: Octets) => void = () => undefined): MemoryNetwork {
  const doors = new Map<string, { source: Omit<Source, "listener">; arrive(octets: Octets, source: Source): void }>();
  const log: { octets: Octets; from: string; to: string }[] = [];
  const chance = seededChance(seed);
  let weather: Weather = {};

  return {
    attach,
    weather(next) {
      weather = next;
    },
    carried: () => log,
    forge: (octets, from, to) => post(octets, placeOf(from), placeOf(to)),
  };

  function attach({ address, port = 5060, name = "udp" }: { address: string; port?: number; name?: TransportName }) {
    const here = `${name} ${address}:${port}`;
    let receiver: Receiver | undefined;
    const source = { transport: name, address, port };
    const reliable = name !== "udp";
    doors.set(here, { source, arrive: (octets, from) => receiver?.receive(octets, { ...from, listener: here }) });
    const transport: Transport = {
      name,
      reliable,
      family: address.includes(":") ? 6 : 4,
      listener: here,
      sentBy: { host: address.includes(":") ? `[${address}]` : address, port },
      start(given) {
        receiver = given;
      },
      send: (octets, destination, sender) => post(octets, source, destination, sender),
      holds: () => false,
      connections: () => 0,
      async close() {
        doors.delete(here);
      },
    };
    return transport;
  }

  function post(octets: Octets, from: Omit<Source, "listener">, to: Destination, sender?: Sender) {
    const there = `${to.transport} ${to.address}:${to.port}`;
    look(octets);
    if (log.length >= LOG_LENGTH) log.splice(0, LOG_LENGTH / 2);
    log.push({ octets, from: `${from.address}:${from.port}`, to: `${to.address}:${to.port}` });
    if (to.transport !== "udp") {
      if (doors.has(there)) deliver(octets, from, there);
      else clock.after(0, () => sender?.failed("connection refused"));
      return;
    }
    if (chance() < (weather.loss ?? 0)) return;
    deliver(octets, from, there);
    if (chance() < (weather.repeat ?? 0)) deliver(octets, from, there);
  }

  function placeOf(place: string): Destination {
    const [address = "", port = "5060"] = place.split(":");
    return { transport: "udp", address, port: Number(port) };
  }

  function deliver(octets: Octets, from: Omit<Source, "listener">, there: string) {
    const [least, most] = weather.delayMs ?? [1, 1];
    const delay = least + Math.floor(chance() * (most - least + 1));
    clock.after(delay, () => doors.get(there)?.arrive(octets, { ...from, listener: there }));
  }
}

/** Mulberry32: the same seed, the same weather. */
export function seededChance(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
