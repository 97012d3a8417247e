// The switchboard: the SIP stack with everything that stands between it and the calls, opened as one part.

import { type Clock, stopwatch } from "../../clock.ts";
import type { Log } from "../../log.ts";
import type { ReportUnexpected } from "../../machine.ts";
import type { Secrets } from "../../secrets/secrets.ts";
import { openDigest } from "../../sip/digest.ts";
import { callIdOf } from "../../sip/headers/addresses.ts";
import type { Random } from "../../sip/headers/random.ts";
import type { Incoming } from "../../sip/incoming.ts";
import type { Request } from "../../sip/message/message.ts";
import { openStack, type Stack } from "../../sip/stack.ts";
import type { Screened, StackOptions } from "../../sip/stack-options.ts";
import { openRandom } from "../../sip/transport/random.ts";
import { openResolve, type Resolve } from "../../sip/transport/resolve.ts";
import { speakerOf } from "../../sip/transport/speaker.ts";
import type { Transport } from "../../sip/transport/transport.ts";
import type { Database } from "../../store/db.ts";
import { type Abuse, openAbuse } from "./abuse/abuse.ts";
import { type HouseOptions, houseOf } from "./house.ts";
import { openPresence, type Presence } from "./presence/presence.ts";
import { openPublications } from "./presence/publications.ts";
import { openReception, type Receivers } from "./reception.ts";
import { type AskedDigests, openChallengeOrders } from "./registrar/challenge-order.ts";
import { type Directory, openDirectory } from "./registrar/directory.ts";
import { hash, openHmac } from "./registrar/hashing.ts";
import { type Authenticate, type Logins, openLogin } from "./registrar/login.ts";
import { openRegistrar, type Registrar } from "./registrar/registrar.ts";
import { openStrays } from "./registrar/strays.ts";
import { type Limits, REGISTRATION_LIMITS } from "./registrar/update.ts";
import { openWebLogins, type WebLogins } from "./registrar/web-logins.ts";
import { type Residence, screenElsewhere, seekElsewhere } from "./residence.ts";
import { screens } from "./screens.ts";
import { type SleepWatch, watchSleep } from "./sleep-watch.ts";
import { openTexts, type TextsParts } from "./texts/texts.ts";
import { openTrace, type Trace } from "./trace/trace.ts";
import { openTrunks, type Trunks } from "./trunks/trunks.ts";

export type Switchboard = {
  stack: Stack;
  directory: Directory;
  registrar: Registrar;
  authenticate: Authenticate;
  /** Whether a request is a phone's, although a trunk may call from the same address. */
  isPhone(asked: Pick<Incoming, "request" | "source">): boolean;
  abuse: Abuse;
  trunks: Trunks;
  /** How web phones log in. */
  webLogins: WebLogins;
  trace: Trace;
  presence: Presence;
  /** Servers of a SIP address, by DNS. */
  resolve: Resolve;
  random: Random;
  /** From now on requests of this kind outside a dialog go there, unauthenticated as they come. */
  receive(method: "INVITE" | "REFER" | "NOTIFY", handle: (incoming: Incoming) => void): void;
  /** From now on a request that belongs to nothing known is shown here before it becomes a transaction. */
  screen(look: (request: Request) => Screened): void;
  /** From now on an INVITE of which this is true needs no login, as those of trunks need none. */
  spare(look: (asked: Asked) => boolean): void;
  /** Exchanges live here from now on: their extensions, phones, trunks and what phones have left is read. */
  load(exchangeIds: readonly number[]): Promise<void>;
  close(): Promise<void>;
};

type Asked = Pick<Incoming, "request" | "source">;

export type SwitchboardOptions = {
  db: Database;
  secrets: Pick<Secrets, "open">;
  clock: Clock;
  log: Log;
  unexpected: ReportUnexpected;
  transports: readonly Transport[];
  /** Never ignore this very machine, where a proxy of ours may stand in front; wrong passwords count all the same. */
  trustLoopback?: boolean;
  /** By which digests phones may log in. */
  sipDigests?: AskedDigests["sipDigests"];
  /** Addresses of proxies of ours, whose word is taken for who spoke. */
  edges?: readonly string[];
  /** Which addresses are this machine's, or are known as its own outside. */
  reach?: HouseOptions["reach"];
  /** Other limits of registration than the usual ones. */
  registration?: Partial<Limits>;
  /** Who knows where carriers are, if not those of the system. */
  nameServers?: readonly string[];
  /** Store the SIP messages of calls for a day. */
  keepLadders?: boolean;
  /** Requests inside dialogs wait until calls of an earlier process have been gone on with. */
  holdsStrays?: boolean;
  residence?: Residence | undefined;
};

