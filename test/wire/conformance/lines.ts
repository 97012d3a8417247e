// Extensions and their numbers, statuses, do-not-disturb, queues and their members.

import { expect } from "vitest";
import { sql } from "../../../src/store/sql.ts";
import type { World } from "../../town/exchange-world.ts";
import { form, jsonType, type Row } from "./row.ts";

export function lineRows(world: World): Row[] {
  return [...numberRows(world), ...extensionRows(world), ...makeQueueRows()];
}

function numberRows({ ours }: World): Row[] {
  const [first, second] = ours.callerIds as [string, string];
  return [
    { what: "caller IDs are an array of strings", ask: "GET /caller_ids", json: ours.callerIds },
    {
      what: "an outbound number is chosen",
      ask: `GET /update_outbound_caller_id?extension=1000&caller_id=${first}`,
      text: "OK",
      after: async ({ ask }) =>
        expect((await ask("GET /extensions/1000")).text).toContain(`"outbound_caller_id_number":"${first}"`),
    },
    {
      what: "in national form, by POST",
      ask: "POST /update_outbound_caller_id",
      headers: form,
      body: `extension=1001&caller_id=0${second.slice(2)}`,
      text: "OK",
    },
    {
      what: "with a number the exchange does not own",
      ask: "GET /update_outbound_caller_id?extension=1000&caller_id=902120000000",
      status: 400,
      text: "invalid caller_id: 902120000000",
    },
    {
      what: "for an extension that does not exist",
      ask: `GET /update_outbound_caller_id?extension=1005&caller_id=${first}`,
      status: 400,
      text: "extension 1005 not found",
    },
    {
      what: "without a caller ID",
      ask: "GET /update_outbound_caller_id?extension=1000",
      status: 400,
      text: "caller_id can't be blank",
    },
    {
      what: "without an extension",
      ask: `GET /update_outbound_caller_id?caller_id=${first}`,
      status: 400,
      text: "extension can't be blank",
    },
  ];
}

function extensionRows({ ours }: World): Row[] {
  const shown = (number: string, dnd = false) => ({
    number,
    name: `DAHİLİ-${number}`,
    dnd,
    is_agent: false,
    domain: "ours.example.com",
  });
  const detail = {
    number: "1002",
    domain: "ours.example.com",
    name: "DAHİLİ-1002",
    dnd: false,
    is_agent: false,
    max_calls: 2,
    use_webrtc: false,
    time_range_begin: "00:00",
    time_range_end: "23:59",
    outbound_caller_id_number: "",
  };
  return [
    { what: "extensions are listed", ask: "GET /extensions", json: [shown("1000"), shown("1001"), shown("1002")] },
    { what: "an extension is shown without its password", ask: "GET /extensions/1002", json: detail },
    { what: "an unknown extension", ask: "GET /extensions/1005", status: 404, text: "extension 1005 not found" },
    { what: "do-not-disturb on", ask: "GET /dnd/1000?state=on", text: "Changed DND of 1000 to on." },
    {
      what: "is seen in the statuses",
      ask: "GET /user_statuses",
      json: [
        { user: 1000, status: "SS_DND" },
        { user: 1001, status: "UNREGISTERED" },
        { user: 1002, status: "UNREGISTERED" },
      ],
    },
    {
      what: "and found by the filter",
      ask: "GET /user_statuses?status=SS_DND",
      json: [{ user: 1000, status: "SS_DND" }],
    },
    { what: "do-not-disturb off, in capitals", ask: "GET /dnd/1000?state=OFF", text: "Changed DND of 1000 to off." },
    { what: "is seen at once", ask: "GET /user_statuses?user=1000", json: [{ user: 1000, status: "UNREGISTERED" }] },
    {
      what: "do-not-disturb by POST with parameters",
      ask: "POST /dnd",
      headers: form,
      body: "id=1000&state=off",
      text: "Changed DND of 1000 to off.",
    },
    { what: "do-not-disturb without a state", ask: "GET /dnd/1000", status: 400, text: "state must be on or off" },
    {
      what: "do-not-disturb with another state",
      ask: "GET /dnd/1000?state=maybe",
      status: 400,
      text: "state must be on or off",
    },
    {
      what: "do-not-disturb of an unknown extension",
      ask: "GET /dnd/1005?state=on",
      status: 400,
      text: "extension 1005 not found",
    },
    {
      what: "an unknown status to filter by",
      ask: "GET /user_statuses?status=BUSY",
      status: 400,
      text: "invalid status: BUSY",
    },
    { what: "a status in other letters", ask: "GET /user_statuses?status=available", json: [] },
    { what: "an unknown user", ask: "GET /user_statuses?user=4711", json: [] },
    {
      what: "agents without a session are logged out",
      ask: "GET /agent_statuses",
      json: [
        { agent: "1000", status: "LOGGED_OUT", queues: ["200"] },
        { agent: "1001", status: "LOGGED_OUT", queues: ["200"] },
      ],
    },
    {
      what: "a break has a description",
      ask: "GET /agent_statuses?agent=1001",
      json: [{ agent: "1001", status: "LOGGED_OUT", queues: ["200"] }],
      after: async ({ db, ask }) => {
        await db.query(
          sql`insert into agent_states (exchange_id, extension_id, status, break_description) select exchange_id, id, 'ON_BREAK', 'Kahve' from extensions where exchange_id = $1 and number = '1001'`,
          [ours.id],
        );
        expect((await ask("GET /agent_statuses?status=ON_BREAK")).text).toBe(
          '[{"agent":"1001","status":"ON_BREAK","queues":["200"],"break_description":"Kahve"}]',
        );
        await db.query(sql`delete from agent_states where exchange_id = $1`, [ours.id]);
      },
    },
    { what: "agents of one queue", ask: "GET /agent_statuses?queue=201", json: [] },
    {
      what: "agents of a queue by name",
      ask: "GET /agent_statuses?queue=Kuyruk%201&agent=1000",
      json: [{ agent: "1000", status: "LOGGED_OUT", queues: ["200"] }],
    },
    {
      what: "an unknown agent status",
      ask: "GET /agent_statuses?status=SLEEPING",
      status: 400,
      text: "invalid status: SLEEPING",
    },
  ];
}

