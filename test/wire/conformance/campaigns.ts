// Automatic calls: every field and rule of creation, start and stop, delete, and what is shown of them.

import { expect } from "vitest";
import type { World } from "../../town/exchange-world.ts";
import { form, jsonType, type Row } from "./row.ts";

const ID = /^\d+$/;
const numbers = [{ phone: "905321234567", phrase: "15/11/2017 73.56", lang: "tr-TR" }];
const ivr = { call_type: "ivr", name: "Memnuniyet anketi", phone_list: numbers, digit_target_1: "queue/200" };
const body = (more: object, base: object = ivr) => JSON.stringify({ ...base, status: undefined, ...more });

const create = (what: string, more: object, answer: Partial<Row> = { text: ID }, base: object = ivr): Row => ({
  what: `a campaign ${what}`,
  ask: "POST /ivr_campaigns.json",
  headers: jsonType,
  body: body(more, base),
  ...answer,
});
const refused = (what: string, more: object, text: string, status = 400): Row => create(what, more, { status, text });

export function campaignRows({ ours, theirs }: World): Row[] {
  return [...creationRows(ours), ...refusalRows(theirs.callerIds[0] ?? ""), ...livingRows];
}

const newest = async ({ ask }: World) => {
  const { ivr_campaigns: list } = JSON.parse((await ask("GET /ivr_campaigns")).text) as {
    ivr_campaigns: Record<string, unknown>[];
  };
  return list[0] ?? {};
};

function creationRows({ key, callerIds }: { key: string; callerIds: string[] }): Row[] {
  return [
    create("of the documented kind", {}),
    {
      what: "has the documented defaults",
      ask: "GET /ivr_campaigns",
      shows: ({ ivr_campaigns: [first] }: { ivr_campaigns: Record<string, unknown>[] }) => {
        expect(first).toMatchObject({
          time_range_begin: "00:00",
          time_range_end: "23:59",
          active_days: [1, 2, 3, 4, 5, 6, 7],
          ring_timeout: 30,
          digit_timeout: 4,
          is_commercial: false,
          max_thread_count: null,
          status: "on",
        });
        expect(first?.date_range_begin).toMatch(/^\d{4}-\d\d-\d\d$/);
        expect(first?.date_range_end).toBe(first?.date_range_begin);
      },
    },
    { ...create("with the key in its body", { key }), key: null },
    { ...create("by the path without a suffix", {}), ask: "POST /ivr_campaigns" },
    { ...create("in a form", {}), headers: form, body: formOf({ ...ivr, phone_list: JSON.stringify(numbers) }) },
    create("for a queue, as documented: no targets, a number for the queue", {
      call_type: "queue",
      queue_number: 200,
      thread_multiplier: 2,
      max_thread_count: "10",
      digit_target_1: undefined,
    }),
    create("with everything said", {
      date_range_begin: "2097-03-01",
      date_range_end: "2097-03-05",
      time_range_begin: "9:30",
      time_range_end: "18:00",
      active_days: [1, 2, 3, 4, 5],
      ring_timeout: "25",
      cli: callerIds[1],
      call_retries: 2,
      timeout_target: "restart",
      invalid_target: "",
      digit_retries: "3",
      digit_timeout: 10,
      digit_target_star: "hangup",
      digit_target_square: "extension:1001",
      digit_target_9: "queue:Kuyruk 2",
      recording_enabled: "t",
      is_commercial: "false",
    }),
    {
      what: "and it is shown as it was meant",
      ask: "GET /ivr_campaigns",
      shows: ({ ivr_campaigns: [first] }: { ivr_campaigns: object[] }) =>
        expect(first).toMatchObject({
          date_range_begin: "2097-03-01",
          date_range_end: "2097-03-05",
          time_range_begin: "09:30",
          time_range_end: "18:00",
          active_days: [1, 2, 3, 4, 5],
          ring_timeout: 25,
          cli: callerIds[1],
          call_retries: 2,
          digit_retries: 3,
          digit_timeout: 10,
          recording_enabled: true,
          is_commercial: false,
          digit_target_star: "hangup/hangup",
          digit_target_square: "user/1001",
          digit_target_9: "queue/201",
          timeout_target: "restart",
          status: "on",
          max_abandoned_percent: 3,
        }),
    },
    create("with numbers as people write them", {
      phone_list: ["05321234567", "5321234568", "+905321234569", "00491701234567", { phone: 905321234560 }].map(
        (phone) => (typeof phone === "string" ? { phone } : phone),
      ),
    }),
    {
      what: "whose numbers stand in one form in the report",
      ask: "GET /ivr_campaigns",
      shows: () => undefined,
      after: async (world) => {
        const { id } = await newest(world);
        const { ivr_leads: leads } = JSON.parse((await world.ask(`GET /ivr_campaigns/${id}/report`)).text) as {
          ivr_leads: Record<string, unknown>[];
        };
        expect(leads.map(({ phone }) => phone)).toEqual([
          ...["905321234567", "905321234568", "905321234569", "00491701234567", "905321234560"],
        ]);
        expect(leads[0]).toMatchObject({ state: "waiting", attempts: 0, digit: "", result: "", duration: "00:00:00" });
      },
    },
    create("with anything but true for recording_enabled", { recording_enabled: "1" }),
    {
      what: "is not recorded",
      ask: "GET /ivr_campaigns",
      shows: ({ ivr_campaigns: [first] }: { ivr_campaigns: object[] }) =>
        expect(first).toMatchObject({ recording_enabled: false }),
    },
  ];
}

