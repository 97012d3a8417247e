// A call's story in English.

import type { StoryFactOf } from "../../exchange/calls/story.ts";
import { barredInWords } from "../barred.ts";
import { causeInWords } from "../causes.ts";
import { enders, orderers } from "../enders.ts";
import { faxFailureInWords } from "../fax-failures.ts";
import { gapInWords, lostInWords } from "../lost-calls.ts";
import { supervisingInWords, supervisionInWords } from "../supervision.ts";
import { targetInside } from "../targets.ts";
import { failureInWords, testInWords } from "../trunk-troubles.ts";
import type { OneOf, StoryWords } from "./table.ts";

const place = (target: string | null) => (target === null ? "nowhere to go" : targetInside(target, "en"));
const line = (trunk: string | null) => (trunk === null ? "the sandbox" : `trunk ${trunk}`);
const ended = (cause: string) => causeInWords(cause, "en");

function who({ is, number, name }: StoryFactOf<"rings">["party"]): string {
  const words = is === "extension" ? `extension ${number}` : number;
  return name === "" ? words : `${words} (${name})`;
}

const hours: Record<OneOf<"leads-to", "because">, string> = {
  open: "the office is open",
  closed: "the office is closed",
  holiday: "today is a holiday",
  "opened by hand": "the office was switched open by hand",
  "closed by hand": "the office was switched closed by hand",
};

const silence: Record<OneOf<"does-not-ring", "why">, string> = {
  forwarded: "all its calls are forwarded",
  "no-phone": "no phone is registered",
  "do-not-disturb": "it wishes not to be disturbed",
  "most-calls": "it is on as many calls as it may be",
};

const diverted: Record<OneOf<"sent-on-by", "reason">, string> = {
  unconditional: "all its calls are forwarded",
  "user-busy": "it was busy",
  "no-answer": "nobody answered",
  unavailable: "it could not be reached",
  "do-not-disturb": "it wished not to be disturbed",
  deflection: "it declined",
  unknown: "why is not known",
};

const signatures: Record<OneOf<"not-attested", "why">, string> = {
  absent: "nobody has signed it",
  unreadable: "the signature cannot be read",
  signature: "no certificate given here vouches for it",
  stale: "the signature is too old",
  numbers: "it was signed for other numbers",
};

const offers: Record<OneOf<"offer-refused", "why">, string> = {
  malformed: "it cannot be read",
  "no-audio": "there is no audio in it",
  "no-common-codec": "no codec that we speak is in it",
  "encryption-required": "it is not encrypted, and only encrypted calls are taken",
  "other-family": "its voice is at an IPv6 address and ours at an IPv4 one, or the other way round",
  "encryption-not-possible": "it wants encryption that is not to be had",
  webrtc: "browsers are not taken",
  "fax-only": "there is only a fax in it",
};

const unproved: Record<OneOf<"voice-held-back", "why">, (address: string) => string> = {
  silent: (address) => `in five seconds nothing has come from ${address}`,
  many: (address) => `nothing has come from ${address}, and too many calls at once wait for that`,
};

const greetings: Record<OneOf<"greeting", "did">, string> = {
  kept: "keeps a new greeting",
  dropped: "drops a new greeting",
  "taken-back": "took back the greeting",
};

const services: Record<OneOf<"service-fails", "why">, string> = {
  "not-set": "no service is set",
  "bad-url": "the service's URL cannot be called",
  "not-public": "the service did not answer: not a public address",
  late: "the service did not answer in time",
  unreachable: "the service cannot be reached",
  status: "the service answered",
  "too-long": "the service's answer is too long",
  "no-json": "the service's answer is not a JSON object",
  "no-action": "the service's answer names no action, or more than one",
  "no-target": "the service names no usable target",
  "no-sound": "the service's prompt has neither announcement_id nor phrase",
  "bad-digits": "the service asks for an impossible number of digits",
  circle: "the service led the call in circles",
  "no-recognition": "there is no speech recognition",
  "most-listens": "speech was recognised as often as it may be",
};

