// Who is asking? Digest against the directory, with one answer and one length of time for every way of being wrong.

import type { DigestGuard } from "../../../sip/digest.ts";
import { algorithmOf } from "../../../sip/digest-answer.ts";
import { contactsOf, fromOf, toOf } from "../../../sip/headers/addresses.ts";
import { type AuthFields, answerFor } from "../../../sip/headers/auth.ts";
import { tagOf } from "../../../sip/headers/name-address.ts";
import { remember } from "../../../sip/headers/remember.ts";
import type { Incoming } from "../../../sip/incoming.ts";
import { isMalformed } from "../../../sip/message/malformed.ts";
import { type Header, headerOf, type Request } from "../../../sip/message/message.ts";
import { parameterOf } from "../../../sip/message/parameters.ts";
import { parseSipUri, userIn } from "../../../sip/message/uri.ts";
import type { Answered, Screened } from "../../../sip/stack-options.ts";
import { speakerOf } from "../../../sip/transport/speaker.ts";
import type { Source } from "../../../sip/transport/transport.ts";
import type { Abuse } from "../abuse/abuse.ts";
import type { AskedPhone } from "./asked-phone.ts";
import type { ChallengeOrders } from "./challenge-order.ts";
import type { Directory, HomeExchange, HomeExtension } from "./directory.ts";
import { callsForHelp, type Strays } from "./strays.ts";
import { isWebLogin } from "./web-logins.ts";

/** Whatever is not an extension has been answered by the time this is returned. */
export type Login = Known | { challenged: true } | { refused: number };

type Known = { exchange: HomeExchange; extension: HomeExtension };

/** `exchangeId`: of that exchange, whatever domain the request names. */
export type Authenticate = (incoming: Incoming, exchangeId?: number) => Login;

type Asked = Pick<Incoming, "request" | "source">;

type Phones = {
  contactsOf(exchangeId: number, extension: string): readonly { source: Source; userAgent: string }[];
};

export type LoginParts = {
  directory: Directory;
  /** Those that are registered; the registrar asks for logins itself. */
  phones(): Phones;
  digest: DigestGuard;
  abuse: Pick<Abuse, "fault" | "loggedIn" | "mayTry">;
  orders: ChallengeOrders;
  strays: Strays;
  /** Of an INVITE that need not log in: a trunk's. */
  mayCallUnasked?(asked: Asked): boolean;
};

export type Logins = {
  authenticate: Authenticate;
  /** For an address at which there is a trunk too: who logs in, or says that he is one of our extensions, is a phone. */
  isPhone(asked: Asked): boolean;
  /**
   * For the stack: what needs a login is challenged before it costs a transaction. So is an INVITE with a proof that was
   * not made of a challenge of ours to that address: in a transaction it would be answered until its ACK comes.
   */
  screen(request: Request, source: Source): Screened;
};

