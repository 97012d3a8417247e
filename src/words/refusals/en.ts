// Refusals in English.

import { rights } from "../../nouns/role.ts";
import type { Weakness } from "../../passwords/weakness.ts";
import type { User } from "../../store/refusal.ts";
import { causeInWords } from "../causes.ts";
import { answerProblemInWords, definitionProblemInWords } from "../form-words.ts";
import { ssoTroubleInWords } from "../sso-troubles.ts";
import { agentStatuses, fieldName, nouns, smsCodes } from "../terms.ts";
import type { Fault, RefusalWords } from "./refusal.ts";
import { chosen, type DocumentWords, type FaultWords, firstOf, type SoundWords, type TargetWords } from "./table.ts";

const named = (field: string) => `“${fieldName(field, "en")}”`;
const noun = (what: User["noun"]) => nouns[what].en;
const userOf = ({ noun: used, which }: User) =>
  which === "" ? `the exchange's ${noun(used)}` : `${noun(used)} ${which}`;
const taken = { extension: "an extension", queue: "a queue", group: "a ring group", menu: "a voice menu" };

const weaknesses: Record<Weakness, string> = {
  common: "Many people have this password, and it is among the first that are tried. Choose another one.",
  personal: "This password is made of your own or the exchange's name, address or number. Choose another one.",
  predictable: "This password is a run of keys, a repetition or a year. Choose another one.",
};

const faults: FaultWords = {
  maximum: ({ limit }) => `at most ${limit}`,
  minimum: ({ limit }) => `at least ${limit}`,
  maxLength: ({ limit }) => `at most ${limit} characters`,
  minLength: ({ limit }) => (limit === 1 ? "it cannot be empty" : `at least ${limit}`),
  maxItems: ({ limit }) => `at most ${limit} entries`,
  minItems: ({ limit }) => `at least ${limit}`,
  uniqueItems: () => "something is listed twice",
  oneLine: () => "it cannot have line breaks or control characters",
};

const targets: TargetWords = {
  unreadable: () => "it cannot be read",
  named: () => "write its number instead of its name",
  "out-of-place": () => "it makes no sense here",
  "not-there": (why) => `there is no ${noun(why.noun)} ${why.which}`,
};

const sounds: SoundWords = {
  extension: ({ known }) => `A sound file has to end in one of these: ${known.join(" ")}`,
  "not-base64": () => "The file cannot be read.",
  undecodable: () => "The sound file cannot be decoded.",
  "too-long": ({ limitSeconds }) => `The sound is too long: at most ${limitSeconds} seconds.`,
  "too-large": ({ limitBytes }) => `The file is too large: at most ${limitBytes / 1024 ** 2} MB.`,
  "no-converter": () => "This server cannot convert sound files: ffmpeg is not installed.",
  "no-turn": () => "Too many sounds of this exchange wait to be converted. Try again in a while.",
};

const documents: DocumentWords = {
  "no-fax": () => "This server has no fax program.",
  "no-own-number": () => "This exchange has no number of its own to send a fax from.",
  "not-base64": () => "The file cannot be read.",
  "too-large": ({ limitBytes }) => `The file is too large: at most ${limitBytes / 1024 ** 2} MB.`,
  "pages-gone": () => "The pages of this fax are not kept any more.",
  "not-fetched": () => "The document cannot be fetched from its address.",
  "unknown-type": () => "The document has to be a PDF, PNG, JPEG, TIFF or plain text.",
  encrypted: () => "The document is locked with a password.",
  broken: () => "The document cannot be read.",
  empty: () => "The document is empty.",
  "too-many-pages": ({ limit }) => `The document has too many pages: at most ${limit}.`,
  "too-much": () => "The document takes too much time or memory to draw.",
  "no-turn": () => "Too many documents of this exchange wait to be drawn. Try again in a while.",
};

function misfit(field: string, fault: Fault | undefined): string {
  return `This value does not fit${field && `: ${named(field)}`}${fault ? ` (${chosen(faults, "is", fault)})` : ""}`;
}

export const otherwise = "This was refused.";
export const unreachable = "The server cannot be reached. Check the connection and try again.";

