// Calls, recordings, faxes and campaigns, asked of the store for ours with their numbers, names and ids.

import { agentTimes } from "../../src/store/agent-times.ts";
import { bySums, countBySums } from "../../src/store/call-counts.ts";
import { checkSums, sumsOf } from "../../src/store/call-sums.ts";
import * as callbacks from "../../src/store/callbacks.ts";
import { writeNumbers } from "../../src/store/campaign-numbers.ts";
import * as campaignSettings from "../../src/store/campaign-settings.ts";
import * as campaigns from "../../src/store/campaigns.ts";
import * as cdrs from "../../src/store/cdrs.ts";
import * as deliveries from "../../src/store/event-deliveries.ts";
import * as receivers from "../../src/store/event-receivers.ts";
import * as faxInbox from "../../src/store/fax-inbox.ts";
import * as faxOrders from "../../src/store/fax-orders.ts";
import * as faxOutbox from "../../src/store/fax-outbox.ts";
import * as faxRecords from "../../src/store/fax-records.ts";
import { findSound } from "../../src/store/kept-sounds.ts";
import * as letterFacts from "../../src/store/letter-facts.ts";
import { closeCalls, forgetResumed, noteResumed, readStory, writeLiveCalls } from "../../src/store/live-calls.ts";
import * as mailboxes from "../../src/store/mailboxes.ts";
import { forgetMd5Phones, saveMd5Phones } from "../../src/store/md5-phones.ts";
import { savePhoneDigest } from "../../src/store/phone-digests.ts";
import { savePublications } from "../../src/store/phone-publications.ts";
import * as texts from "../../src/store/phone-texts.ts";
import * as pinTries from "../../src/store/pin-tries.ts";
import { saveRegistrations } from "../../src/store/registrations.ts";
import * as reports from "../../src/store/reports.ts";
import { callsToday } from "../../src/store/reports-now.ts";
import { responseTimes } from "../../src/store/response-times.ts";
import { keep, keepDays, missingDays, sumsOfSeen } from "../../src/store/seen-sums.ts";
import { heapsOfSeen, keepMonths } from "../../src/store/seen-waits.ts";
import { sought } from "../../src/store/sought-calls.ts";
import { sql } from "../../src/store/sql.ts";
import { areDaysSummed } from "../../src/store/stretch.ts";
import * as tickets from "../../src/store/tickets.ts";
import * as voicemail from "../../src/store/voicemail.ts";
import * as wrapUps from "../../src/store/wrap-ups.ts";
import { secrets } from "../ground/secrets.ts";
import { plainCampaign } from "../town/plain-campaign.ts";
import { type Both, type Call, call } from "./store-call.ts";
import { archiveCalls } from "./store-calls-archives.ts";
import { deskCalls } from "./store-calls-desk.ts";
import { formCalls } from "./store-calls-forms.ts";

const PAGE = { page: 1, limit: 100 };
const NOW = new Date();
const text = { fromNumber: "1000", fromName: "ours", body: "ours", sentAt: NOW };
const published = { tag: "ours", isOpen: true, note: "ours", expiresAtMs: NOW.getTime() };
const LONG_AGO = new Date("2020-01-01T00:00:00Z");
const FAR = new Date("2032-01-01T00:00:00Z");

export function trafficCalls(both: Both): Call[] {
  return [
    ...callCalls(both),
    ...reportCalls(both),
    ...formCalls(both),
    ...deskCalls(both),
    ...keptCalls(both),
    ...archiveCalls(both),
    ...campaignCalls(both),
  ];
}

