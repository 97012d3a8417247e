// A carrier for campaigns: thousands of people behind one trunk who answer, are busy or refuse, and a log of every call.

import { randomUUID } from "node:crypto";
import { realClock } from "../../src/clock.ts";
import { incomingLeg } from "../../src/exchange/legs/incoming-leg.ts";
import type { LegParts } from "../../src/exchange/legs/leg-parts.ts";
import { openStreamHub } from "../../src/exchange/legs/stream-hub.ts";
import { hash } from "../../src/exchange/signalling/registrar/hashing.ts";
import { userIn } from "../../src/sip/message/uri.ts";
import { openStack } from "../../src/sip/stack.ts";
import { openRandom } from "../../src/sip/transport/random.ts";
import { openUdp } from "../../src/sip/transport/udp.ts";
import { unexpected } from "../ground/unexpected.ts";
import { whenOver } from "../ground/when-over.ts";
import { silentMedia } from "../town/silent-media.ts";
import { CARRIER_ADDRESS } from "./carrier.ts";

export type CarrierCall = { number: string; answered: boolean };

export type CampaignCarrier = { port: number; calls: CarrierCall[] };

export async function campaignCarrier(
  behave: (number: string) => "answers" | "busy" | "rejects",
): Promise<CampaignCarrier> {
  const transport = await openUdp({ address: CARRIER_ADDRESS, port: 0 });
  const random = openRandom();
  const stack = openStack({ clock: realClock, random, unexpected, transports: [transport] });
  const media = silentMedia({ address: CARRIER_ADDRESS, firstPort: 30_000 });
  const parts: LegParts = {
    clock: realClock,
    random,
    hash,
    stack,
    media,
    streams: openStreamHub(media),
    locate: async () => [],
    product: "carrier",
    unexpected,
    mistake: () => undefined,
  };
  const calls: CarrierCall[] = [];
  whenOver(() => stack.close());
  stack.onRequest((incoming) => {
    if (incoming.request.method !== "INVITE") return void incoming.reply(200);
    const party = { is: "outside", number: "", name: "" } as const;
    const leg = incomingLeg(parts, incoming, { id: randomUUID(), party, codecs: ["PCMA"] });
    if (!leg) return;
    const call: CarrierCall = { number: userIn(incoming.request.uri) ?? "", answered: false };
    calls.push(call);
    leg.listen(() => undefined);
    const does = behave(call.number);
    if (does !== "answers") return leg.end(does === "busy" ? "USER_BUSY" : "CALL_REJECTED");
    leg.ring();
    // Marked before it is said: whoever counts answers must not miss one that the exchange may know of.
    call.answered = true;
    void leg.answer();
  });
  return { port: transport.sentBy.port, calls };
}
