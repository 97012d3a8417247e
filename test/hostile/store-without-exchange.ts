// Functions of the store that name no exchange, each with the reason why it need not.

import * as keys from "../../src/store/api-keys.ts";
import { archivePlans } from "../../src/store/archives.ts";
import { lockNotes } from "../../src/store/call-notes.ts";
import { countOwedDay } from "../../src/store/call-sums.ts";
import * as callbacks from "../../src/store/callbacks.ts";
import * as campaignNumbers from "../../src/store/campaign-numbers.ts";
import * as campaignReport from "../../src/store/campaign-report.ts";
import * as campaigns from "../../src/store/campaigns.ts";
import * as clockSteps from "../../src/store/clock-steps.ts";
import * as consentCampaigns from "../../src/store/consent-campaigns.ts";
import * as consents from "../../src/store/consents.ts";
import { openContactDesk } from "../../src/store/contact-desk.ts";
import * as contactSources from "../../src/store/contact-sources.ts";
import { keepDaysForLeaders } from "../../src/store/days-for-leaders.ts";
import { emergencyNumbersInside } from "../../src/store/dial-plan.ts";
import * as exchanges from "../../src/store/exchanges.ts";
import * as faxOrders from "../../src/store/fax-orders.ts";
import * as faxRecords from "../../src/store/fax-records.ts";
import * as faxRetention from "../../src/store/fax-retention.ts";
import { beginningOf } from "../../src/store/form-report.ts";
import { writeTogether } from "../../src/store/gathering.ts";
import * as imports from "../../src/store/imports.ts";
import * as liveCalls from "../../src/store/live-calls.ts";
import { holdLock } from "../../src/store/lock.ts";
import * as locked from "../../src/store/locked.ts";
import * as mailboxes from "../../src/store/mailboxes.ts";
import { readMd5Phones } from "../../src/store/md5-phones.ts";
import * as migrate from "../../src/store/migrate.ts";
import * as nodes from "../../src/store/nodes.ts";
import { keepSomePaidDays } from "../../src/store/paid-sums.ts";
import { readPhoneDigests } from "../../src/store/phone-digests.ts";
import { livePublications } from "../../src/store/phone-publications.ts";
import * as texts from "../../src/store/phone-texts.ts";
import { takePhoneSettings } from "../../src/store/phone-tickets.ts";
import * as alarms from "../../src/store/queue-alarms.ts";
import { fencesFor } from "../../src/store/raise-fences.ts";
import * as recordings from "../../src/store/recordings.ts";
import { dropRecoveryCodes, useRecoveryCode } from "../../src/store/recovery-codes.ts";
import { unlessTaken } from "../../src/store/refusal.ts";
import * as registrations from "../../src/store/registrations.ts";
import { dueReportPlans } from "../../src/store/report-plans.ts";
import * as sealing from "../../src/store/sealing.ts";
import { alone } from "../../src/store/seen-sums.ts";
import { noteUnknownName } from "../../src/store/sign-in-lines.ts";
import { findSignOnDoor } from "../../src/store/single-sign-on.ts";
import { sipExchanges } from "../../src/store/sip-accounts.ts";
import * as traces from "../../src/store/sip-traces.ts";
import { logIn } from "../../src/store/sms-accounts.ts";
import * as smsCampaigns from "../../src/store/sms-campaigns.ts";
import { listAllCarriers } from "../../src/store/sms-carriers.ts";
import * as claims from "../../src/store/sms-claims.ts";
import { smsDue } from "../../src/store/sms-due.ts";
import * as inbound from "../../src/store/sms-inbound.ts";
import { takeLowAccounts } from "../../src/store/sms-low-credits.ts";
import * as messages from "../../src/store/sms-messages.ts";
import * as pushes from "../../src/store/sms-pushes.ts";
import * as receipts from "../../src/store/sms-receipts.ts";
import { searchMessages } from "../../src/store/sms-search.ts";
import { settle } from "../../src/store/sms-settlement.ts";
import * as smsStatus from "../../src/store/sms-status.ts";
import * as days from "../../src/store/special-days.ts";
import { dropTotpSecret } from "../../src/store/staff.ts";
import * as sessions from "../../src/store/staff-sessions.ts";
import { signIn } from "../../src/store/staff-sign-in.ts";
import { openWithTicket } from "../../src/store/tickets.ts";
import * as approvals from "../../src/store/trunk-approvals.ts";
import * as trunks from "../../src/store/trunk-state.ts";
import { updateOwn } from "../../src/store/update.ts";
import * as voicemail from "../../src/store/voicemail.ts";
import * as walls from "../../src/store/wall-boards.ts";
import { raiseWalls } from "../../src/store/walls.ts";
import * as tokens from "../../src/store/webphone-tokens.ts";
import { whoseIs } from "../../src/store/whose.ts";
import * as writtenBatches from "../../src/store/written-batches.ts";

