// Temporary URLs, tickets and voicemail.

import { expect } from "vitest";
import type { World } from "../../town/exchange-world.ts";
import { form, type Row } from "./row.ts";

const URL_FORM =
  /^http:\/\/127\.0\.0\.1:\d+\/recording\/R[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const unknown = "00000000-0000-4000-8000-000000000000";

export function recordingRows(world: World): Row[] {
  return [...urlRows(world), ...voicemailRows(world)];
}

function urlRows({ ours: { calls } }: World): Row[] {
  const missing = (uuid: string) => `cannot find call with call_uuid ${uuid}`;
  return [
    {
      what: "a recording's URL, call in the query",
      ask: `POST /recording_url?call_uuid=${calls.answered}`,
      text: URL_FORM,
    },
    { what: "with a trailing slash", ask: `POST /recording_url/?call_uuid=${calls.answered}`, text: URL_FORM },
    {
      what: "call in a form without a content type",
      ask: "POST /recording_url/",
      body: `call_uuid=${calls.answered}`,
      text: URL_FORM,
    },
    { what: "by GET", ask: `GET /recording_url?call_uuid=${calls.answered}`, text: URL_FORM },
    {
      what: "text for axios",
      ask: `POST /recording_url?call_uuid=${calls.answered}`,
      headers: { accept: "application/json, text/plain, */*" },
      text: URL_FORM,
    },
    {
      what: "JSON for a client that takes nothing else",
      ask: `POST /recording_url?call_uuid=${calls.answered}`,
      headers: { accept: "application/json" },
      shows: ({ url, expires_at }: { url: string; expires_at: string }) => {
        expect(url).toMatch(URL_FORM);
        expect(expires_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      },
    },
    {
      what: "of an unknown call",
      ask: `POST /recording_url?call_uuid=${unknown}`,
      status: 400,
      text: missing(unknown),
    },
    {
      what: "of a call without a recording",
      ask: `POST /recording_url?call_uuid=${calls.missed}`,
      status: 400,
      text: missing(calls.missed),
    },
    {
      what: "of a call whose recording was deleted",
      ask: `POST /recording_url?call_uuid=${calls.deleted}`,
      status: 400,
      text: missing(calls.deleted),
    },
    {
      what: "of something that is no uuid",
      ask: "POST /recording_url?call_uuid=1234",
      status: 400,
      text: missing("1234"),
    },
    { what: "of nothing", ask: "POST /recording_url", status: 400, text: "call_uuid can't be blank" },
    {
      what: "a ticket nobody issued",
      ask: `GET /recording/R${unknown}`,
      key: null,
      status: 400,
      text: "invalid or expired ticket",
    },
    {
      what: "a call's uuid where the ticket belongs",
      ask: `GET /recording/${calls.answered}`,
      key: null,
      status: 400,
      text: "invalid or expired ticket",
    },
  ];
}

function voicemailRows({ ours: { messages } }: World): Row[] {
  type Messages = { messages: { uuid: string }[]; pagination: { total_count: number } };
  const message = (uuid: string, read: string | null) => ({
    start_stamp: "2017-08-10 00:15:00 +0300",
    read_stamp: read,
    user_number: "1000",
    uuid,
    caller_id_number: "05321234567",
    caller_id_name: "Mehmet",
    duration: "00:01:35",
  });
  const pagination = { page: 1, total_count: 1, total_pages: 1, limit: 10 };
  const found = (query: string, count: number): Row => ({
    what: `messages with ${query}`,
    ask: `GET /voicemail_messages?${query}`,
    shows: (body: Messages) => expect(body.pagination.total_count).toBe(count),
  });
  return [
    {
      what: "an unheard message",
      ask: "GET /voicemail_messages?read=false",
      json: { messages: [message(messages.unheard, null)], pagination },
    },
    {
      what: "a heard message",
      ask: "GET /voicemail_messages?read=true",
      json: { messages: [message(messages.heard, "2017-08-10 13:00:00 +0300")], pagination },
    },
    found("user_number=1000", 2),
    found("user_number=1001", 0),
    found(`uuid=${messages.heard}`, 1),
    found("uuid=abc", 0),
    found("start_stamp_from=2017-08-01+00:00:00+UTC&start_stamp_to=2017-08-31+00:00:00+UTC", 2),
    found("start_stamp_from=2017-08-01+00:00:00+UTC&start_stamp_to=2017-09-01+00:00:00+UTC", 2),
    found("start_stamp_to=2017-08-31+00:00:00+UTC", 2),
    found("start_stamp_to=2017-11-01+00:00:00+UTC", 0), // 31 days before it nothing was left
    {
      what: "a range of 32 days",
      ask: "GET /voicemail_messages?start_stamp_from=2017-08-01+00:00:00+UTC&start_stamp_to=2017-09-02+00:00:00+UTC",
      status: 400,
      text: "date range cannot be longer than 31 days",
    },
    {
      what: "a message's URL by uuid",
      ask: "POST /voicemail_recording_url/",
      headers: form,
      body: `uuid=${messages.unheard}`,
      text: URL_FORM,
    },
    {
      what: "a message's URL by call_uuid",
      ask: `POST /voicemail_recording_url?call_uuid=${messages.unheard}`,
      text: URL_FORM,
    },
    {
      what: "the URL of an unknown message",
      ask: `POST /voicemail_recording_url?uuid=${unknown}`,
      status: 400,
      text: `cannot find voicemail with uuid ${unknown}`,
    },
    { what: "the URL of no message", ask: "POST /voicemail_recording_url", status: 400, text: "uuid can't be blank" },
  ];
}
