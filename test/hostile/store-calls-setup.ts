// What is set up at an exchange, asked of the store for ours with their numbers, names and ids.

import { randomUUID } from "node:crypto";
import { exchange } from "../../src/nouns/exchange.ts";
import { extension as extensionNoun } from "../../src/nouns/extension.ts";
import type { Noun } from "../../src/nouns/field.ts";
import { queue } from "../../src/nouns/queue.ts";
import { SPENT_BY } from "../../src/nouns/spent.ts";
import { staff as staffNoun } from "../../src/nouns/staff.ts";
import { trunk } from "../../src/nouns/trunk.ts";
import { changeAgent, maySupervise, readFloorPlan } from "../../src/store/agents.ts";
import * as announcements from "../../src/store/announcements.ts";
import * as keys from "../../src/store/api-keys.ts";
import * as audit from "../../src/store/audit.ts";
import * as blocked from "../../src/store/blocked-numbers.ts";
import * as settings from "../../src/store/call-settings.ts";
import { readCalled } from "../../src/store/called.ts";
import { nameOfCaller } from "../../src/store/caller-names.ts";
import * as groups from "../../src/store/contact-groups.ts";
import { listContactGroupRows, searchContacts } from "../../src/store/contact-search.ts";
import * as contacts from "../../src/store/contacts.ts";
import * as crm from "../../src/store/crm-settings.ts";
import * as plan from "../../src/store/dial-plan.ts";
import * as exchanges from "../../src/store/exchanges.ts";
import * as extensions from "../../src/store/extensions.ts";
import * as numbers from "../../src/store/external-numbers.ts";
import { readFormer } from "../../src/store/former.ts";
import * as holidays from "../../src/store/holidays.ts";
import * as menus from "../../src/store/menus.ts";
import { listNames } from "../../src/store/names.ts";
import * as office from "../../src/store/office.ts";
import * as rules from "../../src/store/outbound-rules.ts";
import * as paidLegs from "../../src/store/paid-legs.ts";
import { paidSums } from "../../src/store/paid-sums.ts";
import * as queues from "../../src/store/queues.ts";
import * as ringGroups from "../../src/store/ring-groups.ts";
import * as search from "../../src/store/search.ts";
import { readSetupFacts } from "../../src/store/setup-facts.ts";
import { type SetupRows, setupRows } from "../../src/store/setup-rows.ts";
import * as shown from "../../src/store/shown-passwords.ts";
import { sipAccounts } from "../../src/store/sip-accounts.ts";
import * as spending from "../../src/store/spending.ts";
import * as spentLately from "../../src/store/spent-lately.ts";
import * as staff from "../../src/store/staff.ts";
import { nobodysPassword } from "../../src/store/staff-password.ts";
import * as statuses from "../../src/store/statuses.ts";
import { stretchOfDays } from "../../src/store/stretch.ts";
import * as approvals from "../../src/store/trunk-approvals.ts";
import * as trunks from "../../src/store/trunks.ts";
import * as book from "../../src/store/webphone-people.ts";
import * as tokens from "../../src/store/webphone-tokens.ts";
import { secrets } from "../ground/secrets.ts";
import { type Both, type Call, call } from "./store-call.ts";

const PAGE = { page: 1, limit: 100 };
const EVERY_KIND = { setup: true, queues: true, people: true, calls: true };
const NOW = Date.now();

export function setupCalls(both: Both): Call[] {
  return [...deskCalls(both), ...placeCalls(both), ...lineCalls(both), ...spendingCalls(both), ...peopleCalls(both)];
}