function callCalls({ us: { exchangeId }, them }: Both): Call[] {
  const { uuid, liveUuid, queue, extension, id } = them;
  const callback = {
    id: uuid,
    queue: "200",
    callUuid: uuid,
    caller: "1",
    isInside: false,
    callerName: "ours",
    priority: 0,
    joinedMs: 0,
    attempts: 0,
    nextTryMs: 0,
  };
  const live = { callUuid: liveUuid, exchangeId, facts: { ours: true }, startMs: NOW.getTime(), seenMs: NOW.getTime() };
  return [
    call(cdrs.listCdrs, exchangeId, {}, PAGE),
    call(cdrs.listCdrs, exchangeId, { queues: ["200"] }, PAGE),
    call(cdrs.walkCdrs, exchangeId, { queues: ["200"] }, { atOnce: 1, most: 10 }),
    call(cdrs.findCdr, exchangeId, uuid),
    call(cdrs.hasCdr, exchangeId, uuid),
    call(cdrs.hasCdr, exchangeId, uuid, { extensions: ["1000"], queues: ["200"], calledAt: ["200"] }),
    call(cdrs.limitsCdrRange, exchangeId),
    ...["200", queue, them.marker].map((name) => call(cdrs.queuesCalled, exchangeId, name)),
    call(readStory, exchangeId, uuid),
    call(writeLiveCalls, "ours", [live]),
    call(noteResumed, [{ callUuid: liveUuid, exchangeId }], NOW.getTime()),
    call(forgetResumed, [{ callUuid: liveUuid, exchangeId }]),
    ...[uuid, liveUuid].map((callUuid) => call(closeCalls, [closedCall(exchangeId, callUuid)])),
    call(callbacks.keepCallback, exchangeId, callback),
    call(callbacks.keepCallback, exchangeId, { ...callback, id: them.missedUuid, queue }),
    call(callbacks.listOwedCallbacks, exchangeId),
    call(callbacks.beginCallback, { exchangeId, id: uuid, againMs: 0 }),
    call(callbacks.endCallback, { exchangeId, id: uuid, outcome: "talked" }),
    call(callbacks.keepSurveyAnswer, exchangeId, { callUuid: uuid, queue, extension, score: 1, atMs: 0 }),
    call(letterFacts.languageOfReader, exchangeId, them.marker),
    call(letterFacts.languageOfExchange, exchangeId),
    ...[{}, { queues: [queue] }, { extension }, { ownNumbers: [them.marker] }].map((filter) =>
      call(responseTimes, {
        exchangeId,
        timeZone: "Europe/Istanbul",
        filter: { from: LONG_AGO, before: FAR, ...filter },
        promisedSeconds: 20,
      }),
    ),
    call(deliveries.noteDelivery, {
      delivery: uuid,
      event: "hangup",
      callUuid: uuid,
      body: "ours",
      url: "ours",
      attempts: 9,
      delivered: true,
      answer: "ours",
      atMs: NOW.getTime(),
      exchangeId,
    }),
    call(deliveries.listDeliveries, exchangeId, { ...PAGE, delivered: undefined }),
    call(deliveries.findDelivery, exchangeId, uuid),
    call(receivers.readEventSubscriptions, [exchangeId]),
    call(receivers.readSigningSecret, secrets, exchangeId),
    call(receivers.readEventReceiver, secrets, exchangeId),
    call(receivers.renewSigningSecret, secrets, exchangeId),
    call(savePhoneDigest, exchangeId, { number: "1000", userAgent: "ours", order: 1, strong: false }),
    call(saveMd5Phones, [{ exchangeId, extensionId: id, place: "192.0.2.9", userAgent: "ours" }]),
    call(forgetMd5Phones, [{ exchangeId, extensionId: id, place: "192.0.2.1", userAgent: "ours" }]),
    call(savePublications, { exchangeId, number: "1000", publications: [published] }),
    call(texts.keepPhoneText, { ...text, exchangeId, extensionId: id }, 100),
    call(texts.waitingPhoneTexts, exchangeId, id),
    call(texts.removePhoneText, exchangeId, id),
    call(saveRegistrations, [
      {
        extensionId: id,
        key: "key",
        contact: "sip:eve@192.0.2.9",
        path: [],
        callId: "ours",
        cseq: 2,
        preference: 1,
        transport: "udp",
        sourceAddress: "192.0.2.9",
        sourcePort: 5060,
        listener: "udp",
        clientAddress: null,
        clientPort: null,
        userAgent: "ours",
        takesTalk: false,
        registeredAtMs: NOW.getTime(),
        expiresAtMs: FAR.getTime(),
        exchangeId,
      },
    ]),
  ];
}