export function openLogin(parts: LoginParts): Logins {
  const { directory, digest, abuse, orders, strays, mayCallUnasked = () => false } = parts;
  return { authenticate, isPhone: (asked) => isPhone(parts, asked), screen };

  function authenticate(incoming: Incoming, exchangeId?: number): Login {
    const judged = judge(incoming, placeOf(directory, incoming.request, exchangeId));
    if ("extension" in judged) return judged;
    const { status, headers } = judged;
    incoming.reply(status, { headers });
    return status === UNAUTHORIZED ? { challenged: true } : { refused: status };
  }

  function judge(
    { request, source }: Asked,
    place: Place,
    credentials = answerFor(place.realm, request),
  ): Known | Answered {
    const { exchange, realm } = place;
    const user = credentials?.parameters.get("username");
    const phone = askedPhone(parts, { request, source, exchange, user });
    const challenge = (stale: boolean) => ({
      status: UNAUTHORIZED,
      headers: challengesTo(phone, request, { exchange, realm, stale }),
    });
    if (!credentials) return challenge(false);
    const isMd5 = algorithmOf(credentials) === "MD5";
    if (isMd5 && orders.isStrict(phone)) return challenge(false);
    const extension = exchange && directory.extension(exchange.id, user ?? "");
    const who = extension ? String(extension.id) : `${realm} ${user ?? ""}`.slice(0, LONGEST_NAME);
    if (!abuse.mayTry(source, who)) return { status: 503, headers: PUT_OFF };
    const ha1 = exchange && directory.secretOf(exchange.id, user ?? "", phone.isForHelp);
    const attempt = { source: phone.sourceAddress, realm, method: request.method, credentials, ha1 };
    const { verdict, isAnswer } = digest.verify(attempt);
    if (verdict === "wrong" && isAnswer && isMd5InDisguise(credentials)) {
      orders.misunderstood(phone);
      return challenge(true);
    }
    if (isAnswer) orders.answered(phone);
    const isStray = verdict !== "wrong" && isAnswer && strays.has({ request, source }, exchange, extension);
    if (verdict === "stale" && !isStray) return challenge(true);
    if (verdict === "wrong" || !extension || isStray) {
      abuse.fault(source, ha1 ? "wrong-password" : "unknown-user", { user: who, isProved: isAnswer });
      return { status: 403, headers: [] };
    }
    // Not even a right one: whoever stands in between may have asked the phone for less than we did. Of a wrong one nothing
    // is said of it, or who guesses would learn whom there is.
    if (isMd5 && orders.wantsStrong(phone, mayWeaken(exchange))) {
      orders.tooWeak(phone);
      return challenge(false);
    }
    abuse.loggedIn(source, who);
    orders.gotIn(phone, algorithmOf(credentials) ?? "MD5", extension.number);
    return { exchange, extension };
  }

  function screen(request: Request, source: Source): Screened {
    const isCaller = () => !(mayCallUnasked({ request, source }) && !isPhone(parts, { request, source }));
    if (!needsLogin(request, isCaller)) return "pass";
    const place = placeOf(directory, request);
    const credentials = answerFor(place.realm, request);
    const nonce = credentials?.parameters.get("nonce") ?? "";
    if (credentials && (request.method !== "INVITE" || digest.isOurs(speakerOf(source).address, nonce))) return "pass";
    const judged = judge({ request, source }, place, credentials);
    return "extension" in judged ? "pass" : judged;
  }

  function challengesTo(phone: AskedPhone, request: Request, ask: Place & { stale: boolean }): Header[] {
    const { exchange, realm, stale } = ask;
    const attempt = request.method === "REGISTER" && !stale ? attemptOf(request) : undefined;
    const algorithms = orders.orderFor(phone, attempt, mayWeaken(exchange));
    const values = digest.challenges({ source: phone.sourceAddress, realm, stale, algorithms });
    return values.map((value) => ({ name: "WWW-Authenticate", value }));
  }
}

function isPhone({ directory, phones }: LoginParts, { request, source }: Asked): boolean {
  const { exchange, realm } = placeOf(directory, request);
  if (!exchange) return false;
  if (answerFor(realm, request)) return true;
  const from = fromOf(request).uri;
  const extension = directory.extension(exchange.id, userIn(from) ?? "");
  // A carrier knows neither our domain nor our extensions; a phone that says an address instead has told us where it is.
  return !!extension && (hostIn(from) === exchange.sipDomain || isRegisteredAt(phones(), extension, source));
}

type Place = { exchange: HomeExchange | undefined; realm: string };

/** A domain nobody has is challenged like any other, and every answer to it is wrong. */
function placeOf(directory: Directory, request: Request, exchangeId?: number): Place {
  const asked = exchangeId === undefined ? undefined : directory.exchange(exchangeId);
  if (asked) return { exchange: asked, realm: asked.sipDomain };
  const own = hostIn(request.method === "REGISTER" ? toOf(request).uri : fromOf(request).uri);
  const exchange = directory.exchangeFor(own) ?? directory.exchangeFor(hostIn(request.uri));
  return { exchange, realm: exchange?.sipDomain ?? (own || "unknown") };
}

/** `isCaller`: of an INVITE, whether it is a phone's. */
function needsLogin(request: Request, isCaller: () => boolean): boolean {
  if (request.method === "REGISTER") return true;
  if (tagOf(toOf(request)) !== undefined) return false;
  return request.method === "INVITE" ? isCaller() : ASKED_OUTSIDE[request.method] === true;
}

