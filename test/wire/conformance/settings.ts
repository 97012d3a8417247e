// Blocked numbers, CRM settings and web-phone tokens.

import { expect } from "vitest";
import { sql } from "../../../src/store/sql.ts";
import type { World } from "../../town/exchange-world.ts";
import { jsonType, type Row } from "./row.ts";

const NUMBER = /^\d+$/;

export function settingRows(world: World): Row[] {
  return [...blockedRows, ...crmRows, ...tokenRows(world)];
}

const blockedRows: Row[] = [
  {
    what: "blocked numbers are listed",
    ask: "GET /blocked_numbers",
    shows: ({ blocked_numbers: [first] }: { blocked_numbers: [{ id: number; number: string }] }) =>
      expect(Object.keys(first)).toEqual(["id", "number"]),
  },
  {
    what: "a number is blocked",
    ask: "POST /blocked_numbers",
    headers: jsonType,
    body: '{"number":"05531234567"}',
    text: NUMBER,
    after: async ({ ask }) => expect((await ask("GET /blocked_numbers")).text).toContain('"number":"905531234567"'),
  },
  ...[
    "905531234567",
    "%2B905531234567",
    "+905531234567",
    "5531234567",
    "0090%20553%20123-45-67",
    "(0553)%20123%2045%2067",
  ].map((number) => ({
    what: `${number} is the same number`,
    ask: `POST /blocked_numbers?number=${number}`,
    status: 400,
    text: "905531234567 is already blocked",
  })),
  { what: "without a number", ask: "POST /blocked_numbers", status: 400, text: "number required" },
  { what: "with a word", ask: "POST /blocked_numbers?number=abc", status: 400, text: "invalid number: abc" },
  {
    what: "in the other direction",
    ask: "POST /blocked_numbers?number=05531234567&direction=outbound",
    text: NUMBER,
    after: async ({ ask }) =>
      expect((await ask("GET /blocked_numbers")).text).toContain('"number":"905531234567","direction":"outbound"'),
  },
  {
    what: "in no known direction",
    ask: "POST /blocked_numbers?number=05531234567&direction=up",
    status: 400,
    text: "direction must be inbound or outbound",
  },
  {
    what: "a number is unblocked in every direction",
    ask: "DELETE /blocked_numbers/delete?number=5531234567",
    text: "OK",
    after: async ({ ask }) => expect((await ask("GET /blocked_numbers")).text).not.toContain("905531234567"),
  },
  {
    what: "a number that is not blocked",
    ask: "DELETE /blocked_numbers/delete?number=5531234567",
    status: 400,
    text: "905531234567 is not blocked",
  },
  { what: "unblocking nothing", ask: "DELETE /blocked_numbers/delete", status: 400, text: "number required" },
];

const crmRows: Row[] = [
  {
    what: "CRM settings are read",
    ask: "GET /crm_integrations",
    json: { ringing: "on", answered: "on", hangup: "on", notification_url: "" },
  },
  {
    what: "CRM settings are changed in part, by a form without a content type",
    ask: "POST /crm_integrations",
    body: "ringing=off&notification_url=https%3A%2F%2Fcrm.example.com%2Fcalls",
    text: "OK",
  },
  {
    what: "and stay changed",
    ask: "GET /crm_integrations",
    json: { ringing: "off", answered: "on", hangup: "on", notification_url: "https://crm.example.com/calls" },
  },
  {
    what: "only what is sent is changed",
    ask: "POST /crm_integrations?hangup=OFF",
    text: "OK",
    after: async ({ ask }) =>
      expect((await ask("GET /crm_integrations")).text).toBe(
        '{"ringing":"off","answered":"on","hangup":"off","notification_url":"https://crm.example.com/calls"}',
      ),
  },
  {
    what: "a switch that is neither on nor off",
    ask: "POST /crm_integrations?ringing=maybe",
    status: 400,
    text: "ringing must be on or off",
  },
  ...["ftp://example.com", "example.com", "http://", "javascript:alert(1)", "https://exa mple.com"].map((url) => ({
    what: `the URL ${url}`,
    ask: `POST /crm_integrations?notification_url=${encodeURIComponent(url)}`,
    status: 400,
    text: `invalid notification_url: ${url}`,
  })),
];

function tokenRows({ ours }: World): Row[] {
  return [
    { what: "a token without an extension", ask: "POST /webphone_tokens", status: 400, text: "missing extension" },
    {
      what: "a token for nobody",
      ask: "POST /webphone_tokens?extension=1005",
      status: 400,
      text: "cannot find user for extension",
    },
    {
      what: "a token without a staff account",
      ask: "POST /webphone_tokens?extension=1000",
      status: 400,
      text: "cannot find employee for extension",
      after: async ({ db }) => {
        await db.query(
          sql`insert into staff (exchange_id, name, email, role, password_hash, extension_id) select exchange_id, 'A', 'a@example.com', 'standard', '', id from extensions where exchange_id = $1 and number = '1000'`,
          [ours.id],
        );
      },
    },
    {
      what: "a token",
      ask: "POST /webphone_tokens",
      headers: jsonType,
      body: JSON.stringify({ key: ours.key, extension: 1000 }),
      text: /^W[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/,
    },
  ];
}