function deskCalls({ us: { exchangeId, id: own }, them }: Both): Call[] {
  const { extension, id, email } = them;
  const changes = { name: "ours" };
  const account = { exchangeId, name: "Eve", role: "administrator" as const, password: nobodysPassword() };
  return [
    call(exchanges.findExchange, exchangeId),
    call(exchanges.describeExchange, exchangeId),
    call(exchanges.readExchangeSettings, exchangeId, ["name", "crm_url"]),
    call(exchanges.updateExchange, exchangeId, changes),
    call(exchanges.deleteExchange, exchangeId),
    call(listNames, exchangeId),
    call(office.readOffice, exchangeId),
    call(office.switchOffice, exchangeId, "closed"),
    call(readSetupFacts, exchangeId),
    ...formerCalls({ exchangeId, them }),
    call(keys.createApiKey, exchangeId, {}),
    call(keys.listApiKeys, exchangeId),
    call(keys.revokeApiKey, exchangeId, id),
    call(keys.revokeOtherApiKeys, exchangeId, own),
    call(audit.writeAuditLine, { exchangeId, doer: "staff", who: "ours", did: "queues.create", details: {} }),
    call(audit.listAuditLines, exchangeId, {}),
    call(audit.searchAuditLines, exchangeId, { ...PAGE, about: "GEHEIM", dids: [] }),
    call(audit.searchAuditLines, exchangeId, { ...PAGE, about: "", dids: [] }),
    call(crm.readCrmSettings, exchangeId),
    call(crm.changeCrmSettings, exchangeId, { ringing: false, url: "https://ours.example.com" }),
    call(extensions.createExtension, { exchangeId, number: extension, password: "a long password" }),
    call(extensions.listExtensions, exchangeId),
    ...["1000", extension].flatMap((number) => [
      call(extensions.findExtension, exchangeId, number),
      call(extensions.describeExtension, exchangeId, number),
      call(shown.keepShownPassword, secrets, { exchangeId, number, password: "another long password" }),
      call(shown.shownPassword, secrets, { exchangeId, number }),
      call(extensions.setExtensionPassword, { exchangeId, number, password: "another long password" }),
      call(extensions.updateExtension, { exchangeId, number, changes }),
      call(extensions.deleteExtension, exchangeId, number),
      call(tokens.issueWebphoneToken, { exchangeId, extension: number, now: NOW }),
      call(tokens.revokeWebphoneTokens, { exchangeId, extension: number }),
      call(maySupervise, exchangeId, number),
      call(book.recentCalls, { exchangeId, extension: number, most: 100 }),
      call(changeAgent, {
        extension: number,
        by: { doer: "staff" as const, who: "ours" },
        change: () => ({ status: "AVAILABLE" as const, description: null }),
        exchangeId,
      }),
    ]),
    call(book.findPeople, { exchangeId, search: "", most: 100, language: "tr" }),
    call(book.findPeople, { exchangeId, search: "GEHEIM", most: 100, language: "tr" }),
    call(readFloorPlan, exchangeId),
    call(sipAccounts, exchangeId),
    call(settings.readCallSettings, exchangeId),
    call(statuses.listExtensionStates, exchangeId),
    call(statuses.listAgentStates, exchangeId, { agent: extension, queue: undefined }),
    call(statuses.listAgentStates, exchangeId, { agent: undefined, queue: them.marker }),
    call(statuses.listAgentStates, exchangeId, { agent: undefined, queue: undefined }),
    call(staff.createStaffAccount, { ...account, email: "eve@example.com", extension }),
    call(staff.createStaffAccount, { ...account, email }),
    call(staff.listStaffAccounts, exchangeId),
    call(staff.administratorNames, exchangeId),
    call(staff.isAdministrator, exchangeId, email),
    call(staff.emailOf, exchangeId, id),
    call(staff.updateStaffAccount, { exchangeId, id, changes: { name: "ours", role: "read-only", active: false } }),
    call(staff.isLastAdministrator, exchangeId, id),
    call(staff.setTotpSecret, secrets, { exchangeId, id, secret: "A".repeat(32) }),
    call(staff.setStaffPassword, { exchangeId, email, password: nobodysPassword(), dropTotp: true }),
    call(staff.deleteStaffAccount, exchangeId, email),
    call(spending.addressesOfAdministrators, exchangeId),
    ...setupNouns.map((noun) => call(setupRows, noun, exchangeId)),
  ];
}