const unfinished: Record<OneOf<"recording-failed", "step">, string> = {
  open: "its file cannot be opened",
  write: "its file cannot be written",
  sync: "the disk does not say that it has it",
  close: "its file cannot be closed",
  thread: "whoever was writing it broke down",
  keep: "it cannot be taken into keeping and lies where it was written",
};

const unwritten: Partial<Record<string, string>> = {
  ENOSPC: "the disk is full",
  EDQUOT: "no more of the disk may be used",
  EFBIG: "it is as large as a file may be",
  EIO: "the disk fails",
  EROFS: "the disk may only be read",
  EACCES: "we may not write there",
  ENOENT: "its folder is gone",
};

export const en: StoryWords = {
  called: ({ from, to }) => `${from || "a withheld number"} calls ${to}`,
  dialled: ({ by, number }) => `extension ${by} dials ${number}`,
  "withholds-number": () => "the caller's number is withheld",
  "sent-on-by": ({ number, reason }) => `${number || "a withheld number"} had sent the call on: ${diverted[reason]}`,
  attested: ({ level }) => `the caller's number is signed and verified${level === "" ? "" : ` (attestation ${level})`}`,
  "not-attested": ({ why, refused }) =>
    `the caller's number is not verified: ${signatures[why]}${refused ? "; the call is refused" : ""}`,
  "interface-connects": ({ party, to, as }) =>
    `the interface connects ${who(party)} with ${to}${as === undefined ? "" : ` as ${as}`}`,
  "campaign-calls": ({ campaign, name, number, attempt }) =>
    `campaign ${campaign} (${name}) calls ${number}, attempt ${attempt}`,
  "fax-order": ({ order, number, from, to }) => `fax order ${order} goes to ${number}: pages ${from} to ${to}`,
  "tests-trunk": ({ trunk, number }) => `the console tests ${line(trunk)} with a call to ${number}`,
  "called-back": ({ number, queue, call }) =>
    `${number} kept a place in queue ${queue} (call ${call}) and is called back`,

  blocked: ({ number }) => `${number} is blocked`,
  "not-our-number": ({ number }) => `${number} is not a number of this exchange`,
  "leads-to": ({ number, target, because, holiday }) =>
    `${hours[because]}${holiday === undefined ? "" : ` (${holiday})`}: ${number} leads to ${place(target)}`,
  "leads-nowhere": ({ number, target }) => `${number} leads nowhere: ${target}`,

  rings: ({ party }) => `${who(party)} rings`,
  talk: ({ one, other }) => `${who(one)} and ${who(other)} talk`,
  gone: ({ party, cause }) => `${who(party)} is gone: ${ended(cause)}`,
  over: ({ cause, by }) => `the call is over: ${ended(cause)}${by ? ` (${enders[by].en})` : ""}`,
  "left-out": ({ count }) => `… ${count} lines are left out here …`,
  "exchange-stopped": () => "the exchange stopped while the call was up",
  resumed: ({ gapMs, ringing }) =>
    `the exchange was started again and goes on with the call after ${gapInWords(gapMs, "en")} s${ringing ? ", while it rings" : ""}`,
  "not-resumed": ({ why }) => `the call could not go on: ${lostInWords(why, "en")}`,
  "recording-part-left": ({ node }) =>
    `the beginning of its recording is on the node ${node}, which cannot be reached: the recording goes on without it`,
  "recording-failed": ({ step, code }) =>
    `its recording could not be written: ${unwritten[code] ?? unfinished[step]} (${code})`,
  "hung-up-by": ({ who }) => `${orderers[who].en} hangs up`,
  "offer-refused": ({ party, why }) => `what the phone of ${who(party)} offers is refused: ${offers[why]}`,
  "not-encrypted": ({ party }) => `${who(party)} takes no encrypted call, and only such may be made`,
  "voice-held-back": ({ party, address, trunk, why }) =>
    `voice to ${who(party)} is held back: ${unproved[why](address)}${trunk === undefined ? "" : `; if it is the carrier's, name it among the networks of voice of trunk ${trunk}`}`,
  muted: ({ on }) => (on ? "the interface mutes" : "the interface unmutes"),
  "interface-sends-on": ({ extension }) => `the interface sends the call to extension ${extension}`,
  "sends-on": ({ extension, to }) => `extension ${extension} sends the call to ${to}`,
  "puts-through": ({ extension, to }) => `extension ${extension} puts the call through to ${to}`,
  "picks-up-for": ({ extension, of }) => `extension ${extension} picks up for extension ${of}`,

  forwards: ({ extension, to }) => `extension ${extension} forwards to ${place(to)}`,
  "phone-forwards": ({ extension, to, followed }) =>
    `the phone of extension ${extension} forwards to ${to}${followed ? "" : ", which is not followed"}`,
  wakes: ({ extension, browsers }) =>
    `extension ${extension} is told in ${browsers} ${browsers === 1 ? "browser" : "browsers"}`,
  "does-not-ring": ({ extension, why }) => `extension ${extension} does not ring: ${silence[why]}`,
  dials: ({ number, trunk, as }) => `dials ${number} by ${line(trunk)}${as && ` as ${as}`}`,
  "trunk-full": ({ trunk }) => `every channel of ${line(trunk)} is taken`,
  "trunk-failed": ({ trunk, why, status }) =>
    status === undefined
      ? `${line(trunk)} ${failureInWords(why, "en")}`
      : `${line(trunk)} ${failureInWords(why, "en")} with ${status}`,
  "trunk-tested": ({ trunk, ...result }) => `${line(trunk)} ${testInWords(result, "en")}`,
  "carrier-moves": ({ trunk, number, to, followed }) =>
    `${line(trunk)} says that ${number} is at ${to}${followed ? "" : ", which is not followed"}`,
  emergency: ({ number }) => `${number} is an emergency number: no rule or limit holds the call up`,
  "gives-way": ({ trunk }) => `ends so that an emergency call finds room on ${line(trunk)}`,
  barred: ({ number, why }) => `${number} may not be called: ${barredInWords(why, "en")}`,
  "spending-limit": ({ number }) => `the spending limit allows no further minute with ${number}`,
  "no-own-number": () => "there is no number of ours to show",
  "not-a-number": ({ number }) => `${number} is no telephone number`,

  "no-such": ({ what, which }) => `there is no ${what} ${which}`,
  "not-a-target": ({ target }) => `${target} is no place to go`,
  "no-such-place": () => "this exchange has no such place",
  circle: () => "has been led in a circle",
  "group-again": ({ group }) => `has already been at group ${group}`,
  ended: ({ how }) => (how === "busy" ? "is given the busy tone" : "is hung up"),

  "rings-group": ({ group, name, strategy }) => `rings group ${group} (${name}), ${strategy}`,
  "group-gives-up": ({ group }) => `nobody of group ${group} took the call`,
  "hears-menu": ({ menu, name }) => `hears menu ${menu} (${name})`,
  presses: ({ key, target }) => {
    if (key === "") return "presses nothing";
    return target === null ? `presses ${key}, which leads nowhere` : `presses ${key}: ${place(target)}`;
  },
  "menu-gives-up": ({ pressed, target }) => `${pressed ? "wrong key" : "no key"}: ${place(target)}`,
  "hears-sound": ({ sound }) => `hears sound ${sound}`,
  hears: ({ text }) => `hears: ${text}`,
  "cannot-say": ({ text }) => `nothing of ${text} can be said`,
  "no-voice": () => "there is no voice to speak with",

  "comes-to-queue": ({ queue, name }) => `comes to queue ${queue} (${name})`,
  "leaves-queue": ({ queue, why }) => `leaves queue ${queue}: ${why}`,
  offered: ({ agents, queue, strategy, free, freeInAll, unfree, callback }) => {
    const among = `${free.join(", ")}${freeInAll > free.length ? ", …" : ""}`;
    const others = unfree.map(({ why, agents }) => `${agents} ${why}`).join(", ");
    const whom = callback ? "the caller is" : "is";
    const offer = `${whom} offered to ${agents.join(", ")} of queue ${queue}, ${strategy} among ${among}`;
    return others === "" ? offer : `${offer}; not free: ${others}`;
  },
  "agent-declines": ({ agent, cause }) => `extension ${agent} does not take it: ${ended(cause)}`,
  "agent-hangs-up": ({ agent }) => `extension ${agent} hung up before the two were joined`,
  "no-callback": ({ number, why }) =>
    `is offered no callback at ${number === "" ? "a withheld number" : number}: ${barredInWords(why, "en")}`,
  "keeps-place": ({ queue }) => `keeps the place in queue ${queue} and will be called back`,
  score: ({ agent, score }) => `gives extension ${agent} ${score} of 5`,
  "no-score": ({ key }) => (key === "" ? "gives no score" : `presses ${key}, which is no score`),

  "talks-with-nobody": ({ extension }) => `extension ${extension} talks with nobody`,
  supervises: ({ extension, mode, call }) =>
    `supervises extension ${extension} (${supervisionInWords(mode, "en")}), call ${call}`,
  supervised: ({ by, mode }) => `${who(by)} ${supervisingInWords(mode, "en")}`,
  "taken-over": ({ by, from }) => `${who(by)} takes the call over from ${who(from)}`,
  pulled: ({ queue, extension, by = "a supervisor" }) =>
    `${by} pulls the caller out of queue ${queue} to extension ${extension}`,
  "supervisor-sends-on": ({ target }) => `a supervisor sends the call to ${place(target)}`,

  "asked-for-message": ({ mailbox }) => `is asked to leave a message for ${mailbox}`,
  message: ({ seconds }) => `left a message of ${seconds} s`,
  "no-message": () => "left no message",
  "hears-messages": () => "hears its messages",
  "deleted-message": ({ mailbox }) => `deleted a message of ${mailbox}`,
  greeting: ({ mailbox, did }) => `${greetings[did]} of ${mailbox}`,
  "wrong-pin": () => "did not know the PIN",
  "pins-closed": () => "the mailbox hears no PIN for a while, after too many wrong ones",
  "pin-sealed": () => "the PIN cannot be opened",

  "fax-tone": () => "is a fax machine, by its tone",
  "no-fax": ({ why }) =>
    `no fax can be received: ${why === "not-set-up" ? "this exchange has no fax machine" : "the fax machine does not work"}`,
  "to-fax-machine": () => "is taken to the fax machine",
  "fax-machine": ({ name }) => `the fax machine calls itself “${name}”`,
  "fax-page": ({ page }) => `page ${page} is over`,
  "fax-done": ({ role, pages, rate, t38 }) => `${role} a fax of ${pages} pages at ${rate} by ${t38 ? "T.38" : "sound"}`,
  "fax-failed": ({ role, pages, code }) => `${role} ${pages} pages, then: ${faxFailureInWords(code, "en")}`,

  "service-says": ({ action }) => `the service says: ${action}`,
  keys: ({ count }) => `presses ${count} keys`,
  "service-fails": ({ why, status, target }) => {
    const reason = status === undefined ? services[why] : `${services[why]} ${status}`;
    return `${reason}; goes to the spare target: ${target === null ? "none" : place(target)}`;
  },

  "no-consent": ({ number }) => `${number} has not consented to calls`,
  "opts-out": () => "wishes no more such calls",
  "answering-machine": () => "is an answering machine",
};