export async function openSwitchboard(options: SwitchboardOptions): Promise<Switchboard> {
  const { db, secrets, clock, log, unexpected, transports, residence, keepLadders = true } = options;
  let trunks: Trunks | undefined;
  const directory = await openDirectory(db, log, residence?.isOnlyOne);
  const { isEdge, ...own } = houseOf(options);
  const abuse = openAbuse({ clock, isTrusted: isEdge, ...own, isCarrier: (it) => trunks?.isTrunkAddress(it) === true });
  const [random, digest] = [openRandom(), openDigest({ hash, hmac: openHmac(), now: stopwatch(clock) })];
  const trace = openTrace({ db, clock, log, keepLadders });
  const webLogins = openWebLogins({ clock, hash, directory });
  const [orders, strays] = [await openChallengeOrders(db, log, options), openStrays(clock, log)];
  const looks = openLooks((asked) => trunks?.inbound(asked) !== undefined);
  const parts = { ...webLogins, digest, abuse, orders, strays, ...looks.spared };
  const logins = openLogin({ ...parts, phones: () => registrar });
  const authenticate = keepingLadders(logins.authenticate, trace);
  const asks: Pick<Stack, "doorTo" | "ask"> = { doorTo: (to) => stack.doorTo(to), ask: (...it) => stack.ask(...it) };
  const limits = { ...REGISTRATION_LIMITS, ...options.registration };
  const phones = { stack: asks, random, chance: Math.random, limits, digestOf: orders.lastOf };
  const registrar = welcomed(abuse, await openRegistrar({ db, clock, log, directory, authenticate, ...phones }));
  const away = screenElsewhere(residence, (it) => isOfNumberHere(trunks?.inbound(it)));
  const sleep = residence && watchSleep(clock, residence.acts);
  const stack = openStack({
    clock,
    random,
    transports,
    gone: registrar.gone,
    holdsStrays: options.holdsStrays,
    isEdge,
    ...carriers(() => trunks, logins.isPhone),
    seek: residence && seekElsewhere(residence),
    ...doorkeeping(abuse, (it) => isEdge(it) || trunks?.isTrunkAddress(it) === true),
    screen: screens([abuse.screen, away, looks.screenCalls, logins.screen]),
    ...watchers({ trace, abuse, log, sleep }),
    unexpected,
  });
  const resolve = openResolve({ clock, transports: ["udp", "tcp", "tls"], nameServers: options.nameServers ?? [] });
  const presence = openPresence({ clock, stack, resolve, directory, authenticate });
  const desks = { db, clock, log, random, stack, directory, authenticate, registrar };
  const { receivers, load: loadDesks, close: closeDesks } = await openDesks(desks, presence);
  stack.onRequest(openReception(receivers));
  const lines = vouching(await openTrunks({ ...desks, ...own, secrets, unexpected, hash, resolve, residence }), trace);
  trunks = lines;
  return {
    stack,
    directory,
    registrar,
    authenticate,
    isPhone: logins.isPhone,
    abuse,
    trunks: lines,
    trace,
    presence,
    resolve,
    random,
    webLogins,
    receive(method, handle) {
      receivers[method] = handle;
    },
    ...looks.set,
    load: loading({ directory, trunks: lines, orders, registrar, abuse }, loadDesks),
    async close() {
      const written = closeDesks();
      for (const part of [presence, lines, registrar, stack, orders, trace, directory, sleep]) await part?.close();
      await written;
    },
  };
}

/** What calls have to say of requests, once there are any. */
function openLooks(isOfTrunk: (asked: Asked) => boolean) {
  let screenCalls: (request: Request) => Screened = () => "pass";
  let isSpared: (asked: Asked) => boolean = () => false;
  return {
    screenCalls: (request: Request) => screenCalls(request),
    spared: { mayCallUnasked: (asked: Asked) => isSpared(asked) || isOfTrunk(asked) },
    set: {
      screen(look: typeof screenCalls) {
        screenCalls = look;
      },
      spare(look: typeof isSpared) {
        isSpared = look;
      },
    },
  };
}