function formerCalls({ exchangeId, them }: { exchangeId: number; them: Both["them"] }): Call[] {
  const known: [noun: Noun, which: string | number][] = [
    ...["1000", them.extension].map((number): [Noun, string] => [extensionNoun, number]),
    ...["200", them.queue].map((number): [Noun, string] => [queue, number]),
    ...["hat", them.trunk].map((name): [Noun, string] => [trunk, name]),
    ...[[staffNoun, them.id] as [Noun, number], [exchange, them.exchangeId] as [Noun, number]],
  ];
  const told = [{ id: them.id, sound: them.id, group_ids: [them.id] }];
  return [
    ...known.map(([noun, which]) => call(readFormer, noun, { exchangeId, which, names: Object.keys(noun.fields) })),
    ...["staff.delete", "walls.delete", "forms.delete", "contacts.update", "rules.delete"].map((did) =>
      call(readCalled, exchangeId, { did, told }),
    ),
  ];
}

const setupNouns: (keyof SetupRows)[] = ["extensions", "queues", "groups", "menus", "numbers", "trunks", "sounds"];

function placeCalls({ us: { exchangeId }, them }: Both): Call[] {
  const { extension, id } = them;
  const changes = { name: "ours" };
  const sound = { objectKey: "ours", fileName: "ours", durationMs: 1 };
  const foreignSound = { music_announcement_id: id, waiting_announcement_id: id };
  return [
    ...["200", them.queue].flatMap((number) => [
      call(queues.createQueue, { exchangeId, number, name: "ours", members: [extension] }),
      call(queues.findQueue, exchangeId, number),
      call(queues.queueCalled, exchangeId, number),
      call(queues.listQueueMembers, exchangeId, number),
      call(queues.setQueueMembers, { exchangeId, number, members: [extension] }),
      call(queues.setQueueMembers, { exchangeId, number, members: ["1001"] }),
      call(queues.changeQueueMembers, { exchangeId, number, action: "add", members: [extension] }),
      call(queues.changeQueueMembers, { exchangeId, number, action: "replace", members: ["1001"] }),
      call(queues.updateQueue, { exchangeId, number, changes }),
      call(queues.updateQueue, { exchangeId, number, changes: foreignSound }),
      call(queues.deleteQueue, exchangeId, number),
      call(plan.whyNumberIsNotFree, { exchangeId, noun: "queue", number }),
      call(plan.whyNotForHelp, exchangeId, [number]),
      call(plan.isInDialPlan, { exchangeId, noun: "queue", number }),
      call(plan.usersOfTarget, exchangeId, `queue/${number}`),
    ]),
    ...["user/1000", "user/1001"].map((target) => call(plan.usersOfTarget, exchangeId, target)),
    call(queues.listQueues, exchangeId),
    call(queues.queueCalled, exchangeId, them.marker),
    call(queues.extensionIdsOf, exchangeId, [extension]),
    call(queues.extensionIdsOf, exchangeId, ["1000"]),
    ...["700", them.group].flatMap((number) => [
      call(ringGroups.createRingGroup, { exchangeId, number, name: "ours", members: [{ extension }] }),
      call(ringGroups.findRingGroup, exchangeId, number),
      call(ringGroups.listRingGroupMembers, exchangeId, number),
      call(ringGroups.setRingGroupMembers, { exchangeId, number, members: [{ extension }] }),
      call(ringGroups.setRingGroupMembers, { exchangeId, number, members: [{ extension: "1001" }] }),
      call(ringGroups.updateRingGroup, { exchangeId, number, changes }),
      call(ringGroups.deleteRingGroup, exchangeId, number),
    ]),
    call(ringGroups.listRingGroups, exchangeId),
    ...["10", them.menu].flatMap((number) => [
      call(menus.createMenu, { exchangeId, number, name: "ours", changes: { welcome_announcement_id: id } }),
      call(menus.findMenu, exchangeId, number),
      call(menus.updateMenu, { exchangeId, number, changes }),
      call(menus.updateMenu, { exchangeId, number, changes: { welcome_announcement_id: id } }),
      call(menus.deleteMenu, exchangeId, number),
    ]),
    call(menus.listMenus, exchangeId),
    call(announcements.listAnnouncements, exchangeId),
    call(announcements.findAnnouncement, exchangeId, id),
    call(announcements.createAnnouncement, { exchangeId, name: "ours", sound }),
    call(announcements.updateAnnouncement, { exchangeId, id, name: "ours", sound }),
    call(announcements.deleteAnnouncement, exchangeId, id),
  ];
}

