// The audit trail in English.

import { officeSwitch } from "../../nouns/choices.ts";
import { archiveTroubleInWords } from "../archive-troubles.ts";
import { ssoTroubleInWords } from "../sso-troubles.ts";
import type { DoerWords, ToldWords } from "./table.ts";

/** Every operation of the console that leaves a line: one that is not here only reads. */
export const operations = {
  "nodes.drain": "had a node give its exchanges away",
  "nodes.resume": "let a node take exchanges again",
  "session.signIn": "signed in to the console",
  "calls.hangUp": "hung up a call",
  "calls.transfer": "transferred a call",
  "calls.begin": "began a call",
  "calls.supervise": "asked to supervise an extension",
  "contacts.create": "made a contact",
  "contacts.update": "changed a contact",
  "contacts.delete": "deleted a contact",
  "contacts.import": "imported contacts",
  "contactSources.create": "added a source of contacts",
  "contactSources.update": "changed a source of contacts",
  "contactSources.delete": "removed a source of contacts",
  "contactSources.run": "had a source of contacts read now",
  "contactSources.confirm": "agreed to the removal of contacts that a source no longer has",
  "contactGroups.create": "made a group of contacts",
  "contactGroups.rename": "renamed a group of contacts",
  "contactGroups.delete": "deleted a group of contacts",
  "extensions.create": "made an extension",
  "extensions.update": "changed an extension",
  "extensions.setDnd": "switched do-not-disturb",
  "extensions.newPassword": "gave an extension a new SIP password",
  "extensions.invitePhone": "made a QR code for a phone",
  "extensions.openWebphone": "opened an extension's web phone",
  "extensions.delete": "deleted an extension",
  "mailboxes.update": "changed a mailbox",
  "numbers.create": "made an external number",
  "numbers.update": "changed an external number",
  "numbers.delete": "deleted an external number",
  "holidays.create": "made a holiday",
  "office.switch": "switched the office open or closed",
  "holidays.update": "changed a holiday",
  "holidays.delete": "deleted a holiday",
  "trunks.create": "made a trunk",
  "trunks.update": "changed a trunk",
  "trunks.delete": "deleted a trunk",
  "sms.send": "sent messages",
  "sms.cancel": "cancelled a scheduled campaign",
  "sms.createTitle": "made a sender title",
  "forms.create": "made a form",
  "forms.update": "changed a form",
  "forms.delete": "deleted a form",
  "forms.fill": "filled in the form of a call",
  "readyTexts.create": "kept a ready text",
  "readyTexts.delete": "deleted a ready text",
  "sms.addToBlacklist": "put numbers on the message blacklist",
  "sms.removeFromBlacklist": "took a number off the message blacklist",
  "sms.uploadConsents": "handed in consents",
  "sms.updateAccount": "changed the SMS account",
  "sms.renewPassword": "renewed the SMS password",
  "campaigns.create": "began a campaign",
  "campaigns.switch": "switched a campaign",
  "campaigns.delete": "deleted a campaign",
  "faxes.send": "sent a fax",
  "blocked.add": "blocked a number",
  "blocked.remove": "unblocked a number",
  "voicemail.markRead": "marked a message as heard",
  "voicemail.delete": "deleted a message",
  "queues.create": "made a queue",
  "queues.update": "changed a queue",
  "queues.delete": "deleted a queue",
  "agents.move": "changed an agent's status",
  "groups.create": "made a ring group",
  "groups.update": "changed a ring group",
  "groups.delete": "deleted a ring group",
  "menus.create": "made a menu",
  "menus.update": "changed a menu",
  "menus.delete": "deleted a menu",
  "rules.create": "made an outbound rule",
  "rules.update": "changed an outbound rule",
  "rules.move": "moved an outbound rule",
  "rules.delete": "deleted an outbound rule",
  "session.changePassword": "changed their own password",
  "session.end": "ended one of their sessions",
  "webphone.open": "opened their web phone",
  "totp.confirm": "switched a second factor on",
  "totp.drop": "switched their second factor off",
  "settings.update": "changed the exchange's settings",
  "crm.update": "changed the call events",
  "crm.test": "sent a test event",
  "crm.secret": "looked at the secret that signs call events",
  "sso.update": "set single sign-on",
  "sso.test": "tried single sign-on out",
  "sso.off": "switched single sign-on off",
  "recoveryCodes.renew": "made new recovery codes",
  "archive.update": "set where recordings are archived",
  "archive.test": "tried the recording archive out",
  "archive.off": "switched the recording archive off",
  "archive.delete": "took an earlier place of recordings away",
  "deliveries.again": "delivered an event once more",
  "keys.create": "made an API key",
  "keys.revoke": "revoked an API key",
  "sounds.upload": "uploaded an announcement",
  "sounds.speak": "had an announcement spoken",
  "sounds.update": "changed an announcement",
  "sounds.delete": "deleted an announcement",
  "staff.create": "made a staff account",
  "staff.update": "changed a staff account",
  "staff.resetPassword": "gave a staff account a new password",
  "staff.resetTotp": "took a staff account's second factor away",
  "staff.endSessions": "ended the sessions of a staff account",
  "staff.delete": "deleted a staff account",
};