export const words: RefusalWords = {
  invalid: ({ field, fault }) => misfit(field, fault),
  "several-fields": ({ wrong }) => `${wrong.length} fields do not fit. Each says why.`,
  blank: ({ field }) => `${named(field)} cannot be empty.`,
  required: ({ field }) => `${named(field)} cannot be empty.`,
  misfit: ({ field, value }) => `${named(field)} does not fit: ${value}`,
  malformed: ({ field }) => `${named(field)} does not fit.`,
  "text-too-long": ({ field, most }) => `${named(field)} takes at most ${most} characters.`,
  "list-too-long": ({ field }) => `${named(field)} holds too many entries.`,
  "out-of-range": ({ field, least, most }) => `${named(field)} must be between ${least} and ${most}.`,
  "not-above": ({ field, least }) => `${named(field)} must be above ${least}.`,
  "not-one-of": ({ field, choices }) => `${named(field)} must be ${choices.join(" or ")}.`,
  "url-silent": ({ field }) => `${named(field)} did not answer a trial request with 200.`,

  "signed-out": () => "You are signed out. Please sign in again.",
  "password-must-change": () => "Change your password first.",
  "second-factor-first": () => "Your exchange requires a second factor. Set it up first.",
  "prove-yourself": () => "For this, show again who you are.",
  "weak-password": ({ least }) => `A password takes at least ${least} characters.`,
  "common-password": ({ why }) => weaknesses[why],
  "simple-pin": () => "This PIN is one of the first that somebody would try. Choose another one.",
  "same-password": () => "The new password must differ from the old one.",
  "wrong-password": () =>
    "Wrong e-mail address or password. After five wrong ones in a row an account is closed for a quarter of an hour.",
  "code-needed": () => "Enter the code of your authenticator app.",
  "wrong-code": () => "The code is wrong or was used already.",
  "secret-unreadable": () => "What is stored cannot be opened: its key is missing. Tell those who run the exchange.",
  "not-your-role": ({ needs }) => `Your role does not let you ${rights[needs].en}. Ask an administrator.`,
  "passwords-off": () => "Passwords are not accepted at this exchange any more. Use single sign-on.",
  "no-second-factor": () => "Switch the second factor on first.",
  "no-break-glass": () =>
    "Before passwords are switched off, name a break-glass account: an active administrator of this exchange.",
  sso: ({ why }) => ssoTroubleInWords(why, "en"),
  "too-many": ({ seconds }) => `Too many attempts. Try again in ${seconds} seconds.`,
  "last-administrator": () => "The last administrator has to stay one.",
  yourself: () => "You cannot do this to your own account.",

  "number-taken": ({ number, by }) =>
    by === "exchange"
      ? `${number} already belongs to an exchange.`
      : `${number} is already the number of ${taken[by]}.`,
  "emergency-number": ({ number }) =>
    `${number} is an emergency number: whoever dials it calls for help. Take another.`,
  "bad-number": ({ number, least, most }) => `“${number}” is not a number: it takes ${least} to ${most} digits.`,
  "bad-title": ({ name }) => `“${name}” is no title: it takes 1 to 11 letters, digits, blanks, stars, dots or dashes.`,
  "name-taken": ({ what, name }) => `There is already a ${noun(what)} ${name}.`,
  "not-found": ({ what, which }) => `There is no ${noun(what)} ${which}.`,
  "most-reached": ({ what, most }) => `There are ${most} already, and no room for one more: ${nouns[what].en}.`,
  "network-taken": ({ network }) =>
    `${network} overlaps an address that another exchange on this server has: list the carrier's own addresses, or ask whoever runs the server.`,
  "twice-in-list": ({ number }) => `${number} stands in the list twice.`,
  "in-use": ({ what, which, by }) => `${noun(what)} ${which} is in use by ${userOf(by)}: change that first.`,
  "bad-target": ({ target, why }) => `“${target}” cannot be a target: ${chosen(targets, "problem", why)}`,
  "not-own-number": ({ number }) => `${number} is not one of this exchange's numbers.`,
  "no-receiver": () => "Enter the notification URL first.",
  "no-voice": () => "No voice could speak this text.",
  "caller-taken": () => "A colleague has taken this caller.",
  "not-a-disposition": ({ disposition }) => `“${disposition}” is no disposition of this call's queue.`,
  "owes-disposition": () => "First say what became of your last call.",
  "no-agent": () => "This extension is no agent.",
  "form-answers": ({ problems }) =>
    `The form was not saved. ${firstOf(problems, (problem) => answerProblemInWords(problem, "en"))}`.trim(),
  "form-definition": ({ problems }) =>
    `The form was not saved. ${firstOf(problems, (problem) => definitionProblemInWords(problem, "en"))}`.trim(),
  "agent-is": ({ status }) => `Not while the agent is in this state: ${agentStatuses[status].en}`,
  "no-staff": ({ extension }) => `No staff account is linked to extension ${extension}.`,
  "no-user": ({ extension }) => `There is no extension ${extension}.`,
  "empty-file": () => "The file has no rows.",
  "unreadable-file": () => "Not readable. Send CSV or Excel (xlsx).",
  "file-too-large": ({ most }) => `The file is too large: at most ${most} MB.`,
  "missing-column": ({ field }) => `Say which column is “${fieldName(field, "en")}”.`,
  "import-begun": () => "This import was begun already.",
  "test-under-way": () => "Another trunk is being tested just now. Try again in a moment.",
  "no-test-for-help": ({ number }) => `${number} is an emergency number. No test call goes there.`,
  "backup-under-way": () => "A backup is being made already.",
  "external-contacts": () => "Contacts are managed by an outside integration.",
  "contact-not-found": ({ id }) => `There is no entry ${id}.`,
  "already-blocked": ({ number }) => `${number} is blocked already.`,
  "not-blocked": ({ number }) => `${number} is not blocked.`,
  sound: ({ no }) => chosen(sounds, "refused", no),
  fax: ({ no }) => chosen(documents, "refused", no),

  "no-sms-account": () => "This exchange has no SMS account.",
  sms: ({ code }) => smsCodes[code].en,
  "campaign-not-found": ({ id }) => `There is no campaign ${id}.`,
  "one-line-only": () => "This exchange makes automatic calls one at a time only.",
  "no-digit-target": () => "At least one key has to lead somewhere.",
  "too-many-numbers": ({ most }) => `At most ${most} numbers can be given.`,
  "range-reversed": () => "The last day cannot be before the first.",
  "range-too-long": ({ days }) => `At most ${days} days can be asked for.`,

  "not-operator": () => "Only those who run the servers see this.",
  "no-such-node": ({ name }) => `No node named ${name} is running.`,
  "not-running": () => "The exchange is not running calls now.",
  "missing-extension": () => "Your account has no extension.",
  "extension-not-found": ({ extension }) => `There is no extension ${extension}.`,
  "no-such-extension": ({ extension }) => `There is no extension ${extension}.`,
  "extension-not-reachable": ({ extension }) => `No phone of extension ${extension} is registered.`,
  "do-not-disturb": () => "The extension does not want to be disturbed.",
  "invalid-source": ({ source }) => `Not a number: ${source}`,
  "invalid-destination": ({ destination }) => `Not a number: ${destination}`,
  "destination-barred": ({ destination }) => `Calls to ${destination} are barred.`,
  "caller-id-not-owned": () => "This caller number is not yours.",
  "announcement-not-found": ({ id }) => `There is no announcement ${id}.`,
  "missing-queue": () => "Name a queue.",
  "queue-not-found": ({ queue }) => `There is no queue ${queue}.`,
  "missing-members": () => "Name the members.",
  "no-such-member": ({ extension }) => `There is no extension ${extension}.`,
  "member-already": ({ extension }) => `Extension ${extension} is a member already.`,
  "no-such-call": () => "The call is over.",
  "not-now": () => "The call is not in a state for this.",
  "no-trunk": () => "There is no trunk for this number.",
  "no-free-channel": () => "No channel is free.",
  "call-failed": ({ cause }) => `The call failed: ${causeInWords(cause, "en")}`,
  overloaded: () => "There are too many calls at once. Try again in a second.",
  closing: () => "The exchange is stopping.",
  "given-up": () => "The exchange could not do this in time. Try again in a moment.",
  "call-not-found": ({ uuid }) => `There is no call ${uuid}.`,
  "call-has-no-file": ({ uuid }) => `Nothing is kept of call ${uuid}.`,
  "voicemail-not-found": ({ uuid }) => `There is no message ${uuid}.`,
  "archive-silent": () => "The store outside that holds this recording does not answer now. Try again later.",
  "ticket-expired": () => "This link is not valid any more.",
  "no-such-page": ({ page }) => `There is no page ${page}.`,
};