// What is listed here is only compared.
type Reasons = readonly (readonly [asked: unknown, why: string])[];

/** The server's own work, for all exchanges at once, or for none. */
export const systemWide: Reasons = [
  [exchanges.createExchange, "makes an exchange; only the command line does"],
  [exchanges.nextExchangeId, "a number out of a sequence"],
  [exchanges.exchangesWithPremiumCalls, "told once, at the upgrade that learns to bar such calls"],
  [exchanges.listExchanges, "the command line and the server's start"],
  [
    smsStatus.isCampaign,
    "tells a campaign that is somebody else's from one that nobody has, as the interface wants it",
  ],
  [beginningOf, "reads a calendar, and no table"],
  [lockNotes, "a lock on calls by their uuid, and no table"],
  [sealing.sealing, "runs what it is given"],
  [sealing.untilWritten, "a lock between servers"],
  [sealing.whileKeysStay, "runs what it is given"],
  [sealing.countSecrets, "backup, doctor and rotation: how many there are under which key"],
  [sealing.sealPlain, "upkeep at a start"],
  [sealing.resealAll, "a rotation of the keys of every exchange"],
  [sealing.unreadableSecrets, "the doctor"],
  [sealing.tellKeysCame, "says to everybody that keys have come"],
  [emergencyNumbersInside, "the doctor, over every exchange"],
  [contactSources.dueSources, "the planner's round: whose time has come"],
  [locked.countLocked, "metrics and the doctor: how many are locked"],
  [contactSources.countContactSources, "metrics: how many there are in which state"],
  [contactSources.ailingSources, "the doctor, over every exchange"],
  [sipExchanges, "the registrar's directory of every exchange"],
  [archivePlans, "the planner's round: who has an archive"],
  [dueReportPlans, "the planner's round: whose hour has come"],
  [alarms.alarmRules, "the alarm desk's round: whose queues are to call"],
  [alarms.alarmsOn, "the alarm desk's round: which are on"],
  [countOwedDay, "counts days of every exchange, one at a time"],
  [alone, "runs what it is given, with locks of the exchange that it names"],
  [keepDaysForLeaders, "counts days for those who lead queues in every exchange, each for his own"],
  [keepSomePaidDays, "counts days for accountants of every exchange, each for his own"],
  [callbacks.exchangesOwingCallbacks, "asked at a start: whose queues to open"],
  [campaigns.exchangesWithCampaigns, "the dialler's round: who has campaigns"],
  [campaignNumbers.forgetLeaving, "upkeep at a start"],
  [campaignNumbers.openAttempts, "recovery at a start"],
  [campaignNumbers.takeNotificationIds, "numbers out of a sequence"],
  [consentCampaigns.titlesWithChanges, "the morning's reports of every exchange"],
  [consents.unfinishedConsentCampaigns, "the consent desk's round"],
  [faxOrders.dueFaxOrders, "the fax desk's round"],
  [faxOrders.nextFaxOrderAt, "the fax desk's alarm clock"],
  [faxOrders.interruptedFaxOrders, "recovery at a start"],
  [faxRecords.openFaxRecords, "recovery at a start"],
  [faxRecords.noteInterruptedFaxes, "recovery at a start"],
  [faxRetention.expiredFaxes, "upkeep"],
  [imports.waitingImports, "the importer's round"],
  [imports.spentImports, "upkeep"],
  [imports.forgetFile, "upkeep: imports it read"],
  [imports.forgetFaults, "upkeep"],
  [liveCalls.giveSignOfLife, "a server's own row"],
  [liveCalls.lastSignOfLife, "a server's own row"],
  [clockSteps.moveWaiting, "the clock was set, for every exchange alike"],
  [clockSteps.noteStepInCalls, "the clock was set, for every exchange alike"],
  [clockSteps.databaseTimeMs, "reads a clock, and no table"],
  [liveCalls.abandonedCalls, "recovery at a start"],
  [liveCalls.knownCalls, "recovery at a start"],
  [writtenBatches.lastBatch, "how far a server has come with what it owes"],
  [writtenBatches.noteBatch, "how far a server has come with what it owes"],
  [holdLock, "a lock between servers"],
  [migrate.migrate, "the schema"],
  [migrate.missingMigrations, "the schema"],
  [recordings.expiredRecordings, "upkeep"],
  [unlessTaken, "runs what it is given"],
  [writeTogether, "runs what it is given, for one exchange, behind its wall"],
  [openContactDesk, "writes by createContact and createContacts, each exchange's behind its wall"],
  [registrations.liveRegistrations, "the registrar's start"],
  [registrations.removeExpiredRegistrations, "upkeep"],
  [readPhoneDigests, "the registrar's start"],
  [readMd5Phones, "the registrar's start"],
  [livePublications, "the start of what phones publish"],
  [texts.extensionsWithTexts, "the start of the texts' desk"],
  [texts.dropPhoneTexts, "upkeep"],
  [traces.forgetTraces, "upkeep"],
  [smsCampaigns.dueCampaigns, "the message centre's round"],
  [takeLowAccounts, "the message centre's round: who is to be reminded"],
  [listAllCarriers, "the message centre opens every carrier"],
  [inbound.forgetInboundParts, "upkeep"],
  [messages.expireMessages, "upkeep"],
  [smsDue, "the message centre's round"],
  [pushes.accountsOwed, "the message centre's round"],
  [receipts.forgetStrayReceipts, "upkeep"],
  [days.listSpecialDaySettings, "the morning's greetings of every exchange"],
  [days.forgetPlannedDays, "upkeep"],
  [approvals.approveOfTheOnlyOne, "when another exchange is made beside the only one, which the operator does"],
  [trunks.readTrunkSetups, "the trunks of every exchange, which calls are then sorted by"],
  [trunks.readTrunkStates, "recovery at a start"],
  [raiseWalls, "the schema"],
  [fencesFor, "the schema"],
  [noteUnknownName, "a name that nobody has; it is told only where there is one exchange"],
  [findSignOnDoor, "the page of signing in, where nobody is known yet: an exchange's door by its own domain"],
  [nodes.readNodes, "the operator: servers that share the database"],
  [nodes.readHomes, "the operator: which exchange lives on which server"],
  [nodes.synchronousStandbys, "the operator: a setting of the database server"],
  [nodes.askNode, "the operator: a server that he names"],
  [nodes.ownerOf, "the operator: the exchange that he names"],
  [nodes.nameOwnersOfJobs, "a node's start: work that was put in before there were nodes"],
];

