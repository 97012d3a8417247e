// Somebody whose web phone is closed is told of a call through his browser, and waited for while the call rings.

import type { Cancel } from "../../clock.ts";
import type { CallNote } from "../../push/note.ts";
import type { CallSettings, ExtensionSettings } from "../../store/call-settings.ts";
import type { HangupCause } from "../calls/causes.ts";
import type { Leg } from "../calls/leg.ts";
import type { Latecomers, Rung } from "../calls/ring.ts";
import type { Shown } from "../calls/shown.ts";
import type { SettingsBook } from "../plan/settings.ts";
import { type Binding, isBrowser } from "../signalling/registrar/binding.ts";
import type { Registrar } from "../signalling/registrar/registrar.ts";
import { shownBy } from "./caller-id.ts";
import type { Guide } from "./guide.ts";

/** Kept with how many browsers have been told. */
export type Wake = (line: { exchangeId: number; extension: string }, note: CallNote) => Promise<number>;

export type WakeNeeds = {
  registrar: Pick<Registrar, "contactsOf" | "onRegister" | "onChange" | "onGone" | "watch">;
  wake?: Wake | undefined;
};

export type Waking = {
  /** Somebody has been told. */
  hasBegun(): boolean;
  /** Begins to tell, unless a page is open, and to look for who comes. */
  latecomers(legTo: (phone: Binding) => Leg): Latecomers;
  /** What has become of the call takes the place of the news that it rings. */
  over(rung: Rung): void;
};

/** What was sent to a page in the moment of its end fails within this: then the ringing is over, and begins anew. */
const SETTLED_MS = 100;

/** Somebody else has it: that is nobody's missed call. */
const TAKEN: readonly HangupCause[] = ["LOSE_RACE", "PICKED_OFF"];

/** Whoever calls it reaches none of its phones, but may wake one. */
export function isAsleep(
  { registrar, wake }: WakeNeeds,
  { settings, extensions }: Pick<CallSettings, "settings" | "extensions">,
  number: string,
): boolean {
  const extension = extensions.get(number);
  if (!wake || !extension?.active || !extension.canBeWoken) return false;
  if (extension.dnd || extension.forwardAlways !== null) return false;
  return thereOf(registrar, registrar.contactsOf(settings.id, number)).length === 0;
}

/** The same of everybody in an exchange, as it is set now. */
export function whoSleeps(needs: WakeNeeds, settings: Pick<SettingsBook, "of">) {
  return async (exchangeId: number) => {
    const book = await settings.of(exchangeId);
    return (extension: string) => book !== undefined && isAsleep(needs, book, extension);
  };
}

/** A page that sleeps keeps its connection for a while, and answers nothing. */
function thereOf({ watch }: WakeNeeds["registrar"], phones: readonly Binding[]): Binding[] {
  return phones.filter((phone) => watch.silentSince(phone) === undefined);
}

/** Undefined: no browser of it waits to be told. One that is there rings by itself; the others are told when it is gone. */
export function wakingOf(
  guide: Guide<WakeNeeds>,
  { number: extension, canBeWoken }: ExtensionSettings,
  { phones, shown }: { phones: readonly Binding[]; shown: Shown },
): Waking | undefined {
  const { call, book, has } = guide;
  const { wake } = has;
  if (!wake || canBeWoken !== true) return undefined;
  const there = thereOf(has.registrar, phones);
  const line = { exchangeId: book.settings.id, extension };
  const about = { call: call.facts.uuid, number: shown.number, name: shown.name };
  let hasBegun = false;
  const begin = (nobodyComes: () => void) => {
    hasBegun = true;
    void wake(line, { is: "ringing", ...about }).then((browsers) => {
      if (browsers === 0) return nobodyComes();
      if (guide.signal.aborted) return undefined;
      call.tell({ is: "wakes", extension, browsers });
      return guide.rings(undefined);
    });
  };
  return {
    hasBegun: () => hasBegun,
    latecomers: (legTo) => (waiting) => {
      const stop = watchFor(has.registrar, { ...line, phones: there }, (phone) => waiting.join(legTo(phone)));
      if (!there.some(isBrowser)) {
        begin(waiting.nobodyComes);
        return stop;
      }
      waiting.nobodyComes();
      const stopLooking = onceGone(guide, line, () => begin(() => undefined));
      return () => {
        stop();
        stopLooking();
      };
    },
    over(rung) {
      const isTaken = "answered" in rung || TAKEN.includes(rung.failed.cause);
      if (hasBegun) void wake(line, { is: isTaken ? "answered" : "missed", ...about });
    },
  };
}

/** A page that is closed while it rings says nothing: its connection ends, or it is no longer among the phones. */
function onceGone(
  { clock, has: { registrar } }: Pick<Guide<WakeNeeds>, "clock" | "has">,
  line: { exchangeId: number; extension: string },
  act: () => void,
): Cancel {
  const pages = () => thereOf(registrar, registrar.contactsOf(line.exchangeId, line.extension)).filter(isBrowser);
  const connectionsOf = (phones: readonly Binding[]) =>
    new Set(phones.map(({ destination }) => destination.connection));
  let open = connectionsOf([]);
  let cancel: Cancel = () => undefined;
  const look = () => {
    const phones = pages();
    open = connectionsOf(phones);
    if (phones.length > 0) return;
    stop();
    cancel = clock.after(SETTLED_MS, act);
  };
  const stops = [
    registrar.onGone((connection) => open.has(connection) && look()),
    registrar.onChange((of) => of.exchangeId === line.exchangeId && of.extension === line.extension && look()),
  ];
  const stop = () => {
    cancel();
    for (const stopListening of stops) stopListening();
  };
  look();
  return stop;
}

export type Telling = {
  /** Kept with how many of his browsers were told. */
  tell(extension: string): Promise<number>;
  /** What has become of the caller takes the place of the news. */
  over(isTaken: boolean): void;
};

/** Tells several of a caller who waits for whoever comes first. */
export function tellingBy(wake: Wake, exchangeId: number, about: Omit<CallNote, "is">): Telling {
  const told = new Set<string>();
  return {
    tell(extension) {
      told.add(extension);
      return wake({ exchangeId, extension }, { is: "ringing", ...about });
    },
    over(isTaken) {
      for (const extension of told)
        void wake({ exchangeId, extension }, { is: isTaken ? "answered" : "missed", ...about });
    },
  };
}

/** The same of one who is on the line, in whose story it stands. */
export function tellingOf(guide: Guide<WakeNeeds>): Telling {
  const { call, book, has } = guide;
  const telling = has.wake && tellingBy(has.wake, book.settings.id, { call: call.facts.uuid, ...shownBy(guide) });
  return {
    async tell(extension) {
      if (!telling || guide.signal.aborted) return 0;
      const browsers = await telling.tell(extension);
      if (browsers > 0 && !guide.signal.aborted) call.tell({ is: "wakes", extension, browsers });
      return browsers;
    },
    over: (isTaken) => telling?.over(isTaken),
  };
}

/** Whoever has registered is rung once his REGISTER is answered: an INVITE before that might find nobody. */
function watchFor(
  registrar: WakeNeeds["registrar"],
  { exchangeId, extension, phones }: { exchangeId: number; extension: string; phones: readonly Binding[] },
  found: (phone: Binding) => void,
): Cancel {
  const known = new Set(phones.map(({ key }) => key));
  return registrar.onRegister(() => {
    for (const phone of registrar.contactsOf(exchangeId, extension)) {
      if (known.has(phone.key)) continue;
      known.add(phone.key);
      found(phone);
    }
  });
}