function reportCalls({ us: { exchangeId }, them: { uuid, extension, queue, marker } }: Both): Call[] {
  const everything = { exchangeId, from: LONG_AGO, before: FAR, timeZone: "Europe/Istanbul" };
  // As who leads their queue and their people would see it, if a number alone proved anything.
  const within = { extensions: [extension], queues: [queue], calledAt: [queue] };
  return [
    ...[everything, { ...everything, within }].flatMap((stretch) => [
      call(sumsOf, stretch),
      call(reports.directionCounts, stretch),
      call(reports.callsByHour, stretch),
      call(reports.callsByDay, stretch),
      call(reports.queueFigures, stretch),
      call(reports.extensionFigures, stretch),
      call(reports.agentCalls, stretch),
      call(reports.numberFigures, stretch),
      call(reports.campaignFigures, stretch),
      call(agentTimes, stretch, FAR.getTime()),
      call(reports.surveyFigures, stretch),
      call(wrapUps.wrapUps, stretch),
    ]),
    call(callsToday, { exchangeId, timeZone: "Europe/Istanbul" }),
    call(sought, exchangeId, { about: [extension, null, null] }, { most: 50 }),
    call(sought, exchangeId, { note: marker, tag: marker, disposition: marker }, { most: 50 }),
    call(countBySums, exchangeId, bySums({ from: LONG_AGO, before: FAR, listening: false, queues: [queue] })!),
    call(countBySums, exchangeId, bySums({ from: LONG_AGO, before: FAR, listening: false, within })!),
    ...(["day", "now"] as const).map((by) => call(sumsOfSeen, { ...everything, within }, by)),
    call(keepDays, { ...everything, within }),
    call(missingDays, { ...everything, within }),
    call(keep, { ...everything, within }, [{ at: LONG_AGO, after: FAR }]),
    call(keepMonths, { ...everything, within }),
    call(heapsOfSeen, {
      exchangeId,
      timeZone: "Europe/Istanbul",
      filter: { from: LONG_AGO, before: FAR, direction: "inbound", listening: false, within },
    }),
    call(areDaysSummed, everything, sql`call_sums_owed`),
    call(checkSums, exchangeId, { mend: true }),
    call(wrapUps.keepWrapUp, exchangeId, { callUuid: uuid, extension, beganMs: 0, seconds: 1 }),
    call(wrapUps.answeredSinceLogIn, exchangeId),
  ];
}

function closedCall(exchangeId: number, callUuid: string) {
  return {
    cdr: {
      callUuid,
      direction: "inbound" as const,
      origin: "phone" as const,
      startStamp: NOW,
      answerStamp: NOW,
      endStamp: NOW,
      callerIdNumber: "05320007766",
      callerIdName: "ours",
      outboundCallerIdNumber: "",
      destinationNumber: "1000",
      destinationName: "",
      dialedUser: "",
      connectedUser: "",
      durationSeconds: 1,
      talkSeconds: 1,
      queue: null,
      queueWaitSeconds: 0,
      missed: false,
      recording: "none" as const,
      sipHangupDisposition: "caller" as const,
      hangupCause: "NORMAL_CLEARING",
      endedBy: "caller" as const,
      failureStatus: null,
      failurePhrase: null,
      peer: "5320007766",
      exchangeId,
    },
    legs: [],
    story: [{ text: "ours" }],
  };
}