export const told: ToldWords = {
  "agent-moved": ({ extension, from, to }) => `agent ${extension}: ${states[from] ?? from} to ${states[to] ?? to}`,
  "call-supervised": ({ extension, mode, call }) =>
    `supervises extension ${extension} (${modes[mode] ?? mode}), call ${call}`,
  "supervision-refused": ({ extension, mode }) =>
    `was refused to supervise extension ${extension} (${modes[mode] ?? mode})`,
  "phone-settings-fetched": ({ extension, address }) =>
    `a phone at ${address} fetched the settings of extension ${extension}`,
  "office-switched": ({ to }) => `turned the office's switch: ${positions[to] ?? to}`,
  "recording-heard": ({ call }) => `heard the recording of call ${call}`,
  "message-heard": ({ call }) => `heard voicemail message ${call}`,
  "table-exported": ({ table, format }) => `downloaded the table “${tables[table] ?? table}” (${format})`,
  "spending-limit-reached": ({ limit, month }) =>
    `the spending limit of ${limit} is reached: no more calls to the outside in ${month}`,
  "emergency-call": ({ number, caller, call }) => `${caller} called the emergency number ${number}, call ${call}`,
  "sms-credits-low": ({ account, credits }) => `SMS account ${account} has only ${credits} credits left`,
  "archive-failing": ({ place, why }) =>
    `recordings cannot be put to ${place}: ${archiveTroubleInWords({ trouble: why, detail: "" }, "en")}`,
  "archive-works": ({ place }) => `recordings go to ${place} again`,
  "contact-removal-held": ({ source, contacts }) =>
    `the removal of ${contacts} contacts of the source ${source} waits for a confirmation`,
  "signed-in": ({ door, address }) => `signed in ${doors[door] ?? door}${from(address)}`,
  "sign-in-failed": ({ door, why, address }) =>
    `could not sign in ${doors[door] ?? door}: ${failures[why] ?? ssoTroubleInWords(why, "en")}${from(address)}`,
  "signed-out": ({ address }) => `signed out${from(address)}`,
  "demo-made": () => "made the demo exchange of the first run",
  command: ({ command }) => command,
};

const doors: Record<string, string> = {
  password: "with a password",
  "second-factor": "with a password and the code of a second factor",
  "recovery-code": "with a password and a recovery code",
  oidc: "by single sign-on",
};
const failures: Record<string, string> = {
  "wrong-password": "wrong password",
  "wrong-code": "wrong code",
  locked: "the account is locked",
  "passwords-off": "passwords are not accepted",
  "unknown-name": "unknown name",
  "secret-unreadable": "the second factor cannot be checked",
};
const from = (address: string) => (address === "" ? "" : `, from ${address}`);
const positions: Record<string, string> = Object.fromEntries(
  Object.entries(officeSwitch).map(([to, words]) => [to, words.en]),
);
const states: Record<string, string> = { AVAILABLE: "available", LOGGED_OUT: "logged out", ON_BREAK: "on a break" };
const tables: Record<string, string> = { calls: "calls", "response-times": "response times", forms: "forms" };
const modes: Record<string, string> = { listen: "listen", whisper: "whisper", join: "join" };

export const doers: DoerWords = {
  staff: (email) => email || "somebody",
  extension: (number) => `extension ${number}`,
  "web phone": (number) => `web phone of extension ${number}`,
  "command line": (user) => (user === "" ? "command line" : `command line (${user})`),
  queue: () => "the queue",
  exchange: () => "the exchange",
  start: () => "santral start",
};
