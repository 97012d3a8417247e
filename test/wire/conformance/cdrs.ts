// Call records: filters, labels, stamps and the way a call took.

import { expect } from "vitest";
import type { World } from "../../town/exchange-world.ts";
import type { Row } from "./row.ts";

type Cdrs = { cdrs: { call_uuid: string }[]; pagination: { total_count: number } };
const unknown = "00000000-0000-4000-8000-000000000000";

export function recordRows(world: World): Row[] {
  return [...cdrRows(world), ...detailRows(world)];
}

function cdrRows({ ours: { calls } }: World): Row[] {
  const found = (query: string, ...names: (keyof typeof calls)[]): Row => ({
    what: `records with ${query || "no filter"}`,
    ask: `GET /cdrs?${query}`,
    shows: ({ cdrs, pagination }: Cdrs) => {
      expect(cdrs.map((it) => it.call_uuid)).toEqual(names.map((name) => calls[name]));
      expect(pagination.total_count).toBe(names.length);
    },
  });
  return [
    {
      what: "a call record has its keys in order",
      ask: "GET /cdrs?caller_id_number=03121234567",
      json: {
        cdrs: [
          {
            start_stamp: "2017-08-03 12:30:32 +0300",
            direction: "Gelen",
            caller_id_number: "03121234567",
            caller_id_name: "Ayşe",
            destination_number: "902129876543",
            destination_name: "DAHİLİ-1000",
            duration: "00:00:41",
            talk_duration: "00:00:35",
            queue_wait_seconds: "00:00:04",
            queue: "200",
            result: "Cevaplandı",
            missed: false,
            return_uuid: null,
            recording_present: "true",
            sip_hangup_disposition: "caller",
            call_uuid: calls.answered,
            answer_stamp: "2017-08-03 12:30:38 +0300",
            end_stamp: "2017-08-03 12:31:13 +0300",
          },
        ],
        pagination: { page: 1, total_count: 1, total_pages: 1, limit: 10 },
      },
    },
    {
      what: "labels: an unanswered campaign call",
      ask: "GET /cdrs?direction=outbound",
      shows: ({ cdrs }: Cdrs) =>
        expect(cdrs[0]).toMatchObject({
          direction: "Giden (IVR)",
          result: "Meşgul",
          answer_stamp: null,
          duration: "01:02:10",
          queue: null,
        }),
    },
    {
      what: "labels: a missed call and the one that returned it",
      ask: "GET /cdrs?missed=true",
      shows: ({ cdrs }: Cdrs) =>
        expect(cdrs[0]).toMatchObject({
          result: "Vazgeçildi",
          missed: true,
          return_uuid: calls.campaign,
          recording_present: "false",
          queue: "700",
        }),
    },
    {
      what: "labels: an internal call",
      ask: "GET /cdrs?direction=internal",
      shows: ({ cdrs }: Cdrs) =>
        expect(cdrs[0]).toMatchObject({ direction: "Santral içi", recording_present: "false" }),
    },
    found("", "deleted", "campaign", "missed", "answered"),
    found("direction=inbound", "missed", "answered"),
    found("direction=INBOUND&missed=false", "answered"),
    found("recording_present=true", "answered"),
    found("recording_present=deleted", "deleted"),
    found("recording_present=false", "deleted", "campaign", "missed"),
    found("caller_id_number=903121234567", "answered"),
    found("caller_id_number=+903121234567", "answered"),
    found("destination_number=05321234567", "campaign"),
    found("destination_number=1002", "deleted"),
    found("queue=200", "answered"),
    found("queue=Kuyruk%201", "answered"),
    found("queue=Sat%C4%B1%C5%9F", "missed"),
    found("queue=nowhere"),
    found("start_stamp_from=2017-08-04+09:30:32+UTC", "deleted", "campaign", "missed"),
    found("start_stamp_from=2017-08-04%2009:30:33%20UTC", "deleted", "campaign"),
    found("start_stamp_to=2017-08-04+09:30:32+UTC", "missed", "answered"),
    found("start_stamp_from=2017-08-04T12:30:00&start_stamp_to=2017-08-04T12:31:00", "missed"),
    found("start_stamp_from=2017-08-04T09:30:00Z&start_stamp_to=2017-08-04T09:31:00Z", "missed"),
    found("start_stamp_from=2017-08-04T12:30:00%2B03:00&start_stamp_to=2017-08-04T12:31:00+03:00", "missed"),
    found("start_stamp_from=2017-08-04T12:30:00%2B0300&start_stamp_to=2017-08-04%2012:31:00%20%2B0300", "missed"),
    found("start_stamp_from=2017-08-04&start_stamp_to=2017-08-05", "campaign", "missed"),
    found(
      "start_stamp_from=2016-01-01T00:00:00&start_stamp_to=2019-01-01T00:00:00",
      "deleted",
      "campaign",
      "missed",
      "answered",
    ),
    ...["soon", "2017-13-01", "2017-02-30", "2017-08-04 25:00:00", "20170804", "2017-08-04 10:00:00 MARS"].map(
      (stamp) => ({
        what: `the stamp ${stamp}`,
        ask: `GET /cdrs?start_stamp_from=${encodeURIComponent(stamp)}`,
        status: 400,
        text: "start_stamp_from is invalid",
      }),
    ),
    {
      what: "a second stamp that is none",
      ask: "GET /cdrs?start_stamp_to=x",
      status: 400,
      text: "start_stamp_to is invalid",
    },
    {
      what: "a direction that is none",
      ask: "GET /cdrs?direction=sideways",
      status: 400,
      text: "direction must be inbound or outbound or internal",
    },
    { what: "limit=9 on records", ask: "GET /cdrs?limit=9", status: 400, text: "limit must be between 10 and 100" },
    {
      what: "a page far away",
      ask: "GET /cdrs?page=1000000&limit=100",
      shows: (body: Cdrs) =>
        expect(body).toEqual({ cdrs: [], pagination: { page: 1000000, total_count: 4, total_pages: 1, limit: 100 } }),
    },
  ];
}