function keptCalls({ us: { exchangeId }, them }: Both): Call[] {
  const { uuid, id, extension, external } = them;
  const message = {
    callerIdNumber: "1",
    callerIdName: "ours",
    startMs: 0,
    durationSeconds: 1,
    objectKey: "ours",
    extensionId: id,
    exchangeId,
  };
  const anything = { from: undefined, before: undefined, read: undefined, userNumber: undefined, uuid: undefined };
  const fax = {
    direction: "outbound" as const,
    callerIdNumber: external,
    localStationHeader: "ours",
    totalPages: 1,
    originalDestination: "902120001122",
    startMs: 0,
    arrivingPath: null,
    email: null,
    exchangeId,
  };
  return [
    ...["1000", extension].flatMap((number) => [
      call(mailboxes.findMailbox, exchangeId, number),
      call(mailboxes.setMailbox, secrets, { exchangeId, number, changes: { greeting_text: "ours" } }),
      call(mailboxes.setMailbox, secrets, { exchangeId, number, changes: { greeting_announcement_id: id } }),
      call(mailboxes.setMailbox, secrets, { exchangeId, number, changes: { pin: "12345678" } }),
      call(mailboxes.countMessages, { exchangeId, extension: number }),
    ]),
    call(pinTries.hearsPins, { exchangeId, extensionId: id, nowMs: NOW.getTime() }),
    ...[true, false].map((isRight) =>
      call(pinTries.countPin, { exchangeId, extensionId: id, nowMs: NOW.getTime(), isRight }),
    ),
    call(mailboxes.setRecordedGreeting, { exchangeId, extensionId: id, objectKey: "ours" }),
    call(mailboxes.setRecordedGreeting, { exchangeId, extensionId: id, objectKey: null }),
    call(mailboxes.keepMessage, { ...message, uuid }),
    call(mailboxes.keepMessage, { ...message, uuid: them.missedUuid }),
    call(voicemail.listVoicemail, exchangeId, anything, PAGE),
    call(voicemail.listVoicemail, exchangeId, { ...anything, uuid }, PAGE),
    call(voicemail.listVoicemail, exchangeId, { ...anything, userNumber: "1000" }, PAGE),
    call(voicemail.hasVoicemail, exchangeId, uuid),
    call(voicemail.markVoicemailRead, exchangeId, uuid),
    ...(["recording", "voicemail"] as const).map((kind) => call(findSound, { exchangeId, kind, id: uuid })),
    call(findSound, { exchangeId, kind: "announcement", id: String(id) }),
    call(tickets.issueTicket, { exchangeId, opens: "recording", subject: uuid, now: NOW.getTime() }),
    call(tickets.hasRecording, exchangeId, uuid),
    call(faxOrders.createFaxOrder, {
      localStationId: external,
      localStationHeader: "",
      remoteStationId: "1",
      objectKey: "ours",
      pages: 1,
      createdAt: NOW,
      exchangeId,
    }),
    call(faxOrders.listFaxOrders, exchangeId, PAGE),
    call(faxRecords.beginFaxRecord, { ...fax, callUuid: uuid, orderId: null }),
    call(faxRecords.beginFaxRecord, { ...fax, callUuid: them.missedUuid, orderId: id }),
    call(faxRecords.listFaxRecords, exchangeId, {}, PAGE),
    call(faxRecords.listFaxRecords, exchangeId, { callerNumbers: [external] }, PAGE),
    ...[{}, { only: id }, { assignedTo: them.email }, { about: external }].map((filter) =>
      call(faxInbox.listReceivedFaxes, exchangeId, filter, PAGE),
    ),
    ...[undefined, id].flatMap((only) => {
      const theirs = { exchangeId, callUuid: them.faxUuid, only };
      return [
        call(faxInbox.markFax, theirs, NOW),
        call(faxInbox.assignFax, theirs, null),
        call(faxInbox.assignFax, theirs, { email: them.email, name: "" }),
        call(faxInbox.receivedPages, theirs),
      ];
    }),
    call(faxInbox.faxColleagues, exchangeId),
    call(faxOutbox.listOutgoingFaxes, exchangeId, {}, PAGE),
    call(faxOutbox.listOutgoingFaxes, exchangeId, { id }, PAGE),
    call(faxOutbox.triesOfFax, exchangeId, id),
    call(faxOutbox.sendFaxNow, exchangeId, id),
    call(faxOutbox.cancelFax, { exchangeId, id, nowMs: NOW.getTime() }),
    call(faxOutbox.outgoingPages, exchangeId, id),
    call(faxRecords.hasFaxDocument, exchangeId, uuid),
    call(faxRecords.faxPagesOf, exchangeId, uuid),
    call(faxRecords.findFaxToMail, exchangeId, uuid),
  ];
}

function campaignCalls({ us: { exchangeId }, them }: Both): Call[] {
  const { id, queue } = them;
  const batch = { numbers: ["905320007766"], phrases: [null], languages: ["tr-TR" as const] };
  return [
    call(campaigns.createCampaign, {
      ...plainCampaign,
      name: "ours",
      callType: "queue",
      queueNumber: queue,
      cli: them.external,
      welcomeAnnouncementId: id,
      createdMs: 0,
      exchangeId,
    }),
    call(campaigns.findCampaign, exchangeId, id),
    call(campaigns.listCampaigns, exchangeId, PAGE),
    call(campaigns.campaignsToDial, exchangeId),
    call(campaigns.switchCampaign, { exchangeId, id, on: false }),
    call(campaigns.deleteCampaign, exchangeId, id),
    call(campaigns.sweepDeletedCampaigns, exchangeId),
    call(writeNumbers, { exchangeId, campaignId: id }, batch),
    call(campaignSettings.readDialSettings, exchangeId),
    call(campaignSettings.readCreationRules, exchangeId),
    call(campaignSettings.listHolidaysFrom, exchangeId, "2030-01-01"),
  ];
}
