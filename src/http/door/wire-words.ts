// How each refusal sounds on the wire: the literal texts of the interfaces, which programs know by heart. Add a refusal
// and this file stops compiling.

import type { User } from "../../store/refusal.ts";
import type { ConsoleRefusal, OperationRefusal } from "../../words/refusals/refusal.ts";
import type { SmsCode } from "../../words/terms.ts";
import type { Unreadable } from "../parameters/sent.ts";

/** What HTTP itself has words for. */
const phrases = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  408: "Request Timeout",
  413: "Request Entity Too Large",
  414: "Request-URI Too Large",
  431: "Request Header Fields Too Large",
  500: "Internal Server Error",
};

const unreadable: Record<Unreadable["unreadable"], string> = {
  json: "INVALID_JSON",
  utf8: "INVALID_UTF8",
  parameters: "too many parameters",
  multipart: "invalid multipart body",
};

type DoorRefusal =
  | Extract<ConsoleRefusal, { refused: "too-many" | "no-agent" | "invalid" }>
  | { refused: "http"; status: keyof typeof phrases }
  | { refused: "busy"; seconds: number }
  | { refused: "unreadable"; what: Unreadable["unreadable"] }
  | { refused: "bad-key"; key: string }
  | { refused: "bad-token" }
  | { refused: "unknown-host" };

type SmsRefusal =
  | {
      refused: "sms";
      code: SmsCode | "MULTIPLE_DESTINATION_NOT_ALLOWED" | "MISSING_CODE" | "MISSING_CODE_OR_MESSAGE";
    }
  | { refused: "bad-login" | "no-addresses" | "address-not-allowed" }
  | { refused: "id-too-long" | "below-zero" | "not-a-number"; field: string }
  | { refused: "bad-phone"; phone: string }
  | { refused: "not-blacklisted"; phones: string }
  | { refused: "no-such-sending"; id: string }
  | { refused: "sending-not-found" | "sending-not-yours" };

export type WireRefusal = OperationRefusal | DoorRefusal | SmsRefusal;

type Said = readonly [status: number, text: string];

const MEBIBYTE = 1024 ** 2;

type OfSound = Extract<WireRefusal, { refused: "sound" }>["no"];
const sound: { [Kind in OfSound["refused"]]: (no: Extract<OfSound, { refused: Kind }>) => Said } = {
  extension: ({ known }) => [400, `Sound file should have one of these extensions: ${known.join(" ")}`],
  "not-base64": () => [400, "invalid base64"],
  undecodable: () => [400, "Sound file cannot be decoded"],
  "too-long": ({ limitSeconds }) => [400, `Sound file is too long (maximum is ${limitSeconds} seconds)`],
  "too-large": ({ limitBytes }) => [413, `Sound file is too large (maximum is ${limitBytes / MEBIBYTE} MB)`],
  "no-converter": () => [503, "sound files cannot be converted on this server"],
  "no-turn": () => [429, "Too many sound files wait to be converted, try again later"],
};

type OfFax = Extract<WireRefusal, { refused: "fax" }>["no"];
const fax: { [Kind in OfFax["refused"]]: (no: Extract<OfFax, { refused: Kind }>) => Said } = {
  "no-fax": ({ why }) => [503, why],
  "no-own-number": () => [400, "NO_ROUTE_DESTINATION"],
  "not-base64": () => [400, "invalid base64"],
  "too-large": ({ limitBytes }) => [413, `Document is too large (maximum is ${limitBytes / MEBIBYTE} MB)`],
  "pages-gone": () => [404, "the pages of this fax are not kept any more"],
  "not-fetched": ({ why }) => [400, `document_url cannot be fetched: ${why}`],
  "unknown-type": () => [400, "Document should be a PDF, PNG, JPEG, TIFF or plain text"],
  encrypted: () => [400, "Document is encrypted"],
  broken: () => [400, "Document cannot be read"],
  empty: () => [400, "Document is empty"],
  "too-many-pages": ({ limit }) => [400, `Document has too many pages (maximum is ${limit})`],
  "too-much": () => [400, "Document takes too much time or memory"],
  "no-turn": () => [429, "Too many documents wait to be drawn, try again later"],
};

