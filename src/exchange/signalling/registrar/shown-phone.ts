// A registered phone as an operator sees it.

import { type Clock, stampOf } from "../../../clock.ts";
import { speakerOf } from "../../../sip/transport/speaker.ts";
import type { Binding } from "./binding.ts";
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
  roundTripMs: number | null;
  expires: Date;
};

type Looking = {
  clock: Clock;
  exchangeId: number;
  directory: Pick<Directory, "extensionById">;
  watch: Pick<PhoneWatch, "silentSince" | "roundTripMs">;
  isReachable(binding: Binding): boolean;
};

export function shownPhones(looking: Looking, bindings: Iterable<Binding>): ShownPhone[] {
  const own = [...bindings].filter(({ exchangeId }) => exchangeId === looking.exchangeId);
  return own.flatMap((binding) => shownPhone(looking, binding)).sort((a, b) => (a.extension < b.extension ? -1 : 1));
}

function shownPhone({ clock, directory, watch, isReachable }: Looking, binding: Binding): ShownPhone[] {
  const { extensionId, userAgent, uri: contact, source, expires } = binding;
  const extension = directory.extensionById(extensionId)?.number;
  if (extension === undefined) return [];
  const isSilent = watch.silentSince(binding) !== undefined;
  const state = !isReachable(binding) ? "disconnected" : isSilent ? "silent" : "answers";
  const { transport } = source;
  const speaker = speakerOf(source);
  const address = `${speaker.address}:${speaker.port}`;
  const roundTripMs = watch.roundTripMs(binding) ?? null;
  const shown = { extension, userAgent, contact, transport, address, state, roundTripMs } as const;
  return [{ ...shown, expires: new Date(stampOf(clock, expires)) }];
}