function spendingCalls({ us: { exchangeId }, them }: Both): Call[] {
  const ever = { from: new Date("2020-01-01T00:00:00Z"), before: new Date("2032-01-01T00:00:00Z") };
  const alarm = { cause: "hourly-spending", extension: "", value: 2, threshold: 1 } as const;
  const everPaid = { exchangeId, ...ever, timeZone: "Europe/Istanbul" };
  return [
    call(spending.setCallRate, { exchangeId, prefix: "90", minutePrice: "9" }),
    call(spending.deleteCallRate, exchangeId, "90"),
    call(spending.listCallRates, exchangeId),
    call(spending.charge, { exchangeId, month: "2031-01-01", price: 1 }),
    call(spending.buy, {
      ...{ exchangeId, month: "2031-01-01", minutePrice: 1, limit: null },
      minutes: { leg: randomUUID(), day: "2031-01-01", paid: 0, through: 1 },
    }),
    ...SPENT_BY.map((by) => call(paidLegs.spentLines, everPaid, by)),
    call(stretchOfDays, { exchangeId, timeZone: "Europe/Istanbul", from: "2031-01-01", to: "2031-01-31" }),
    call(paidLegs.spentSum, everPaid),
    call(paidSums, everPaid, "trunk"),
    ...[undefined, { by: "trunk", which: them.marker } as const].flatMap((line) => [
      call(paidLegs.paidLegs, everPaid, { line, page: 1, limit: 50 }),
      call(paidLegs.walkPaidLegs, everPaid, { line, atOnce: 1 }),
    ]),
    call(spending.spentIn, exchangeId, "2031-01-01"),
    call(spending.spentByMonth, exchangeId),
    call(spentLately.spentInHour, { exchangeId, extension: them.marker, at: new Date(NOW) }),
    call(spentLately.dearestHour, exchangeId, new Date(NOW)),
    call(spentLately.noteSpendingAlarm, { exchangeId, ...alarm, at: new Date(NOW) }),
    call(spentLately.spendingAlarms, exchangeId),
    call(spending.noteLimitReached, { exchangeId, month: "2031-01-01", at: new Date(NOW) }),
  ];
}

