// The network between phones and the exchange, as bad as it is told to be: packets are lost, late or come twice, at the
// phones' own sockets.

import { realClock } from "../../src/clock.ts";
import type { Transport } from "../../src/sip/transport/transport.ts";

/** Chances, of each packet. */
export type PacketFaults = { lost: number; late: number; doubled: number };

export type Packets = {
  faults: PacketFaults;
  /** A phone's SIP in both directions. */
  through(transport: Transport): Transport;
  /** Of a voice, which needs no more. */
  losesVoice(): boolean;
};

export const NO_FAULTS: PacketFaults = { lost: 0, late: 0, doubled: 0 };

/** Behind what comes after it, and before anybody gives it up. */
const LATE_MS = 800;

export function openPackets(random: () => number): Packets {
  const carry = (arrive: () => void) => {
    const { lost, late, doubled } = packets.faults;
    if (random() < lost) return;
    if (random() < late) realClock.after(random() * LATE_MS, arrive);
    else arrive();
    if (random() < doubled) realClock.after(random() * LATE_MS, arrive);
  };
  const packets: Packets = {
    faults: NO_FAULTS,
    through: (transport) => ({
      ...transport,
      start: (receiver) =>
        transport.start({
          ...receiver,
          receive: (octets, source) => carry(() => receiver.receive(octets, source)),
        }),
      send: (octets, destination, sender) => carry(() => transport.send(octets, destination, sender)),
    }),
    losesVoice: () => random() < packets.faults.lost,
  };
  return packets;
}