function detailRows({ ours: { calls } }: World): Row[] {
  const flow = [
    {
      destination_number: "1001",
      start_stamp: "2017-08-03 12:30:34 +0300",
      answer_stamp: null,
      end_stamp: "2017-08-03 12:30:36 +0300",
      duration: "00:00:02",
      ip_address: "192.0.2.9",
      sip_user_agent: "Phone/1",
      write_codec: "",
      read_codec: "",
      result: "Cevapsız",
    },
    {
      destination_number: "1000",
      start_stamp: "2017-08-03 12:30:36 +0300",
      answer_stamp: "2017-08-03 12:30:38 +0300",
      end_stamp: "2017-08-03 12:31:13 +0300",
      duration: "00:00:37",
      ip_address: "192.0.2.10",
      sip_user_agent: "Phone/1",
      write_codec: "PCMA",
      read_codec: "PCMA",
      result: "Cevaplandı",
    },
  ];
  const cdr = {
    direction: "Gelen",
    caller_id_number: "03121234567",
    destination_number: "902129876543",
    result: "Cevaplandı",
    sip_hangup_disposition: "caller",
    missed: false,
    return_uuid: null,
    call_uuid: calls.answered,
    start_stamp: "2017-08-03 12:30:32 +0300",
    answer_stamp: "2017-08-03 12:30:38 +0300",
    end_stamp: "2017-08-03 12:31:13 +0300",
    duration: "00:00:41",
    talk_duration: "00:00:35",
    queue_wait_seconds: "00:00:04",
    recording_present: "true",
  };
  return [
    { what: "one record and its way", ask: `GET /cdrs/${calls.answered}`, json: { cdr, call_flow: flow } },
    { what: "a uuid in capitals", ask: `GET /cdrs/${calls.answered.toUpperCase()}`, json: { cdr, call_flow: flow } },
    {
      what: "an unknown record",
      ask: `GET /cdrs/${unknown}`,
      status: 404,
      text: `cannot find call with call_uuid ${unknown}`,
    },
    {
      what: "a record that is no uuid",
      ask: "GET /cdrs/1234",
      status: 404,
      text: "cannot find call with call_uuid 1234",
    },
  ];
}
