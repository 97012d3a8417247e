// A registered phone as an operator sees it.

import { type Clock, stampOf } from "../../../clock.ts";
import type { DigestAlgorithm } from "../../../sip/digest-answer.ts";
import { speakerOf } from "../../../sip/transport/speaker.ts";
import { type Binding, isBrowser } from "./binding.ts";
import type { ChallengeOrders } from "./challenge-order.ts";
import type { Directory } from "./directory.ts";
import type { PhoneWatch } from "./watch.ts";

export type ShownPhone = {
  extension: string;
  userAgent: string;
  contact: string;
  transport: string;
  address: string;
  /** Disconnected: the connection that was the only way to it is gone. */
  state: "answers" | "silent" | "disconnected";
  /** By which it logged in last; null where nobody knows. */
  digest: DigestAlgorithm | null;
  roundTripMs: number | null;
  expires: Date;
};

type Looking = {
  clock: Clock;
  exchangeId: number;
  directory: Pick<Directory, "extensionById">;
  watch: Pick<PhoneWatch, "silentSince" | "roundTripMs">;
  isReachable(binding: Binding): boolean;
  digestOf: ChallengeOrders["lastOf"];
};

export function shownPhones(looking: Looking, bindings: Iterable<Binding>): ShownPhone[] {
  const own = [...bindings].filter(({ exchangeId }) => exchangeId === looking.exchangeId);
  return own.flatMap((binding) => shownPhone(looking, binding)).sort((a, b) => (a.extension < b.extension ? -1 : 1));
}

function shownPhone({ clock, directory, watch, isReachable, digestOf }: Looking, binding: Binding): ShownPhone[] {
  const { exchangeId, extensionId, userAgent, uri: contact, source, expires } = binding;
  const extension = directory.extensionById(extensionId)?.number;
  if (extension === undefined) return [];
  const isSilent = watch.silentSince(binding) !== undefined;
  const state = !isReachable(binding) ? "disconnected" : isSilent ? "silent" : "answers";
  const { transport } = source;
  const speaker = speakerOf(source);
  const address = `${speaker.address}:${speaker.port}`;
  const roundTripMs = watch.roundTripMs(binding) ?? null;
  const digest = digestOf({ exchangeId, user: extension, userAgent }) ?? null;
  const shown = { extension, userAgent, contact, transport, address, state, roundTripMs, digest } as const;
  return [{ ...shown, expires: new Date(stampOf(clock, expires)) }];
}

/** Extensions of an exchange with a phone that logs in by MD5 and is shut out where SHA-256 alone is taken: none in a browser. */
export type Md5Phones = { exchangeId: number; takesMd5: boolean; extensions: string[] };

type Reading = { directory: Pick<Directory, "exchange" | "extensionById">; digestOf: ChallengeOrders["lastOf"] };

export function md5Phones({ directory, digestOf }: Reading, bindings: Iterable<Binding>): Md5Phones[] {
  const found = new Map<number, Set<string>>();
  for (const binding of bindings) {
    const { exchangeId, extensionId, userAgent } = binding;
    const user = directory.extensionById(extensionId)?.number;
    if (user === undefined || isBrowser(binding) || digestOf({ exchangeId, user, userAgent }) !== "MD5") continue;
    found.set(exchangeId, (found.get(exchangeId) ?? new Set()).add(user));
  }
  return [...found].map(([exchangeId, extensions]) => ({
    exchangeId,
    takesMd5: directory.exchange(exchangeId)?.sipDigests !== "sha-256",
    extensions: [...extensions].sort(),
  }));
}