function lineCalls({ us: { exchangeId }, them }: Both): Call[] {
  const { id, external } = them;
  const rule = { name: them.rule, priority: 1, prefix: "90" };
  return [
    call(numbers.createExternalNumber, { exchangeId, number: external, target: "user/1000" }),
    call(numbers.listExternalNumbers, exchangeId),
    call(numbers.findExternalNumber, exchangeId, external),
    call(numbers.updateExternalNumber, { exchangeId, number: external, changes: { description: "ours" } }),
    call(numbers.updateExternalNumber, { exchangeId, number: external, changes: { trunk: them.trunk } }),
    call(numbers.deleteExternalNumber, exchangeId, external),
    call(holidays.createHoliday, { exchangeId, day: "2031-01-01", number: external }),
    call(holidays.listHolidays, exchangeId),
    call(holidays.updateHoliday, id, { exchangeId, day: "2031-01-02", number: external }),
    call(holidays.deleteHoliday, exchangeId, id),
    call(settings.findHoliday, { exchangeId, number: external, day: "2031-05-19" }),
    call(settings.isBlocked, { exchangeId, number: them.blocked, direction: "inbound" }),
    ...["hat", them.trunk].flatMap((name) => [
      call(trunks.createTrunk, secrets, { exchangeId, name, host: "ours.example.com" }),
      call(trunks.findTrunk, exchangeId, name),
      call(trunks.updateTrunk, secrets, { exchangeId, name, changes: { host: "ours.example.com" } }),
      call(trunks.updateTrunk, secrets, { exchangeId, name, changes: { password: "ours" } }),
      call(approvals.approveTrunk, { exchangeId, name, by: "operator" }),
      call(approvals.disapproveTrunk, exchangeId, name),
      call(approvals.approvalsOf, exchangeId, name),
      call(trunks.deleteTrunk, exchangeId, name),
    ]),
    call(trunks.listTrunks, exchangeId),
    call(approvals.networksTaken, exchangeId, ["192.0.2.0/24"]),
    call(rules.createOutboundRule, { ...rule, trunk: them.trunk, exchangeId }),
    call(rules.createOutboundRule, { ...rule, exchangeId }),
    call(rules.updateOutboundRule, { ...rule, id, exchangeId }),
    call(rules.updateOutboundRule, { ...rule, name: "ours", id, exchangeId }),
    call(rules.updateOutboundRule, { ...rule, id, trunk: them.trunk, exchangeId }),
    call(rules.moveOutboundRule, { exchangeId, id, up: true }),
    call(rules.moveOutboundRule, { exchangeId, id, up: false }),
    call(rules.listOutboundRules, exchangeId),
    ...["kural", them.rule].map((name) => call(rules.deleteOutboundRule, exchangeId, name)),
  ];
}

function peopleCalls({ us: { exchangeId, id: own }, them }: Both): Call[] {
  const { id, marker } = them;
  const contact = { name: "ours", surname: "ours", phone: "05320007766" };
  const nothingWrong = () => undefined;
  return [
    call(blocked.listBlockedNumbers, exchangeId, PAGE),
    call(blocked.blockNumber, { exchangeId, number: them.blocked, direction: "inbound" }),
    ...["905320009988", them.blocked].map((number) =>
      call(blocked.unblockNumber, { exchangeId, number, direction: undefined }),
    ),
    ...["05320007766", them.blocked].map((number) => call(nameOfCaller, { exchangeId, number })),
    call(groups.listContactGroups, exchangeId),
    call(groups.createContactGroup, exchangeId, "ours"),
    call(groups.renameContactGroup, { exchangeId, id, name: "ours" }),
    call(groups.deleteContactGroup, exchangeId, id),
    call(listContactGroupRows, exchangeId),
    call(searchContacts, exchangeId, { ...PAGE, language: "tr", about: "", groupId: undefined }),
    call(searchContacts, exchangeId, { ...PAGE, language: "tr", about: "", groupId: id }),
    call(searchContacts, exchangeId, { ...PAGE, language: "tr", about: marker, groupId: undefined }),
    ...["everything" as const, { extensions: ["1000"], queues: ["1000"], calledAt: ["1000"] }].map((scope) =>
      call(search.searchEverywhere, exchangeId, {
        about: "ann",
        most: 5,
        language: "tr",
        may: { ...EVERY_KIND, scope },
      }),
    ),
    call(contacts.listContacts, exchangeId, PAGE),
    call(contacts.createContact, exchangeId, contact),
    call(contacts.createContacts, exchangeId, [contact, contact]),
    call(contacts.createContact, exchangeId, { ...contact, group_ids: [id] }),
    call(contacts.updateContact, { exchangeId, id, changes: contact }, nothingWrong),
    call(contacts.updateContact, { exchangeId, id: own, changes: { group_ids: [id] } }, nothingWrong),
    call(contacts.deleteContact, exchangeId, id),
    call(contacts.refuseWrite, exchangeId, [id]),
  ];
}
