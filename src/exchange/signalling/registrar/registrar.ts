// The registrar: phones say where they are, the exchange finds them there, and a restart forgets nobody.

import { type Clock, until } from "../../../clock.ts";
import type { Log } from "../../../log.ts";
import { toOf } from "../../../sip/headers/addresses.ts";
import { date } from "../../../sip/headers/date.ts";
import type { Random } from "../../../sip/headers/random.ts";
import { knowsOption } from "../../../sip/headers/token-lists.ts";
import type { Incoming } from "../../../sip/incoming.ts";
import { isMalformed } from "../../../sip/message/malformed.ts";
import { type Header, headersOf, type Request } from "../../../sip/message/message.ts";
import type { Stack } from "../../../sip/stack.ts";
import type { Db } from "../../../store/db.ts";
import { type Binding, isBehindNat, isBrowser } from "./binding.ts";
import type { ChallengeOrders } from "./challenge-order.ts";
import type { Directory, HomeExtension } from "./directory.ts";
import { openKeeper } from "./keeper.ts";
import { type Authenticate, sipUriIn } from "./login.ts";
import { openRegistrations, type RegistrationChange, type Registrations } from "./registrations.ts";
import { type Md5Phones, md5Phones, type ShownPhone, shownPhones } from "./shown-phone.ts";
import { type Limits, REGISTRATION_LIMITS, type Update, updateBindings } from "./update.ts";
import { type PhoneWatch, watchPhones } from "./watch.ts";

export type Registrar = {
  /** Takes a REGISTER and answers it. */
  register(incoming: Incoming): void;
  /** The phones of an extension that can be reached now, the preferred ones first. */
  contactsOf(exchangeId: number, extension: string): Binding[];
  isRegistered(exchangeId: number, extension: string): boolean;
  /** Its phones are registered, and none of them answers. */
  isSilent(exchangeId: number, extension: string): boolean;
  /** Which of them still answer. */
  watch: Pick<PhoneWatch, "silentSince" | "roundTripMs" | "note">;
  /** Forgets the extension's phones in browsers, whether or not they are up; which they were. */
  withdrawBrowsers(exchangeId: number, extension: string): Binding[];
  /** Call what is returned to stop listening. */
  onChange(listen: (change: RegistrationChange) => void): () => void;
  /** Told after each REGISTER that leaves the extension with a phone, refreshes included. */
  onRegister(listen: (extensionId: number) => void): () => void;
  /** Told when a connection has ended, whosever it was. */
  onGone(listen: (connection: string) => void): () => void;
  gone(connection: string): void;
  counts(): { extensions: number; contacts: number };
  /** Every registration that stands, and where it came from. */
  bindings(): Iterable<Binding>;
  /** Every phone of an exchange, reachable or not, as the operator sees it. */
  list(exchangeId: number): ShownPhone[];
  /** Whose phones log in by MD5. */
  md5Phones(): Md5Phones[];
  /** Phones of exchanges that live here from now on. Those of one that leaves go with its extensions. */
  load(exchangeIds: readonly number[]): Promise<void>;
  close(): Promise<void>;
};

export type RegistrarParts = {
  db: Db;
  clock: Clock;
  log: Log;
  directory: Directory;
  authenticate: Authenticate;
  /** Asks phones whether they are there; tells whether the connection of one that cannot be called back is still up. */
  stack?: Pick<Stack, "doorTo" | "ask">;
  random?: Random;
  /** 0 to 1. */
  chance?(): number;
  limits?: Limits;
  /** By which digest a phone logged in last. */
  digestOf?: ChallengeOrders["lastOf"];
};

export async function openRegistrar(parts: RegistrarParts): Promise<Registrar> {
  const { clock, directory, authenticate, stack, limits = REGISTRATION_LIMITS } = parts;
  const keeper = openKeeper(parts);
  const book = await openRegistrations({ ...parts, keeper });
  const watch = watchAll(parts, book);
  const reaches = (binding: Binding) => isReachable(stack, binding);

  return {
    register,
    contactsOf,
    withdrawBrowsers,
    isRegistered: (exchangeId, extension) => contactsOf(exchangeId, extension).length > 0,
    isSilent: (exchangeId, extension) => areSilent(watch, contactsOf(exchangeId, extension)),
    ...toldBy(book),
    ...toldOfEnds(),
    watch,
    ...shownBy(parts, book, { watch, isReachable: reaches }),
    close() {
      watch.close();
      book.close();
      return keeper.close();
    },
  };

  function register(incoming: Incoming): void {
    const login = authenticate(incoming);
    if (!("extension" in login)) return;
    const { extension } = login;
    if (!isAbout(incoming.request, extension)) {
      incoming.reply(403);
      return;
    }
    const { request, source } = incoming;
    const ids = { exchangeId: extension.exchangeId, extensionId: extension.id };
    const then = { now: clock.ticks(), nowMs: clock.wall() };
    const asked = { request, source, ...ids, ...then, bindings: book.of(extension.id), isReachable: reaches };
    const update = updateBindings(asked, limits);
    if (update.is === "refused") refuse(incoming, update, limits);
    else if (update.is === "query") answer(incoming, book.of(extension.id));
    else carryOut(incoming, extension, update);
  }

  function carryOut(incoming: Incoming, extension: HomeExtension, update: Update & { is: "update" }): void {
    book.set(extension.id, update.bindings);
    const { saved, prolonged, removed, outbound } = update;
    keeper.keepLater(prolonged);
    const registered = () => {
      answer(incoming, update.bindings, outbound);
      if (update.bindings.length > 0) book.registered(extension.id);
    };
    if (saved.length + removed.length === 0) return registered();
    keeper.keep({ saved, removed }, (kept) => {
      if (kept) registered();
      else incoming.reply(503, { headers: [{ name: "Retry-After", value: "10" }] });
    });
    book.tell(extension.id);
  }

  function answer(incoming: Incoming, current: readonly Binding[], outbound = false): void {
    incoming.reply(200, { headers: headersFor(incoming.request, current, { outbound, clock }) });
  }

  function contactsOf(exchangeId: number, number: string): Binding[] {
    const extension = directory.extension(exchangeId, number);
    if (!extension) return [];
    const now = clock.ticks();
    const live = book.of(extension.id).filter((binding) => binding.expires > now && reaches(binding));
    const isSilent = (binding: Binding) => Number(watch.silentSince(binding) !== undefined);
    return live.sort((one, other) => isSilent(one) - isSilent(other) || other.preference - one.preference);
  }

  function withdrawBrowsers(exchangeId: number, number: string): Binding[] {
    const extension = directory.extension(exchangeId, number);
    const browsers = extension ? book.of(extension.id).filter(isBrowser) : [];
    book.forget(browsers);
    return browsers;
  }
}

