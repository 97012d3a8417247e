// Lamps and message-waiting: phones subscribe, and are notified whenever what they watch changes.

import { OFFICE_CODE } from "../../../nouns/choices.ts";
import { dialogAsCallee } from "../../../sip/dialog.ts";
import { eventOf } from "../../../sip/headers/event.ts";
import { tokenList } from "../../../sip/headers/token-lists.ts";
import type { Incoming } from "../../../sip/incoming.ts";
import { isMalformed } from "../../../sip/message/malformed.ts";
import { parseSipUri } from "../../../sip/message/uri.ts";
import type { Directory, HomeExchange, HomeExtension } from "../registrar/directory.ts";
import type { Authenticate, Login } from "../registrar/login.ts";
import { type LampParts, openLamp, SUBSCRIPTION_SECONDS, secondsAsked } from "./lamp.ts";
import { type Lamp, noLamps } from "./lamps.ts";
import { isPackage, newsOf, OFFERED, OWN, type Package, type PresenceSources } from "./packages.ts";

export type Presence = {
  /** Takes a SUBSCRIBE outside a dialog and answers it. */
  subscribe(incoming: Incoming): void;
  /** Something about this extension has changed: whoever watches it is told. */
  changed(exchangeId: number, extension: string, what?: Package): void;
  /** Replaces what was passed at the opening; parts may be given one by one. */
  provide(sources: Partial<PresenceSources>): void;
  counts(): { subscriptions: number };
  close(): void;
};

export type PresenceParts = LampParts & {
  directory: Directory;
  authenticate: Authenticate;
  sources?: Partial<PresenceSources>;
};

/** A key module with every colleague on it, and then some. */
const MOST_PER_EXTENSION = 200;

type Watched = Pick<HomeExtension, "id" | "number">;

export function openPresence(parts: PresenceParts): Presence {
  const { directory, authenticate } = parts;
  const lamps = noLamps();
  const sources: PresenceSources = {
    voicemail: () => ({ unheard: 0, heard: 0 }),
    calls: () => [],
    isReachable: () => false,
    published: () => undefined,
    agent: () => undefined,
    ...parts.sources,
  };

  return {
    subscribe,
    changed(exchangeId, extension, what) {
      for (const lamp of lamps.showing(exchangeId, extension))
        if (!what || lamp.what === what) lamp.subscription.changed();
    },
    provide(given) {
      Object.assign(sources, given);
    },
    counts: () => ({ subscriptions: lamps.all().length }),
    close() {
      for (const lamp of lamps.all()) lamp.subscription.end("deactivated");
    },
  };

  function subscribe(incoming: Incoming): void {
    const login = authenticate(incoming);
    if (!("extension" in login)) return;
    const event = eventOf(incoming.request);
    const what = event === undefined || isMalformed(event) ? "" : event.package;
    const seconds = secondsAsked(incoming);
    if (!isPackage(what)) incoming.reply(489, { headers: [tokenList("Allow-Events", OFFERED)] });
    else if (seconds > 0 && seconds < SUBSCRIPTION_SECONDS.least)
      incoming.reply(423, { headers: [{ name: "Min-Expires", value: String(SUBSCRIPTION_SECONDS.least) }] });
    else light(incoming, { what, exchange: login.exchange, subscriber: login.extension });
  }

  type Wanted = { what: Package; exchange: HomeExchange; subscriber: HomeExtension };

  function light(incoming: Incoming, { what, exchange, subscriber }: Wanted): void {
    const watched = watchedIn(incoming, exchange, what);
    const mayWatch = watched && (!OWN.includes(what) || watched.id === subscriber.id);
    const dialog = dialogAsCallee(incoming.request, incoming.localTag, incoming.source);
    if (!mayWatch) incoming.reply(404);
    else if (isMalformed(dialog)) incoming.reply(400, { reason: "Bad Contact" });
    else if (lamps.countOf(subscriber.id) >= MOST_PER_EXTENSION) incoming.reply(480);
    else {
      const { number } = watched;
      const facts = { exchangeId: exchange.id, extension: number, what };
      let version = 0;
      let isOver = false;
      const owns = watched.id === subscriber.id;
      const sees = () => owns || directory.extensionById(subscriber.id)?.seesCallers !== false;
      const news = () => {
        const name = directory.extensionById(watched.id)?.name ?? "";
        return newsOf(facts, { exchange, sources, version: version++, name, watcher: { sees: sees(), owns } });
      };
      const over = () => {
        isOver = true;
        if (lamp) lamps.putAway(lamp);
      };
      const isSubscriber = (again: Incoming) => isBy(authenticate(again), subscriber, again);
      let lamp: Lamp | undefined;
      const subscription = openLamp(parts, { incoming, dialog, contactUser: number, news, over, isSubscriber });
      lamp = { ...facts, subscriber: subscriber.id, subscription };
      // A SUBSCRIBE for 0 seconds only asks once, and is over before we are here.
      if (!isOver) lamps.hang(lamp);
    }
  }

  /** A colleague, or the office's own switch, which is no extension. */
  function watchedIn({ request }: Incoming, exchange: HomeExchange, what: Package): Watched | undefined {
    const uri = parseSipUri(request.uri);
    if (isMalformed(uri)) return undefined;
    if (uri.user === OFFICE_CODE && what === "dialog") return { id: 0, number: OFFICE_CODE };
    return directory.extension(exchange.id, uri.user ?? "");
  }
}

function isBy(login: Login, { id }: HomeExtension, again: Incoming): boolean {
  const isIt = "extension" in login && login.extension.id === id;
  if ("extension" in login && !isIt) again.reply(403);
  return isIt;
}
