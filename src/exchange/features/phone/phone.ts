// A telephone without a handset, for trying an exchange out: it registers, answers, says a tone and records nothing.

import type { Cancel, Clock } from "../../../clock.ts";
import { lawNames } from "../../../codecs/codec.ts";
import type { Unexpected } from "../../../machine.ts";
import type { MediaEngine } from "../../../media/engine.ts";
import type { Hash } from "../../../sip/digest-answer.ts";
import { fromOf } from "../../../sip/headers/addresses.ts";
import { newCallId, newTag, type Random } from "../../../sip/headers/random.ts";
import type { Incoming } from "../../../sip/incoming.ts";
import type { Header, Request } from "../../../sip/message/message.ts";
import { userIn } from "../../../sip/message/uri.ts";
import { openStack, type Stack } from "../../../sip/stack.ts";
import type { Destination, Transport } from "../../../sip/transport/transport.ts";
import type { Leg } from "../../calls/leg.ts";
import { incomingLeg } from "../../legs/incoming-leg.ts";
import { contactAt, type LegParts } from "../../legs/leg-parts.ts";
import { outgoingLeg } from "../../legs/outgoing-leg.ts";
import { openStreamHub } from "../../legs/stream-hub.ts";
import { askCarrier } from "../../signalling/trunks/asking.ts";

export type PhoneParts = {
  clock: Clock;
  random: Random;
  hash: Hash;
  media: MediaEngine;
  transport: Transport;
  newId(): string;
};

export type PhoneOptions = {
  number: string;
  password: string;
  domain: string;
  exchange: Destination;
  /** What its owner says all the time: "440/1000". */
  says: string;
  /** Everything that happens, in words. */
  tell(text: string): void;
};

export type Phone = {
  /** False when the exchange does not know it. */
  register(): Promise<boolean>;
  call(number: string): void;
  hangUp(): void;
  close(): Promise<void>;
};

const REGISTER_SECONDS = 300;

export function openPhone(parts: PhoneParts, options: PhoneOptions): Phone {
  const { clock, random, hash, media } = parts;
  const { number, password, domain, exchange, tell } = options;
  const legs = legParts(parts, tell);
  const { stack } = legs;
  const account = { user: number, password };
  const own = `<sip:${number}@${domain}>`;
  let current: Leg | undefined;
  let cancelRefresh: Cancel = () => undefined;
  stack.onRequest((incoming) => take(incoming));
  const registers = registrations({ own, domain, contact: contactAt(stack, exchange), random });
  return {
    register,
    call(dialled) {
      tell(`calls ${dialled}`);
      const uri = `sip:${dialled}@${domain}`;
      const party = { is: "outside", number: dialled, name: "" } as const;
      const addressed = { uri, from: own, to: `<${uri}>`, destinations: [exchange] as const, headers: [] };
      watch(
        outgoingLeg(legs, {
          id: parts.newId(),
          party,
          codecs: lawNames,
          keepsFlow: true,
          account,
          ...addressed,
        }),
      );
    },
    hangUp: () => current?.end("NORMAL_CLEARING"),
    async close() {
      cancelRefresh();
      current?.end("NORMAL_CLEARING");
      await ask(0);
      await stack.close();
    },
  };

  function ask(seconds: number) {
    return askCarrier({ stack, hash, random }, (extra) => registers(seconds, extra), {
      destinations: [exchange],
      account,
    });
  }

  async function register(): Promise<boolean> {
    const outcome = await ask(REGISTER_SECONDS);
    cancelRefresh = clock.after((REGISTER_SECONDS * 1_000) / 2, () => void register());
    return outcome.is === "success";
  }

  function watch(leg: Leg): void {
    current = leg;
    listen(leg, { ...options, media });
  }

  function take(incoming: Incoming): void {
    if (incoming.request.method !== "INVITE") return void incoming.reply(200);
    const caller = userIn(fromOf(incoming.request).uri) ?? "somebody";
    const party = { is: "outside", number: caller, name: "" } as const;
    const leg = incomingLeg(legs, incoming, { id: parts.newId(), party, codecs: lawNames });
    if (!leg) return undefined;
    tell(`${caller} calls, and is answered`);
    watch(leg);
    leg.ring();
    return void leg.answer().then((up) => up && speak(leg, { ...options, media }));
  }
}

function listen(leg: Leg, { media, says, tell }: Pick<PhoneOptions, "says" | "tell"> & { media: MediaEngine }): void {
  leg.listen((event) => {
    if (event.is === "ringing") tell("hears it ringing");
    if (event.is === "answered") speak(leg, { media, says, tell });
    if (event.is === "digit") tell(`hears key ${event.digit}`);
    if (event.is === "ended") tell(`the call is over: ${event.ending.cause}`);
  });
}

function speak(leg: Leg, { media, says, tell }: Pick<PhoneOptions, "says" | "tell"> & { media: MediaEngine }): void {
  tell("talks");
  const stream = leg.stream();
  if (stream !== undefined) void media.play(stream, { sounds: [{ is: "tone", spec: says }], repeat: "forever" });
}

function legParts({ transport, ...parts }: PhoneParts, tell: (text: string) => void): LegParts & { stack: Stack } {
  const { clock, random, media } = parts;
  const mistake = (error: unknown) => tell(String(error));
  const unexpected = (what: Unexpected) => tell(`does not expect ${Object.values(what).join(", ")}`);
  const stack = openStack({ clock, random, unexpected, transports: [transport] });
  return {
    ...parts,
    stack,
    mistake,
    unexpected,
    streams: openStreamHub(media),
    locate: async () => [],
    product: "Santral phone",
  };
}

/** REGISTER after REGISTER of one phone: the same Call-ID, a higher CSeq each time. */
function registrations(phone: { own: string; domain: string; contact: string; random: Random }) {
  const callId = newCallId(phone.random);
  let sequence = 0;
  return (seconds: number, extra: Header[]): Request => {
    sequence += 1;
    const headers: Header[] = [
      { name: "From", value: `${phone.own};tag=${newTag(phone.random)}` },
      { name: "To", value: phone.own },
      { name: "Call-ID", value: callId },
      { name: "CSeq", value: `${sequence} REGISTER` },
      { name: "Contact", value: phone.contact },
      { name: "Expires", value: String(seconds) },
      ...extra,
    ];
    return { is: "request", method: "REGISTER", uri: `sip:${phone.domain}`, headers, body: "" };
  };
}
