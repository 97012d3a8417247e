// The sandbox: a telephone network in a box, for exchanges that have no trunk yet. It stands outside the exchange and
// speaks real SIP and RTP with it over loopback; only the people in it are made up. Whoever calls them needs no login,
// so nobody but the exchange is heard.

import { asWritten, bracketed } from "../../../addresses.ts";
import type { Clock } from "../../../clock.ts";
import { fixedNames, lawNames } from "../../../codecs/codec.ts";
import type { Log } from "../../../log.ts";
import type { ReportUnexpected } from "../../../machine.ts";
import type { MediaEngine } from "../../../media/engine.ts";
import type { Hash } from "../../../sip/digest-answer.ts";
import { fromOf } from "../../../sip/headers/addresses.ts";
import { printNameAddress } from "../../../sip/headers/name-address.ts";
import { ANONYMOUS } from "../../../sip/headers/privacy.ts";
import type { Random } from "../../../sip/headers/random.ts";
import type { Incoming } from "../../../sip/incoming.ts";
import { headerOf } from "../../../sip/message/message.ts";
import { octetsOf } from "../../../sip/message/text.ts";
import { userIn } from "../../../sip/message/uri.ts";
import { openStack, type Stack } from "../../../sip/stack.ts";
import type { Destination, Source, Transport } from "../../../sip/transport/transport.ts";
import type { Leg } from "../../calls/leg.ts";
import type { Way } from "../../lead/outside.ts";
import { incomingLeg } from "../../legs/incoming-leg.ts";
import type { LegParts } from "../../legs/leg-parts.ts";
import { outgoingLeg } from "../../legs/outgoing-leg.ts";
import type { StreamHub } from "../../legs/stream-hub.ts";
import { inForm, phoneNumber, storedForm, written } from "../../plan/numbers.ts";
import type { FromTrunk } from "../../signalling/trunks/from-trunk.ts";
import { type Behaviour, behaviourOf, NOBODY } from "./behaviours.ts";
import type { SandboxFaxes } from "./fax-machines.ts";
import { openParty, PartyGone } from "./sandbox-party.ts";

export type SandboxParts = {
  clock: Clock;
  log: Log;
  unexpected: ReportUnexpected;
  media: MediaEngine;
  streams: StreamHub;
  random: Random;
  hash: Hash;
  /** The sandbox's own door, apart from the exchange's. */
  transport: Transport;
  /** Where the exchange takes calls. */
  exchange: Destination;
  /** Whether it is the exchange that speaks: nobody else is heard. */
  isExchange(source: Source): boolean;
  /** Whether the sandbox is the public network of that exchange. */
  serves(exchangeId: number): boolean;
  newId(): string;
  /** Without them the numbers of fax machines hang up. */
  faxes?: SandboxFaxes | undefined;
};

export type CallIn = { exchangeId: number; from: string; to: string };

export type Sandbox = {
  way: Way;
  /** What the sandbox's people call in with; undefined for every other INVITE. */
  recognise(asked: Pick<Incoming, "request" | "source">): FromTrunk | undefined;
  /** Makes one of the sandbox's people call a number of the exchange. */
  call(call: CallIn): { refused: string } | "calling";
  close(): Promise<void>;
};

/** Only believed from the sandbox's own door, which nobody else on this machine can have. */
const FOR_EXCHANGE = "X-Santral-Exchange";