/** A secret says whose it is: 122 bits of randomness, or a password. */
export const bySecret: Reasons = [
  [walls.boardOfLink, "the token of a board's link"],
  [walls.boardsOfLinks, "hashes of tokens that opened a board before"],
  [keys.exchangeOfKey, "an API key"],
  [whoseIs, "whatever a request shows; it says where to pass it on to, and opens nothing"],
  [logIn, "an SMS account's name and password"],
  [signIn, "a member of staff's e-mail and password"],
  [sessions.findSession, "a session's token"],
  [openWithTicket, "a ticket; what it opens is looked for in the ticket's own exchange"],
  [takePhoneSettings, "a phone's ticket; its extension is one of the ticket's own exchange, as its foreign key has it"],
  [tokens.userOfWebphoneToken, "a web phone's token"],
  [tokens.originsOfPage, "the hash of a web phone's token"],
];

/** A row's id alone says whose it is. Whoever calls one of these has found the id in his own exchange before. */
export const byIdAlone: Reasons = [
  [updateOwn, "builds the updates that the setup functions are tried with"],
  [campaignReport.readReport, "the campaign was just found in the caller's exchange"],
  [campaignReport.reportPieces, "the campaign was just found in the caller's exchange"],
  [campaignReport.countCauses, "the campaign was just found in the caller's exchange"],
  [campaigns.untilNobodyIsDialled, "waits; the campaign was just switched or deleted in the caller's exchange"],
  [campaigns.findAnyCampaign, "recovery: the id is an open attempt's"],
  [campaigns.isCampaignOn, "the dialler: the id is of a campaign it read by its exchange"],
  [campaignNumbers.claimNumbers, "the dialler: the id is of a campaign it read by its exchange"],
  [campaignNumbers.noteLeft, "the dialler: numbers it claimed"],
  [campaignNumbers.putBackNumbers, "the dialler: attempts it claimed"],
  [campaignNumbers.nextDueMs, "the dialler: the id is of a campaign it read by its exchange"],
  [campaignNumbers.noteAnswers, "the dialler: attempts it claimed"],
  [campaignNumbers.noteKeys, "the dialler: attempts it claimed"],
  [campaignNumbers.endAttempts, "the dialler: attempts it claimed"],
  [consents.finishConsentCampaign, "the consent desk: campaigns of its round"],
  [consents.untoldRecords, "the consent desk: campaigns of its round"],
  [consents.noteOutcomes, "the consent desk: records it read"],
  [faxOrders.beginFaxOrder, "the fax desk: orders of its round"],
  [faxOrders.confirmFaxPages, "the fax desk: orders of its round"],
  [faxOrders.settleFaxOrder, "the fax desk: orders of its round"],
  [faxRecords.noteFaxOutcome, "a call's own uuid, made by the server"],
  [faxRecords.closeFaxRecord, "a call's own uuid, made by the server"],
  [faxRecords.dropFaxRecord, "a call's own uuid, made by the server"],
  [faxRetention.forgetFaxes, "upkeep: faxes it read"],
  [mailboxes.messagesOf, "the extension whose mailbox was found in the call's exchange"],
  [mailboxes.deleteMessage, "the extension was found in the caller's exchange; of others it deletes nothing"],
  [recordings.replaceRecordings, "the compressor: recordings their jobs name"],
  [recordings.forgetRecordings, "upkeep: recordings it read"],
  [voicemail.messagesDeletedLongAgo, "upkeep"],
  [voicemail.forgetMessages, "upkeep: messages it read, which their owners deleted"],
  [recordings.recordedCall, "the start: the call that a file on disk is named after"],
  [recordings.adoptRecording, "the start: a recording of a call it just read, of the exchange that call has"],
  [registrations.removeRegistrations, "the registrar: contacts of an extension that has signed in"],
  [traces.saveTraces, "by the Call-ID of a dialog"],
  [traces.labelTraces, "by the Call-ID of a dialog"],
  [traces.tracesOf, "the call was just found in the caller's exchange"],
  [traces.timeZoneOfTrace, "whoever runs the machine asks for the ladder of any call"],
  [smsCampaigns.startMessages, "the message centre: campaigns of its round"],
  [smsCampaigns.cancelCampaign, "by the account, which is the caller's own"],
  [claims.titlesWaiting, "the message centre: a carrier it opened"],
  [claims.claimMessages, "the message centre: a carrier it opened"],
  [claims.takeOver, "the message centre: a carrier it opened"],
  [claims.dropUnheardClaims, "the message centre: a carrier it opened"],
  [claims.endEmptyClaims, "the message centre: a carrier it opened"],
  [claims.endClaims, "the message centre: a carrier it opened"],
  [claims.leaveClaims, "the message centre: a carrier it opened"],
  [inbound.keepInboundPart, "the message centre: a carrier it opened"],
  [messages.acceptedMessages, "the message centre: a carrier it opened"],
  [messages.acceptMessages, "the message centre: messages it claimed"],
  [messages.failMessages, "the message centre: messages it claimed"],
  [messages.cutOffMessages, "the message centre: messages it claimed"],
  [pushes.takeOwedPushes, "the message centre: accounts of its round"],
  [receipts.noteReceipts, "the message centre: a carrier it opened"],
  [receipts.keepStrayReceipts, "the message centre: a carrier it opened"],
  [receipts.takeStrayReceipts, "the message centre: a carrier it opened"],
  [receipts.hasStrayReceipts, "the message centre: a carrier it opened"],
  [searchMessages, "the campaign was just found in the caller's account"],
  [settle, "the message centre: messages it claimed"],
  [smsStatus.findCampaign, "says whose it is, and the caller compares: the interface tells a stranger's from none"],
  [smsStatus.listStatuses, "the campaign was just found in the caller's account"],
  [smsStatus.statusesOf, "by the account, which is one of the round"],
  [smsStatus.allSentBefore, "the title was just found in the caller's exchange"],
  [sessions.beginSession, "whoever has just signed in"],
  [sessions.listSessions, "whoever is signed in"],
  [sessions.endSession, "whoever is signed in"],
  [sessions.endSessionsOf, "the account was just found in the caller's exchange"],
  [dropTotpSecret, "whoever is signed in, or an account just found in the caller's exchange"],
  [
    dropRecoveryCodes,
    "with the second factor: whoever is signed in, or an account just found in the caller's exchange",
  ],
  [useRecoveryCode, "signing in: the account whose e-mail and password were right, and a code of its own"],
  [trunks.saveTrunkState, "the server: trunks it read"],
  [tokens.revokeTokensOfStaff, "the account was just found in the caller's exchange"],
];