const words: { [Kind in WireRefusal["refused"]]: (no: Extract<WireRefusal, { refused: Kind }>) => Said } = {
  http: ({ status }) => [status, phrases[status]],
  "too-many": () => [429, "Too Many Requests"],
  busy: () => [503, "Service Unavailable"],
  unreadable: ({ what }) => [400, unreadable[what]],
  "bad-key": ({ key }) => [401, `Gecersiz anahtar: ${echo(key)}`],
  "bad-token": () => [401, "invalid token"],
  "unknown-host": () => [421, "this server does not answer to that host name: see SANTRAL_HTTP_HOSTS"],

  blank: ({ field }) => [400, `${field} can't be blank`],
  required: ({ field }) => [400, `${field} required`],
  misfit: ({ field, value }) => [400, `invalid ${field}: ${echo(value)}`],
  invalid: ({ field }) => [400, `invalid ${field}`],
  malformed: ({ field }) => [400, `${field} is invalid`],
  "text-too-long": ({ field, most }) => [400, `${field} is too long (maximum is ${most} characters)`],
  "list-too-long": ({ field }) => [400, `too many ${field}`],
  "out-of-range": ({ field, least, most }) => [400, `${field} must be between ${least} and ${most}`],
  "not-above": ({ field, least }) => [400, `${field} must be greater than ${least}`],
  "not-one-of": ({ field, choices }) => [400, `${field} must be ${choices.join(" or ")}`],
  "url-silent": ({ field }) => [400, `${field} did not return 200`],

  "missing-extension": () => [400, "missing extension"],
  "extension-not-found": ({ extension }) => [400, `extension ${echo(extension)} not found`],
  "no-such-extension": ({ extension }) => [404, `extension ${echo(extension)} not found`],
  "extension-not-reachable": () => [400, "NO_USER_RESPONSE"],
  "do-not-disturb": () => [400, "USER_BUSY"],
  "invalid-source": ({ source }) => [400, `invalid source: ${echo(source)}`],
  "invalid-destination": ({ destination }) => [400, `invalid destination: ${echo(destination)}`],
  "destination-barred": ({ destination }) => [400, `destination barred: ${echo(destination)}`],
  "caller-id-not-owned": ({ callerId }) => [400, `invalid caller_id: ${echo(callerId)}`],
  "announcement-not-found": ({ id }) => [400, `cannot find announcement with id: ${echo(String(id))}`],
  "no-such-call": () => [400, "No such channel!"],
  "not-now": () => [400, "No such channel!"],
  "no-trunk": () => [400, "NO_ROUTE_DESTINATION"],
  "no-free-channel": () => [400, "NORMAL_CIRCUIT_CONGESTION"],
  "call-failed": ({ cause }) => [400, cause],
  overloaded: () => [503, "too many calls at once, try again in a second"],
  closing: () => [503, "the exchange is stopping"],
  "given-up": () => [503, "not done in time, try again in a few seconds"],

  "call-not-found": ({ uuid }) => [404, `cannot find call with call_uuid ${echo(uuid)}`],
  "call-has-no-file": ({ uuid }) => [400, `cannot find call with call_uuid ${echo(uuid)}`],
  "voicemail-not-found": ({ uuid }) => [400, `cannot find voicemail with uuid ${echo(uuid)}`],
  "ticket-expired": () => [400, "invalid or expired ticket"],
  "archive-silent": () => [503, "the archive that holds this recording does not answer, try again later"],
  "no-such-page": ({ page }) => [400, `there is no page ${page}`],
  "range-too-long": ({ days }) => [400, `date range cannot be longer than ${days} days`],
  "range-reversed": () => [400, "date_range_end must not be before date_range_begin"],
  "in-use": ({ what, which, by }) => [400, `${what} ${which} cannot be deleted: it is in use by ${userOf(by)}`],
  sound: ({ no }) => (sound[no.refused] as (no: OfSound) => Said)(no),
  fax: ({ no }) => (fax[no.refused] as (no: OfFax) => Said)(no),

  "missing-queue": () => [400, "Queue_number value null or none"],
  "queue-not-found": ({ queue }) => [404, `Queue_number value null or none ${echo(queue)}`],
  "missing-members": () => [400, "user_list value null or none"],
  "no-such-member": ({ extension }) => [400, `User value null or none ${echo(extension)}`],
  "member-already": ({ extension }) => [400, `You are trying to add an existing user ${extension}`],
  "no-agent": () => [400, "not an agent"],
  "no-user": () => [400, "cannot find user for extension"],
  "no-staff": () => [400, "cannot find employee for extension"],

  "already-blocked": ({ number }) => [400, `${number} is already blocked`],
  "not-blocked": ({ number }) => [400, `${number} is not blocked`],
  "external-contacts": () => [400, "google contacts integration is active"],
  // "group" for a missing contact, too.
  "contact-not-found": ({ id }) => [400, `cannot find group with id: ${echo(id)}`],
  "campaign-not-found": ({ id }) => [404, `Cannot find ivr_campaign with ID ${echo(id)}`],
  "one-line-only": () => [403, "multi-line automatic calls are off"],
  "no-digit-target": () => [400, "at least one digit target is required"],
  "too-many-numbers": ({ most }) => [400, `phone_list is too long (maximum is ${most} numbers)`],

  sms: ({ code }) => [400, code],
  "bad-login": () => [401, "Geçersiz kullanıcı adı/şifre"],
  "no-addresses": () => [401, "Hesabınızda izinli IP ayarları yapılmamış"],
  "address-not-allowed": () => [403, "Bu IP adresinden erişim izniniz yok"],
  "id-too-long": ({ field }) => [400, `${field} is too long`],
  "below-zero": ({ field }) => [400, `${field} must be 0 or greater`],
  "not-a-number": ({ field }) => [400, `${field} must be a number`],
  "bad-phone": ({ phone }) => [400, `Invalid phone number: ${echo(phone)}`],
  "not-blacklisted": ({ phones }) => [404, `Phone number not found: ${echo(phones)}`],
  "no-such-sending": ({ id }) => [400, `Kampanya bulunamadı: ${echo(id)}`],
  "sending-not-found": () => [404, "Bu idye sahip kampanya bulunamadı"],
  "sending-not-yours": () => [403, "Bu kampanya size ait değil"],
};

function userOf({ noun, which }: User): string {
  return which === "" ? `the exchange's ${noun}` : `${noun} ${which}`;
}

export function onTheWire(refusal: WireRefusal): Said {
  // The words are chosen by the very field their parameter narrows on.
  return (words[refusal.refused] as (refusal: WireRefusal) => Said)(refusal);
}

/** What a caller sent comes back to him in some sentences; more of it than this helps nobody. */
const LONGEST_ECHO = 100;

function echo(sent: string): string {
  return sent.length <= LONGEST_ECHO ? sent : `${sent.slice(0, LONGEST_ECHO)}…`;
}
