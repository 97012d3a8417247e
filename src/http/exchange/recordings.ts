// Temporary URLs of call recordings and of voicemail, and the list of messages.

import { Type } from "typebox";
import { hasRecording } from "../../store/tickets.ts";
import { hasVoicemail, listVoicemail, type VoicemailMessage } from "../../store/voicemail.ts";
import { refuse } from "../door/answer.ts";
import { endpoint } from "../door/endpoint.ts";
import { body, key, limit, schema } from "../door/guards.ts";
import { showDuration, showStamp } from "../door/stamps.ts";
import { flag, pageParameters, words } from "../parameters/schema.ts";
import { paged, pageOf, paginationExample, readUuid } from "./paging.ts";
import { rangeParameters, readRange } from "./range.ts";
import { temporaryUrl } from "./tickets.ts";

const UUID = "358c20bc-fd86-11e5-87a2-157d41a07454";
const URL_EXAMPLE = "https://exchange.example.com/recording/R8f14e45f-ceea-467f-a1b2-c3d4e5f60718";
const lifetime =
  "The URL lives for one hour. The answer is the URL as text; with an Accept header that names only JSON it is `{url, expires_at}`.";

export const createRecordingUrl = endpoint({
  group: "Recordings",
  methods: ["POST", "GET"],
  paths: ["/recording_url"],
  summary: "A temporary URL of a call's recording",
  description: lifetime,
  parameters: Type.Object({ call_uuid: words({ example: UUID }) }),
  guards: [key, limit("recording"), body, schema],
  reply: "text or json",
  example: URL_EXAMPLE,
  refusals: [{ refused: "call-has-no-file", uuid: UUID }],
  async handle({ call_uuid }, context) {
    const uuid = readUuid(call_uuid);
    if (!uuid || !(await hasRecording(context.db, context.exchangeId, uuid)))
      return refuse({ refused: "call-has-no-file", uuid: call_uuid });
    return temporaryUrl("recording", uuid, context);
  },
});

export const createVoicemailUrl = endpoint({
  group: "Voicemail",
  methods: ["POST", "GET"],
  paths: ["/voicemail_recording_url"],
  summary: "A temporary URL of a voicemail message",
  description: `${lifetime} Fetching it marks the message as read.`,
  parameters: Type.Object({
    uuid: Type.Optional(words({ description: "the message's uuid (required)", example: UUID })),
    call_uuid: Type.Optional(words({ description: "another name for uuid" })),
  }),
  guards: [key, limit("default"), body, schema],
  reply: "text or json",
  example: URL_EXAMPLE,
  refusals: [
    { refused: "blank", field: "uuid" },
    { refused: "voicemail-not-found", uuid: UUID },
  ],
  async handle(parameters, context) {
    const sent = parameters.uuid ?? parameters.call_uuid;
    if (sent === undefined) return refuse({ refused: "blank", field: "uuid" });
    const uuid = readUuid(sent);
    if (!uuid || !(await hasVoicemail(context.db, context.exchangeId, uuid)))
      return refuse({ refused: "voicemail-not-found", uuid: sent });
    return temporaryUrl("voicemail", uuid, context);
  },
});

export const listVoicemailMessages = endpoint({
  group: "Voicemail",
  methods: ["GET"],
  paths: ["/voicemail_messages"],
  summary: "List voicemail messages, newest first",
  parameters: Type.Object({
    ...rangeParameters,
    read: Type.Optional(flag({ description: "true: heard, false: not heard" })),
    user_number: Type.Optional(words({ description: "left for this extension" })),
    uuid: Type.Optional(words()),
    ...pageParameters,
  }),
  guards: [key, limit("default"), body, schema],
  reply: "json",
  example: {
    messages: [
      {
        start_stamp: "2017-08-03 12:30:32 +0300",
        read_stamp: null,
        user_number: "1000",
        uuid: UUID,
        caller_id_number: "05321234567",
        caller_id_name: "",
        duration: "00:00:35",
      },
    ],
    pagination: paginationExample,
  },
  refusals: [
    { refused: "range-too-long", days: 31 },
    { refused: "malformed", field: "start_stamp_from" },
    { refused: "out-of-range", field: "limit", least: 10, most: 100 },
  ],
  async handle(parameters, { db, exchangeId, tenant, clock }) {
    const range = readRange(parameters, { timeZone: tenant.timeZone, now: clock.wall(), atMost31Days: true });
    if ("says" in range) return range;
    const page = pageOf(parameters);
    const { read, user_number: userNumber, uuid: sent } = parameters;
    const uuid = sent === undefined ? undefined : readUuid(sent);
    if (sent !== undefined && uuid === undefined) return paged("messages", { rows: [], total: 0 }, page, () => ({}));
    const filter = { from: range.from, before: range.before, read, userNumber, uuid };
    const found = await listVoicemail(db, exchangeId, filter, page);
    return paged("messages", found, page, (message) => showMessage(message, tenant.timeZone));
  },
});

function showMessage(message: VoicemailMessage, timeZone: string) {
  return {
    start_stamp: showStamp(message.startStamp, timeZone),
    read_stamp: message.readStamp && showStamp(message.readStamp, timeZone),
    user_number: message.userNumber,
    uuid: message.uuid,
    caller_id_number: message.callerIdNumber,
    caller_id_name: message.callerIdName,
    duration: showDuration(message.durationSeconds),
  };
}