function makeQueueRows(): Row[] {
  const members = async ({ ask }: World) => (await ask("GET /queue/user_list?queue_number=201")).text;
  return [
    {
      what: "queues are listed with integer numbers",
      ask: "GET /queues",
      json: [
        { number: 200, name: "Kuyruk 1" },
        { number: 201, name: "Kuyruk 2" },
      ],
    },
    {
      what: "members come in order",
      ask: "GET /queue/user_list?queue_number=200",
      json: [
        { user: 1001, name: "DAHİLİ-1001" },
        { user: 1000, name: "DAHİLİ-1000" },
      ],
    },
    {
      what: "members by the other parameter",
      ask: "GET /queue/user_list?queue=200",
      shows: (list: unknown[]) => expect(list).toHaveLength(2),
    },
    {
      what: "members of an unknown queue",
      ask: "GET /queue/user_list?queue_number=209",
      status: 404,
      text: "Queue_number value null or none 209",
    },
    { what: "members of no queue", ask: "GET /queue/user_list", status: 400, text: "Queue_number value null or none" },
    {
      what: "members are set in order",
      ask: "GET /queue/manage_users?queue_number=201&user_list=1002,1000",
      text: "OK",
      after: async (world) =>
        expect(await members(world)).toBe('[{"user":1002,"name":"DAHİLİ-1002"},{"user":1000,"name":"DAHİLİ-1000"}]'),
    },
    {
      what: "members are reordered, one leaves, one comes",
      ask: "GET /queue/manage_users?queue_number=201&user_list=1000,%201001",
      text: "OK",
      after: async (world) =>
        expect(await members(world)).toBe('[{"user":1000,"name":"DAHİLİ-1000"},{"user":1001,"name":"DAHİLİ-1001"}]'),
    },
    {
      what: "an unknown member changes nothing",
      ask: "GET /queue/manage_users?queue_number=201&user_list=1002,1039",
      status: 400,
      text: "User value null or none 1039",
      after: async (world) => expect(await members(world)).toContain('"user":1000'),
    },
    {
      what: "no member list",
      ask: "GET /queue/manage_users?queue_number=201",
      status: 400,
      text: "user_list value null or none",
    },
    {
      what: "an empty member list",
      ask: "GET /queue/manage_users?queue_number=201&user_list=",
      status: 400,
      text: "user_list value null or none",
    },
    {
      what: "no queue",
      ask: "GET /queue/manage_users?user_list=1000",
      status: 400,
      text: "Queue_number value null or none",
    },
    {
      what: "an unknown queue",
      ask: "GET /queue/manage_users?queue_number=200000&user_list=1000",
      status: 404,
      text: "Queue_number value null or none 200000",
    },
    {
      what: "one member added by the other spelling",
      ask: "GET /queue/manage_users?queue=Kuyruk%202&extension=1002&action=add",
      text: "OK",
      after: async (world) => expect(await members(world)).toMatch(/1000.*1001.*1002/),
    },
    {
      what: "added twice",
      ask: "GET /queue/manage_users?queue_number=201&user=1002&action=add",
      status: 400,
      text: "You are trying to add an existing user 1002",
    },
    {
      what: "one member removed",
      ask: "GET /queue/manage_users?queue_number=201&user=1000&action=remove",
      text: "OK",
      after: async (world) => expect(await members(world)).not.toContain("1000"),
    },
    {
      what: "JSON numbers as members",
      ask: "POST /queue/manage_users",
      headers: jsonType,
      body: '{"queue_number":201,"user_list":[1002]}',
      text: "OK",
    },
  ];
}