/** A carrier speaks from several addresses. */
function carriers(trunks: () => Trunks | undefined, isPhone: Logins["isPhone"]) {
  const isSamePeer: StackOptions["isSamePeer"] = (one, other) =>
    trunks()?.whose.isOneTrunks(speakerOf(one).address, speakerOf(other).address) === true;
  const mayTakeBack: StackOptions["mayTakeBack"] = (source, invite) =>
    !isPhone(invite) && trunks()?.mayTakeBack(source, invite) === true;
  return { isSamePeer, mayTakeBack };
}

/** Who is kept out, and of whose streams nobody has to log in. */
function doorkeeping({ guard, isProved, favour }: Abuse, isKnown: (address: string) => boolean) {
  return { guard, isProved, favour, knows: ({ address }: Parameters<typeof guard>[0]) => isKnown(address) };
}

type Read = Pick<Switchboard, "directory" | "trunks" | "registrar" | "abuse"> & { orders: { load(): Promise<void> } };

function loading(
  { directory, trunks, orders, registrar, abuse }: Read,
  loadDesks: Switchboard["load"],
): Switchboard["load"] {
  return async (exchangeIds) => {
    await Promise.all([directory.reload(), trunks.reload(), orders.load()]);
    await registrar.load(exchangeIds);
    welcomed(abuse, registrar);
    await loadDesks(exchangeIds);
  };
}

/** Phones that an earlier process, or another node, has let in are guests from the start. */
function welcomed(abuse: Abuse, registrar: Registrar): Registrar {
  for (const { source, extensionId } of registrar.bindings()) abuse.loggedIn(source, String(extensionId));
  return registrar;
}

type Watching = { trace: Trace; abuse: Abuse; log: Log; sleep: SleepWatch | undefined };

function watchers({ trace, abuse, log, sleep }: Watching) {
  const malformed = (source: Parameters<Abuse["fault"]>[0]) => abuse.fault(source, "malformed");
  return { observe: trace.observe, malformed, mistake: tellMistake(log), isAsleep: sleep?.isAsleep };
}

function keepingLadders(authenticate: Authenticate, trace: Trace): Authenticate {
  return (incoming, exchangeId) => {
    const known = authenticate(incoming, exchangeId);
    if ("extension" in known) trace.keep(callIdOf(incoming.request));
    return known;
  };
}

/** Those who take what phones say outside of calls. */
async function openDesks(
  parts: TextsParts & { registrar: Registrar },
  presence: Presence,
): Promise<{ receivers: Receivers; load(exchangeIds: readonly number[]): Promise<void>; close(): Promise<void> }> {
  const { registrar } = parts;
  const changed = (exchangeId: number, extension: string) => presence.changed(exchangeId, extension, "presence");
  const publications = await openPublications({ ...parts, changed });
  const texts = await openTexts(parts);
  presence.provide({
    // A phone that does not answer is as good as none.
    isReachable: (exchangeId, extension) =>
      registrar.isRegistered(exchangeId, extension) && !registrar.isSilent(exchangeId, extension),
    published: publications.of,
  });
  registrar.onChange(({ exchangeId, extension }) => changed(exchangeId, extension));
  return {
    receivers: {
      REGISTER: registrar.register,
      SUBSCRIBE: presence.subscribe,
      PUBLISH: publications.publish,
      MESSAGE: texts.take,
    },
    async load(exchangeIds) {
      await publications.load(exchangeIds);
      await texts.load();
    },
    async close() {
      texts.close();
      await publications.close();
    },
  };
}

function tellMistake(log: Log): (error: unknown) => void {
  return (error) => log.error({ error: error instanceof Error ? error.stack : String(error) }, "a SIP request failed");
}

function isOfNumberHere(inbound: ReturnType<Trunks["inbound"]>): boolean {
  return typeof inbound === "object" && inbound.number !== undefined;
}

/** A call from a trunk needs no login to deserve a ladder. */
function vouching(trunks: Trunks, trace: Trace): Trunks {
  return {
    ...trunks,
    inbound(incoming) {
      const known = trunks.inbound(incoming);
      if (typeof known === "object") trace.keep(callIdOf(incoming.request));
      return known;
    },
  };
}
