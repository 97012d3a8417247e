// What can be subscribed to, and what each NOTIFY says.

import { dialogInfo, type LampCall, messageSummary, presence } from "../../../sip/notification.ts";
import type { News } from "../../../sip/subscription.ts";
import type { HomeExchange } from "../registrar/directory.ts";

export type Package = "message-summary" | "dialog" | "presence";

/** What there is to tell of an extension; asked at every NOTIFY. */
export type PresenceSources = {
  voicemail(exchangeId: number, extension: string): { unheard: number; heard: number };
  calls(exchangeId: number, extension: string): readonly LampCall[];
  isReachable(exchangeId: number, extension: string): boolean;
};

type Watched = { exchangeId: number; extension: string; what: Package };
type Facts = {
  exchange: HomeExchange;
  sources: PresenceSources;
  version: number;
  /** The watched extension's own name. */
  name: string;
  /** Whether the one who watches may know who is on the line. */
  sees: boolean;
};

export const PACKAGES: Record<Package, (watched: Watched, facts: Facts) => News> = {
  "message-summary": ({ exchangeId, extension }, { exchange, sources }) =>
    messageSummary({ account: entityOf(extension, exchange), ...sources.voicemail(exchangeId, extension) }),
  dialog: ({ exchangeId, extension: number }, { exchange, sources, version, name, sees }) => {
    const calls = sources.calls(exchangeId, number);
    return dialogInfo({ number, name, domain: exchange.sipDomain, version, calls }, sees);
  },
  presence: ({ exchangeId, extension }, { exchange, sources }) => {
    const isBusy = sources.calls(exchangeId, extension).some(({ state }) => state === "confirmed");
    const isOpen = sources.isReachable(exchangeId, extension);
    return presence({ entity: entityOf(extension, exchange), isOpen, ...(isBusy && { note: "On the phone" }) });
  },
};

export const isPackage = (name: string): name is Package => Object.hasOwn(PACKAGES, name);

export function newsOf(watched: Watched, facts: Facts): News {
  return PACKAGES[watched.what](watched, facts);
}

const entityOf = (extension: string, { sipDomain }: HomeExchange) => `sip:${extension}@${sipDomain}`;