type Asking = {
  request: Request;
  source: Source;
  exchange: HomeExchange | undefined;
  /** Whose password it shows. */
  user: string | undefined;
};

function askedPhone({ directory, phones }: LoginParts, asking: Asking): AskedPhone {
  const { request, source, exchange, user } = asking;
  const uri = sipUriIn(request.method === "REGISTER" ? toOf(request).uri : fromOf(request).uri);
  const own = isMalformed(uri) ? "" : (uri.user ?? "");
  const isForHelp = exchange !== undefined && callsForHelp(request, exchange);
  return {
    exchangeId: exchange?.id,
    user: own,
    userAgent:
      headerOf(request, "User-Agent") ?? (exchange && nameAt(phones(), { exchangeId: exchange.id, own }, source)),
    sourceAddress: speakerOf(source).address,
    extensionId: exchange && user !== undefined ? directory.extension(exchange.id, user)?.id : undefined,
    instance: user === undefined ? undefined : instanceOf(request),
    isForHelp,
    // Who calls for help may do so by whatever his phone knows.
    strongOnly: exchange?.sipDigests === "sha-256" && !isForHelp,
    isWeb: isWebSocket(source) && isWebPhone(request, exchange),
  };
}

/** Many say who they are when they register and call, and not within a call: there it is whoever is registered there. */
function nameAt(
  phones: Phones,
  { exchangeId, own }: { exchangeId: number; own: string },
  source: Source,
): string | undefined {
  const { address } = speakerOf(source);
  return phones.contactsOf(exchangeId, own).find((phone) => speakerOf(phone.source).address === address)?.userAgent;
}

const isWebSocket = ({ transport }: Source) => transport === "ws" || transport === "wss";

/** Or it has not said yet who logs in: an extension's own password is no web phone's. */
function isWebPhone(request: Request, exchange: HomeExchange | undefined): boolean {
  const credentials = exchange && answerFor(exchange.sipDomain, request);
  return !credentials || isWebLogin(credentials.parameters.get("username") ?? "");
}

function isRegisteredAt(phones: Phones, { exchangeId, number }: HomeExtension, source: Source): boolean {
  const { address, port } = speakerOf(source);
  const known = phones.contactsOf(exchangeId, number).map((phone) => speakerOf(phone.source));
  return known.some((phone) => phone.address === address && phone.port === port);
}

/** Too many wrong passwords of that user from there: even a right one has to wait. */
const PUT_OFF: Header[] = [{ name: "Retry-After", value: "60" }];
const LONGEST_NAME = 120;
const mayWeaken = (exchange: HomeExchange | undefined) => exchange?.md5Again === true;

const MD5_HEX = 32;
const UNAUTHORIZED = 401;
const ASKED_OUTSIDE: Readonly<Record<string, true>> = { SUBSCRIBE: true, MESSAGE: true, PUBLISH: true };

/** Asked twice or more of every REGISTER, one after the other. */
export const sipUriIn = remember(parseSipUri);

function hostIn(text: string): string {
  const uri = sipUriIn(text);
  return isMalformed(uri) ? "" : uri.host;
}

/** The same for a request that is only repeated. */
function attemptOf(request: Request): string {
  return `${headerOf(request, "Call-ID") ?? ""} ${headerOf(request, "CSeq") ?? ""}`;
}

/** What a phone calls itself for ever (RFC 5626 4.1), where it says so. */
function instanceOf(request: Request): string | undefined {
  const contacts = contactsOf(request);
  const [contact] = contacts === "*" || isMalformed(contacts) ? [] : contacts;
  const instance = contact && parameterOf(contact.parameters, "+sip.instance");
  return instance && instance.length <= LONGEST_NAME ? instance : undefined;
}

/** It says SHA-256 because we did, and knows MD5 alone: the length of its answer gives it away. */
function isMd5InDisguise({ parameters }: AuthFields): boolean {
  return parameters.get("algorithm")?.toUpperCase() === "SHA-256" && parameters.get("response")?.length === MD5_HEX;
}