type Seen = { watch: PhoneWatch; isReachable(binding: Binding): boolean };

function shownBy(
  { clock, directory, digestOf = () => undefined }: RegistrarParts,
  book: Registrations,
  seen: Seen,
): Pick<Registrar, "list" | "md5Phones"> {
  return {
    list: (exchangeId) => shownPhones({ ...seen, clock, exchangeId, directory, digestOf }, book.all()),
    md5Phones: () => md5Phones({ directory, digestOf }, book.all()),
  };
}

function toldOfEnds(): Pick<Registrar, "onGone" | "gone"> {
  const listeners = new Set<(connection: string) => void>();
  return {
    onGone(listen) {
      listeners.add(listen);
      return () => void listeners.delete(listen);
    },
    gone(connection) {
      for (const listen of [...listeners]) listen(connection);
    },
  };
}

function toldBy({ onChange, onRegister, counts, load, all }: Registrations) {
  return { onChange, onRegister, counts, load, bindings: all };
}

/** A browser, or a phone behind a NAT, cannot be called back: without its connection it is not there, whatever it said. */
function isReachable(stack: RegistrarParts["stack"], binding: Binding): boolean {
  const { connection } = binding.destination;
  if (!stack) return true;
  if (connection === undefined) return !isBrowser(binding);
  return (
    stack.doorTo(binding.destination)?.holds(connection) === true || (!isBrowser(binding) && !isBehindNat(binding))
  );
}

function areSilent(watch: PhoneWatch, phones: Binding[]): boolean {
  return phones.length > 0 && phones.every((phone) => watch.silentSince(phone) !== undefined);
}

/** Without a stack nobody is asked, and nothing speaks against anybody. */
const NOBODY_ASKED: PhoneWatch = {
  silentSince: () => undefined,
  roundTripMs: () => undefined,
  note: () => undefined,
  close: () => undefined,
};

function watchAll({ clock, directory, stack, random, chance }: RegistrarParts, book: Registrations): PhoneWatch {
  if (!stack || !random || !chance) return NOBODY_ASKED;
  return watchPhones({
    clock,
    stack,
    random,
    chance,
    bindings: book.all,
    paceOf: directory.paceOf,
    domainOf: (exchangeId) => directory.exchange(exchangeId)?.sipDomain ?? "invalid",
    changed: ({ extensionId }) => book.tell(extensionId),
  });
}

/** One extension's phone must not move another extension's calls. */
function isAbout(request: Request, { number }: HomeExtension): boolean {
  const uri = sipUriIn(toOf(request).uri);
  return !isMalformed(uri) && uri.user === number;
}

function refuse(incoming: Incoming, { status, reason }: Update & { is: "refused" }, { minSeconds }: Limits): void {
  const headers: Header[] = status === 423 ? [{ name: "Min-Expires", value: String(minSeconds) }] : [];
  incoming.reply(status, { headers, ...(reason !== undefined && { reason }) });
}

function headersFor(
  request: Request,
  current: readonly Binding[],
  { outbound, clock }: { outbound: boolean; clock: Clock },
): Header[] {
  const headers: Header[] = current.map(({ uri, preference, expires }) => {
    const seconds = Math.max(0, Math.round(until(clock, expires) / 1_000));
    return { name: "Contact", value: `<${uri}>;expires=${seconds}${preference === 1 ? "" : `;q=${preference}`}` };
  });
  headers.push(date(clock.wall())); // Many a phone sets its clock by it (10.3 step 8).
  if (outbound && knowsOption(request, "outbound")) headers.push({ name: "Require", value: "outbound" });
  if (knowsOption(request, "path"))
    for (const value of headersOf(request, "Path")) headers.push({ name: "Path", value });
  return headers;
}
