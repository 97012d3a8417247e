// Which phones still answer: each is asked now and then by OPTIONS, calls say whom they did not reach, and those behind a
// NAT are sent signs of life. A silent phone keeps its registration: it is only not waited for.

import { between, type Clock, later, since, type Ticks, within } from "../../../clock.ts";
import { contactFor } from "../../../sip/contact.ts";
import { newCallId, newTag, type Random } from "../../../sip/headers/random.ts";
import { SIGN_OF_LIFE } from "../../../sip/keepalive/line-ends.ts";
import type { Request } from "../../../sip/message/message.ts";
import { SIGN_OF_LIFE_PATIENCE } from "../../../sip/patience.ts";
import type { Stack } from "../../../sip/stack.ts";
import type { Pace } from "../../../store/sip-accounts.ts";
import { type Binding, isBehindNat, isBrowser } from "./binding.ts";

export type PhoneWatch = {
  /** It has not answered since then; undefined while nothing speaks against it. */
  silentSince(binding: Binding): Ticks | undefined;
  /** How long its last answer took. */
  roundTripMs(binding: Binding): number | undefined;
  /** Whether a call, or whatever else was sent there, was heard of. */
  note(binding: Binding, answered: boolean): void;
  close(): void;
};

export type WatchParts = {
  clock: Clock;
  stack: Pick<Stack, "ask" | "doorTo">;
  random: Random;
  /** 0 to 1. */
  chance(): number;
  bindings(): Iterable<Binding>;
  paceOf(exchangeId: number): Pace;
  domainOf(exchangeId: number): string;
  /** It was there and is silent, or the other way round. */
  changed?(binding: Binding): void;
};

type Watched = {
  askAt: Ticks;
  keepAt: Ticks;
  /** Asked then, and nothing has come of it yet. */
  waitingSince?: Ticks | undefined;
  silentSince?: Ticks | undefined;
  roundTripMs?: number | undefined;
};

const LOOK_MS = 1_000;
/** Three datagrams are under way by then; whoever answers a little later is there again. */
const PATIENCE_MS = 3_000;

export function watchPhones(parts: WatchParts): PhoneWatch {
  const { clock, stack, chance, paceOf } = parts;
  // By the binding itself: a phone that registers again has spoken, and begins anew.
  const watched = new WeakMap<Binding, Watched>();
  let cancel = clock.after(LOOK_MS, look);
  return {
    silentSince: (binding) => watched.get(binding)?.silentSince,
    roundTripMs: (binding) => watched.get(binding)?.roundTripMs,
    note,
    close: () => cancel(),
  };

  function look(): void {
    cancel = clock.after(LOOK_MS, look);
    const now = clock.ticks();
    for (const binding of parts.bindings()) {
      if (isBrowser(binding)) continue; // its connection says whether it is there
      const pace = paceOf(binding.exchangeId);
      const phone = watchedOf(binding, pace, now);
      if (between(phone.waitingSince ?? now, now) >= PATIENCE_MS) giveUp(binding, phone);
      if (pace.qualifySeconds > 0 && phone.askAt <= now) ask(binding, phone, pace.qualifySeconds);
      if (pace.keepAliveSeconds > 0 && phone.keepAt <= now) keepOpen(binding, phone, pace.keepAliveSeconds);
    }
  }

  /** Spread over the whole time, or ten thousand phones of one restart would be asked in one second for ever. */
  function watchedOf(binding: Binding, pace: Pace, now: Ticks): Watched {
    const known = watched.get(binding);
    if (known) return known;
    const askAt = later(now, chance() * pace.qualifySeconds * 1_000);
    const keepAt = later(now, chance() * pace.keepAliveSeconds * 1_000);
    const phone = { askAt, keepAt };
    watched.set(binding, phone);
    return phone;
  }

  function ask(binding: Binding, phone: Watched, seconds: number): void {
    const sent = clock.ticks();
    phone.askAt = later(sent, seconds * 1_000);
    phone.waitingSince = sent;
    void stack.ask(optionsTo(parts, binding), binding.destination, SIGN_OF_LIFE_PATIENCE).then((outcome) => {
      phone.waitingSince = undefined;
      if ("response" in outcome) phone.roundTripMs = Math.round(since(clock, sent));
      note(binding, "response" in outcome);
    });
  }

  function giveUp(binding: Binding, phone: Watched): void {
    phone.waitingSince = undefined;
    note(binding, false);
  }

  function keepOpen(binding: Binding, phone: Watched, seconds: number): void {
    phone.keepAt = within(clock, seconds * 1_000);
    const { destination } = binding;
    if (destination.transport === "udp" && isBehindNat(binding))
      stack.doorTo(destination)?.send(SIGN_OF_LIFE, destination);
  }

  function note(binding: Binding, answered: boolean): void {
    const now = clock.ticks();
    const phone = watched.get(binding) ?? watchedOf(binding, paceOf(binding.exchangeId), now);
    const wasSilent = phone.silentSince !== undefined;
    phone.silentSince = answered ? undefined : (phone.silentSince ?? now);
    if (wasSilent === answered) parts.changed?.(binding);
  }
}

function optionsTo({ random, stack, domainOf }: WatchParts, { uri, route, destination, exchangeId }: Binding): Request {
  const domain = domainOf(exchangeId);
  const contact = contactFor(stack, "santral", [destination]);
  return {
    is: "request",
    method: "OPTIONS",
    uri,
    headers: [
      ...route.map((value) => ({ name: "Route", value })),
      { name: "From", value: `<sip:${domain}>;tag=${newTag(random)}` },
      { name: "To", value: `<${uri}>` },
      { name: "Call-ID", value: newCallId(random) },
      { name: "CSeq", value: "1 OPTIONS" },
      ...(contact === undefined ? [] : [{ name: "Contact", value: contact }]),
      { name: "Accept", value: "application/sdp" },
    ],
    body: "",
  };
}