function formOf(fields: Record<string, string>): string {
  return new URLSearchParams(fields).toString();
}

function refusalRows(strangersNumber: string): Row[] {
  const queue = { call_type: "queue", digit_target_1: undefined };
  return [
    refused("without a name", { name: "" }, "name can't be blank"),
    refused("of no kind", { call_type: "" }, "call_type can't be blank"),
    refused("of an unknown kind", { call_type: "fax" }, "call_type must be queue or ivr"),
    refused("without numbers", { phone_list: undefined }, "phone_list can't be blank"),
    refused("with an empty list", { phone_list: [] }, "phone_list can't be blank"),
    refused("with a nameless number", { phone_list: [{ phrase: "x" }] }, "phone can't be blank"),
    refused("with a word for a number", { phone_list: [...numbers, { phone: "abc" }] }, "invalid number: abc"),
    refused("with an extension for a number", { phone_list: [{ phone: "1000" }] }, "invalid number: 1000"),
    refused("in Klingon", { phone_list: [{ phone: "905321234567", lang: "tlh" }] }, "invalid lang: tlh"),
    refused("with a phrase of a missing sound", { phone_list: [{ phone: "905321234567", phrase: "#9" }] }, noSound(9)),
    refused("that rings too shortly", { ring_timeout: 24 }, "ring_timeout must be between 25 and 60"),
    refused("that rings too long", { ring_timeout: 61 }, "ring_timeout must be between 25 and 60"),
    refused("without time for a key", { digit_timeout: 0 }, "digit_timeout must be between 1 and 10"),
    refused("with too much time for a key", { digit_timeout: 11 }, "digit_timeout must be between 1 and 10"),
    refused("on an eighth day", { active_days: [1, 8] }, "active_days must be between 1 and 7"),
    refused("on a day that is none", { date_range_begin: "2097-02-30" }, "invalid date_range_begin: 2097-02-30"),
    refused("at an hour that is none", { time_range_end: "24:00" }, "invalid time_range_end: 24:00"),
    refused(
      "that ends before it begins",
      { date_range_begin: "2097-03-02", date_range_end: "2097-03-01" },
      "date_range_end must not be before date_range_begin",
    ),
    refused("that leads nowhere", { digit_target_1: "" }, "at least one digit target is required"),
    refused("that leads to a place that is none", { digit_target_1: "moon/1" }, "invalid digit_target_1: moon/1"),
    ...["queue/299", "user/1999", "group/799", "ivr/99", "voicemail/1999", "announcement/999999", "external/0532"].map(
      (target) => refused(`that leads to ${target}`, { digit_target_1: target }, `invalid digit_target_1: ${target}`),
    ),
    refused("that leads to a queue nobody knows", { invalid_target: "queue:Yok" }, "invalid invalid_target: queue:Yok"),
    refused("that shows a stranger's number", { cli: strangersNumber }, `invalid cli: ${strangersNumber}`),
    refused("with a sound that is not there", { welcome_announcement_id: 999_999 }, noSound(999_999)),
    refused("for no queue", queue, "queue_number can't be blank"),
    refused("for an unknown queue", { ...queue, queue_number: "209" }, "Queue_number value null or none 209", 404),
    refused("that sells to nobody in particular", { is_commercial: true }, "iys_recipient_type can't be blank"),
    refused(
      "that sells for no brand",
      { is_commercial: true, iys_recipient_type: "BIREYSEL" },
      "iys_brand_code can't be blank",
    ),
    refused(
      "that sells for a stranger's brand",
      { is_commercial: true, iys_recipient_type: "BIREYSEL", iys_brand_code: "1" },
      "invalid iys_brand_code: 1",
    ),
    refused("that tells an impossible URL", { webhook_url: "ftp://a" }, "invalid webhook_url: ftp://a"),
    { ...refused("in broken JSON", {}, "INVALID_JSON"), body: '{"name":"x",}' },
  ];
}

