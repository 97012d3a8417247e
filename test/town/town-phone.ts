// A phone of the town: a stack of its own on the memory network, and an owner who says what he saw.

import { randomUUID } from "node:crypto";
import type { Leg, LegEvent } from "../../src/exchange/calls/leg.ts";
import { incomingLeg } from "../../src/exchange/legs/incoming-leg.ts";
import type { LegParts } from "../../src/exchange/legs/leg-parts.ts";
import type { LineTerms } from "../../src/exchange/legs/line-terms.ts";
import { outgoingLeg } from "../../src/exchange/legs/outgoing-leg.ts";
import type { OutgoingOptions } from "../../src/exchange/legs/outgoing-options.ts";
import { openStreamHub } from "../../src/exchange/legs/stream-hub.ts";
import { hash } from "../../src/exchange/signalling/registrar/hashing.ts";
import type { CodecName } from "../../src/media/engine.ts";
import type { Header } from "../../src/sip/message/message.ts";
import { openStack } from "../../src/sip/stack.ts";
import type { openRandom } from "../../src/sip/transport/random.ts";
import type { Destination, Transport } from "../../src/sip/transport/transport.ts";
import type { TestClock } from "../ground/test-clock.ts";
import { unexpected } from "../ground/unexpected.ts";
import type { memoryNetwork } from "../sip/memory-network.ts";
import { silentMedia } from "./silent-media.ts";

export type TownPhone = {
  number: string;
  /** What its owner has heard and seen, in order. */
  seen: string[];
  /** Headers of the INVITE that last rang here. */
  lastInvite: Header[];
  /** What its INVITEs say of who calls. */
  from: string;
  calls(number: string, headers?: Header[]): Promise<void>;
  rings(): Promise<void>;
  answers(): Promise<void>;
  refuses(status: "busy" | "rejects"): Promise<void>;
  /** What its ringing says beside that it rings. */
  says(headers: Header[]): void;
  /** From now on its own key forwards whatever rings here: a 3xx with these contacts. */
  forwards(status: number, ...contacts: string[]): void;
  hangsUp(): Promise<void>;
  /** A key, as its phone's INFO tells it. */
  presses(key: string): Promise<void>;
  /** Puts the other side on hold, or takes it back; and says so whenever it is asked what it sends. */
  holds(on: boolean): void;
  leg(): Leg;
  rtpPort(): number;
};

/** `unplug`: from now on nothing reaches it, and nothing comes from it. */
export type PluggedPhone = TownPhone & { destination: Destination; unplug(): Promise<void> };

export type PhoneParts = {
  clock: TestClock;
  network: ReturnType<typeof memoryNetwork>;
  random: ReturnType<typeof openRandom>;
  /** How many phones were there before it. */
  place: number;
  until(what: string, isSo: () => boolean): Promise<void>;
};

/** What it speaks, and how it is set up for encryption and keys. */
export type PhoneHabits = { codecs?: readonly CodecName[]; terms?: LineTerms };

export function openTownPhone(
  number: string,
  { clock, network, random, place, until }: PhoneParts,
  { codecs = ["PCMA"], terms = {} }: PhoneHabits = {},
): PluggedPhone {
  const address = `10.0.1.${place + 1}`;
  let isHolding = false;
  const wire = network.attach({ address });
  const line: Transport = {
    ...wire,
    send: (octets, ...there) => wire.send(isHolding ? octets.replace("a=sendrecv", "a=sendonly") : octets, ...there),
  };
  // Phones look at the branch of a CANCEL and at nothing else: whoever takes a call over takes its ringing back.
  const own = openStack({ clock, random, unexpected, transports: [line], mayTakeBack: () => true });
  const media = silentMedia({ address, firstPort: 20_000 + place * 1_000 });
  const parts: LegParts = {
    clock,
    random,
    hash,
    stack: own,
    media,
    streams: openStreamHub(media),
    locate: async () => [],
    unexpected,
    product: `phone ${number}`,
    mistake: (error) => {
      throw error;
    },
  };
  let leg: Leg | undefined;
  const seen: string[] = [];
  const watch = (next: Leg) => {
    leg = next;
    next.listen((event: LegEvent) => seen.push(event.is === "ended" ? `ended ${event.ending.cause}` : event.is));
  };
  let forwarding: { status: number; contacts: string[] } | undefined;
  let saying: Header[] = [];
  let said = 1;
  const current = () => {
    if (!leg) throw new Error(`${number} is on no call`);
    return leg;
  };
  const self: PluggedPhone = {
    number,
    seen,
    lastInvite: [],
    from: `<sip:${number}@town.example>`,
    destination: { transport: "udp", address, port: 5060 },
    leg: current,
    unplug: () => own.close(),
    rtpPort: () => Number(/\d+/.exec(current().stream() ?? "silent-0")![0]),
    async calls(dialled, headers = []) {
      const options: OutgoingOptions = {
        id: randomUUID(),
        party: { is: "outside", number: dialled, name: "" },
        codecs,
        terms,
        uri: `sip:${dialled}@10.0.0.1`,
        destinations: [{ transport: "udp", address: "10.0.0.1", port: 5060 }],
        keepsFlow: false,
        from: self.from,
        to: `<sip:${dialled}@town.example>`,
        headers,
      };
      watch(outgoingLeg(parts, options));
    },
    rings: () => until(`${number} rings`, () => seen.includes("is rung")),
    async answers() {
      await self.rings();
      await current().answer();
    },
    async refuses(how) {
      await self.rings();
      current().end(how === "busy" ? "USER_BUSY" : "CALL_REJECTED");
    },
    says(headers) {
      saying = headers;
    },
    forwards(status, ...contacts) {
      forwarding = { status, contacts };
    },
    async presses(key) {
      const type = { name: "Content-Type", value: "application/dtmf-relay" };
      current().ask("INFO", { headers: [type], body: `Signal=${key}\r\nDuration=160\r\n` });
    },
    holds(on) {
      isHolding = on;
      said += 1;
      const sdp = [
        ...["v=0", `o=- 1 ${said} IN IP4 ${address}`, "s=-", `c=IN IP4 ${address}`, "t=0 0"],
        ...[`m=audio ${self.rtpPort()} RTP/AVP 8`, "a=sendrecv", ""],
      ];
      const type = { name: "Content-Type", value: "application/sdp" };
      current().ask("UPDATE", { headers: [type], body: sdp.join("\r\n") });
    },
    async hangsUp() {
      current().end("NORMAL_CLEARING");
    },
  };
  own.onRequest((incoming) => {
    if (incoming.request.method !== "INVITE") return void incoming.reply(200);
    if (forwarding) {
      const headers = forwarding.contacts.map((value) => ({ name: "Contact", value }));
      seen.push("forwards");
      return void incoming.reply(forwarding.status, { headers });
    }
    const party = { is: "outside", number: "", name: "" } as const;
    const rung = incomingLeg(parts, incoming, { id: randomUUID(), party, codecs, terms });
    if (!rung) return;
    if (rung.admit()) return rung.end("INCOMPATIBLE_DESTINATION");
    self.lastInvite = incoming.request.headers;
    watch(rung);
    seen.push("is rung");
    if (saying.length > 0) incoming.reply(180, { headers: saying });
    rung.ring();
  });
  return self;
}