export function openSandbox(parts: SandboxParts): Sandbox {
  const { transport, clock, random, unexpected } = parts;
  const guard = (source: Source) => (parts.isExchange(source) ? "pass" : "drop");
  const stack: Stack = openStack({ clock, random, unexpected, transports: [transport], guard });
  const mistake = (error: unknown) =>
    parts.log.error({ error: error instanceof Error ? error.stack : String(error) }, "the sandbox broke");
  const legs: LegParts = { ...parts, stack, locate: async () => [], product: "Santral sandbox", mistake };
  const here: Destination = {
    transport: "udp",
    address: asWritten(transport.sentBy.host),
    port: transport.sentBy.port,
  };
  const callIn = (call: CallIn) => placeCall(parts, legs, call, act);
  stack.onRequest((incoming) => takeCall(incoming));
  return {
    way: wayInto(here),
    recognise: (incoming) => recognise(incoming, here, parts.serves),
    call: callIn,
    close: () => stack.close(),
  };

  function takeCall(incoming: Incoming): void {
    if (incoming.request.method !== "INVITE")
      return void incoming.reply(incoming.request.method === "OPTIONS" ? 200 : 405);
    const dialled = storedForm(userIn(incoming.request.uri) ?? "") ?? "";
    const party = { is: "outside", number: callerOf(incoming), name: "" } as const;
    const leg = incomingLeg(legs, incoming, { id: parts.newId(), party, codecs: fixedNames });
    const found = behaviourOf(dialled);
    if (!leg) return;
    if (!found) return leg.end(NOBODY);
    const exchangeId = Number(headerOf(incoming.request, FOR_EXCHANGE));
    const callBack = () => callIn({ exchangeId, from: dialled, to: party.number });
    act({ leg, behaviour: found.behaviour, own: dialled, callBack });
  }

  function act({ leg, behaviour, own, callBack }: Acting): void {
    leg.listen(() => undefined);
    behaviour
      .act(openParty({ leg, own, media: parts.media, clock, faxes: parts.faxes, callBack }))
      .catch((error: unknown) => {
        if (error instanceof PartyGone) return;
        parts.log.error({ error: error instanceof Error ? error.stack : error }, "a sandbox number broke");
        leg.end("NORMAL_TEMPORARY_FAILURE");
      });
  }
}

type Acting = { leg: Leg; behaviour: Behaviour; own: string; callBack: () => void };

function placeCall(
  parts: SandboxParts,
  legs: LegParts,
  { exchangeId, from, to }: CallIn,
  act: (acting: Acting) => void,
): { refused: string } | "calling" {
  const caller = storedForm(from);
  const found = caller === undefined ? undefined : behaviourOf(caller);
  const called = storedForm(to);
  if (!found) return { refused: `${from} is not a number of the sandbox` };
  if (called === undefined) return { refused: `${to} is not a telephone number` };
  if (!parts.serves(exchangeId))
    return { refused: "the exchange has trunks of its own: SANTRAL_SANDBOX=on has the sandbox stand in for them" };
  const { address, port } = parts.exchange;
  const leg = outgoingLeg(legs, {
    id: parts.newId(),
    party: { is: "outside", number: called, name: "" },
    codecs: lawNames,
    uri: `sip:${called}@${bracketed(address)}:${port}`,
    destinations: [parts.exchange],
    keepsFlow: false,
    from: `<sip:${caller}@sandbox.invalid>`,
    to: `<sip:${called}@sandbox.invalid>`,
    headers: [{ name: FOR_EXCHANGE, value: String(exchangeId) }],
  });
  leg.listen((event) => {
    if (event.is === "answered") act({ leg, behaviour: found.behaviour, own: caller ?? "", callBack: () => undefined });
  });
  return "calling";
}

function wayInto(here: Destination): Way {
  const host = bracketed(here.address);
  return {
    trunk: null,
    codecs: fixedNames,
    seize: () => ({ release: () => undefined }),
    invite: ({ to, callerId, name, exchangeId, withheld }) => ({
      uri: `sip:${inForm(to, "e164")}@${host}:${here.port}`,
      destinations: [here],
      from: withheld
        ? ANONYMOUS
        : printNameAddress({
            display: octetsOf(name),
            uri: `sip:${callerId ? written(callerId) : "santral"}@sandbox.invalid`,
            parameters: [],
          }),
      to: `<sip:${inForm(to, "e164")}@sandbox.invalid>`,
      headers: [{ name: FOR_EXCHANGE, value: String(exchangeId) }],
    }),
  };
}

function recognise(
  { request, source }: Pick<Incoming, "request" | "source">,
  here: Destination,
  serves: SandboxParts["serves"],
): FromTrunk | undefined {
  if (source.transport !== "udp" || source.address !== here.address || source.port !== here.port) return undefined;
  const exchangeId = Number(headerOf(request, FOR_EXCHANGE));
  if (!serves(exchangeId)) return undefined;
  return { exchangeId, dialled: userIn(request.uri) ?? "", caller: { number: callerOf({ request }), name: "" } };
}

function callerOf({ request }: Pick<Incoming, "request">): string {
  const number = userIn(fromOf(request).uri) ?? "";
  const read = phoneNumber(number);
  return read ? inForm(read, "e164") : number;
}