const noSound = (id: number) => `cannot find announcement with id: ${id}`;

const unknown = { status: 404, text: "Cannot find ivr_campaign with ID 99" };
const ofNewest = (
  what: string,
  ask: (id: unknown) => string,
  after: (world: World, id: unknown) => Promise<void>,
): Row => ({
  what,
  ask: "GET /ivr_campaigns",
  shows: () => undefined,
  after: async (world) => {
    const { id } = await newest(world);
    const said = await world.ask(ask(id));
    expect(said).toMatchObject({ status: 200, text: ask(id).startsWith("PATCH") ? "Ok" : "OK" });
    await after(world, id);
  },
});
const expectStatus = (status: string) => async (world: World, id: unknown) =>
  expect(JSON.parse((await world.ask(`GET /ivr_campaigns/${id}`)).text)).toMatchObject({ status });

const livingRows: Row[] = [
  ofNewest("a campaign is stopped", (id) => `PATCH /ivr_campaigns/${id}.json?status=off`, expectStatus("off")),
  ofNewest("and started again", (id) => `PATCH /ivr_campaigns/${id}?status=on`, expectStatus("on")),
  ofNewest("paused in newer words", (id) => `PATCH /ivr_campaigns/${id}?status=pause`, expectStatus("off")),
  ofNewest("started in newer words", (id) => `PATCH /ivr_campaigns/${id}?status=START`, expectStatus("on")),
  ofNewest(
    "stopped with its id beside its status",
    (id) => `PATCH /ivr_campaigns?id=${id}&status=stop`,
    expectStatus("off"),
  ),
  {
    what: "a status that is none",
    ask: "PATCH /ivr_campaigns/99?status=maybe",
    status: 400,
    text: "invalid status: maybe",
  },
  { what: "no status at all", ask: "PATCH /ivr_campaigns/99", status: 400, text: "status can't be blank" },
  {
    what: "a stop in the body, without a content type",
    ask: "PATCH /ivr_campaigns/99",
    body: "status=off",
    ...unknown,
  },
  { what: "an unknown campaign is not deleted", ask: "DELETE /ivr_campaigns/99.json", ...unknown },
  { what: "an unknown campaign is not read", ask: "GET /ivr_campaigns/99", ...unknown },
  { what: "an unknown campaign has no report", ask: "GET /ivr_campaigns/99/report", ...unknown },
  {
    what: "a campaign has no page of its own to stop it",
    ask: "GET /ivr_campaigns/99/stop",
    status: 404,
    text: "Not Found",
  },
  ofNewest(
    "a campaign is deleted",
    (id) => `DELETE /ivr_campaigns/${id}`,
    async ({ ask }, id) => {
      expect(await ask(`GET /ivr_campaigns/${id}`)).toMatchObject({ status: 404 });
      expect(await ask(`PATCH /ivr_campaigns/${id}?status=on`)).toMatchObject({ status: 404 });
    },
  ),
];
