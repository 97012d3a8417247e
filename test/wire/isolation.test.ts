// What a key of one exchange can do to another: nothing. Every operation is tried with the neighbour's ids.

import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { everyOperation } from "../../src/http/every-operation.ts";
import { quoted, sql } from "../../src/store/sql.ts";
import { exchangeWorld } from "../town/exchange-world.ts";

const world = await exchangeWorld();
const { ask, db, ours, theirs } = world;

/** The neighbour's rows in every table that knows to whom its rows belong. */
async function checksumOf(exchangeId: number): Promise<Record<string, string>> {
  const tables = await db.query<{ name: string }>(
    sql`select table_name as name from information_schema.columns
     where column_name = 'exchange_id' and table_schema = 'public' order by 1`,
  );
  const sums: Record<string, string> = {};
  for (const { name } of [...tables, { name: "exchanges" }]) {
    const column = name === "exchanges" ? sql`id` : sql`exchange_id`;
    const rows = await db.query<{ row: string }>(
      sql`select t::text as row from ${quoted(name)} t where ${column} = $1 order by 1`,
      [exchangeId],
    );
    sums[name] = createHash("sha256")
      .update(rows.map(({ row }) => row).join("\n"))
      .digest("hex");
  }
  return sums;
}

const campaign = "call_type=ivr&name=x&digit_target_1=hangup&phone_list=905321234567";
const { text: theirCampaign } = await ask(`POST /ivr_campaigns?${campaign}`, { key: theirs.key });
const noCampaign = `Cannot find ivr_campaign with ID ${theirCampaign}`;
const wav = "data:audio/wav;name:x.wav;base64,UklGRg==";
const [theirNumber] = theirs.callerIds;
const base = "name=A&surname=B&phone=1";

/** [operation, what is asked, status, answer]: the answer is what a caller hears about something that does not exist. */
const attempts: [operation: string, ask: string, status: number, text: string][] = [
  [
    "GET /update_outbound_caller_id",
    `GET /update_outbound_caller_id?extension=1000&caller_id=${theirNumber}`,
    400,
    `invalid caller_id: ${theirNumber}`,
  ],
  [
    "GET /cdrs/:id",
    `GET /cdrs/${theirs.calls.answered}`,
    404,
    `cannot find call with call_uuid ${theirs.calls.answered}`,
  ],
  [
    "POST /recording_url",
    `POST /recording_url?call_uuid=${theirs.calls.answered}`,
    400,
    `cannot find call with call_uuid ${theirs.calls.answered}`,
  ],
  [
    "POST /voicemail_recording_url",
    `POST /voicemail_recording_url?uuid=${theirs.messages.unheard}`,
    400,
    `cannot find voicemail with uuid ${theirs.messages.unheard}`,
  ],
  [
    "PATCH /announcements/:id",
    `PATCH /announcements/${theirs.soundId}?name=x`,
    400,
    `cannot find announcement with id: ${theirs.soundId}`,
  ],
  [
    "PATCH /announcements/:id",
    `PUT /announcements/${theirs.soundId}?name=x&sounddata=${wav}`,
    400,
    `cannot find announcement with id: ${theirs.soundId}`,
  ],
  [
    "DELETE /announcements/:id",
    `DELETE /announcements/${theirs.soundId}`,
    400,
    `cannot find announcement with id: ${theirs.soundId}`,
  ],
  [
    "DELETE /blocked_numbers/delete",
    "DELETE /blocked_numbers/delete?number=905001112233",
    400,
    "905001112233 is not blocked",
  ],
  [
    "PATCH /contact_groups/:id",
    `PATCH /contact_groups/${theirs.groupId}?name=x`,
    400,
    `cannot find group with id: ${theirs.groupId}`,
  ],
  [
    "DELETE /contact_groups/:id",
    `DELETE /contact_groups/${theirs.groupId}`,
    400,
    `cannot find group with id: ${theirs.groupId}`,
  ],
  ["POST /contacts", `POST /contacts?${base}&group_ids=${theirs.groupId}`, 400, `invalid group_ids: ${theirs.groupId}`],
  [
    "PATCH /contacts/:id",
    `PATCH /contacts/${theirs.contactId}?name=x`,
    400,
    `cannot find group with id: ${theirs.contactId}`,
  ],
  [
    "PATCH /contacts/:id",
    `PATCH /contacts/${ours.contactId}?group_ids=${theirs.groupId}`,
    400,
    `invalid group_ids: ${theirs.groupId}`,
  ],
  [
    "DELETE /contacts/:id",
    `DELETE /contacts/${theirs.contactId}`,
    400,
    `cannot find group with id: ${theirs.contactId}`,
  ],
  ["GET /extensions/:id", "GET /extensions/1777", 404, "extension 1777 not found"],
  ["GET /dnd/:id", "GET /dnd/1777?state=on", 400, "extension 1777 not found"],
  ["GET /queue/user_list", "GET /queue/user_list?queue_number=277", 404, "Queue_number value null or none 277"],
  [
    "GET /queue/manage_users",
    "GET /queue/manage_users?queue_number=277&user_list=1000",
    404,
    "Queue_number value null or none 277",
  ],
  [
    "GET /queue/manage_users",
    "GET /queue/manage_users?queue_number=200&user_list=1777",
    400,
    "User value null or none 1777",
  ],
  ["POST /webphone_tokens", "POST /webphone_tokens?extension=1777", 400, "cannot find user for extension"],
  [
    "POST /ivr_campaigns.json",
    `POST /ivr_campaigns?${campaign}&cli=${theirNumber}`,
    400,
    `invalid cli: ${theirNumber}`,
  ],
  ["PATCH /ivr_campaigns/:id", `PATCH /ivr_campaigns/${theirCampaign}?status=off`, 404, noCampaign],
  ["DELETE /ivr_campaigns/:id", `DELETE /ivr_campaigns/${theirCampaign}`, 404, noCampaign],
  ["GET /ivr_campaigns/:id", `GET /ivr_campaigns/${theirCampaign}`, 404, noCampaign],
  ["GET /ivr_campaigns/:id/report", `GET /ivr_campaigns/${theirCampaign}/report`, 404, noCampaign],
  ["GET /ivr_campaigns/:id/report.csv", `GET /ivr_campaigns/${theirCampaign}/report.csv`, 404, noCampaign],
];

/** Operations without ids of their own: what they show or change is ours, and nothing of theirs shines through. */
const lists: [operation: string, ask: string][] = [
  ["GET /caller_ids", "GET /caller_ids"],
  ["GET /extensions", "GET /extensions"],
  ["GET /user_statuses", "GET /user_statuses"],
  ["GET /agent_statuses", "GET /agent_statuses"],
  ["GET /agent_statuses", "GET /agent_statuses?queue=277"],
  ["GET /queues", "GET /queues"],
  ["GET /office", "GET /office"],
  ["POST /office", "POST /office?switch=closed"],
  ["GET /cdrs", "GET /cdrs?limit=100"],
  ["GET /cdrs", "GET /cdrs?queue=Gizli"],
  ["GET /voicemail_messages", "GET /voicemail_messages?limit=100"],
  ["GET /voicemail_messages", `GET /voicemail_messages?uuid=${theirs.messages.heard}`],
  ["GET /ivr_campaigns", "GET /ivr_campaigns?limit=100"],
  ["GET /announcements", "GET /announcements"],
  ["GET /blocked_numbers", "GET /blocked_numbers?limit=100"],
  ["POST /blocked_numbers", "POST /blocked_numbers?number=905001112233"],
  ["GET /contact_groups", "GET /contact_groups"],
  ["POST /contact_groups", "POST /contact_groups?name=x"],
  ["GET /contacts", "GET /contacts?limit=100"],
  ["GET /crm_integrations", "GET /crm_integrations"],
  ["POST /crm_integrations", "POST /crm_integrations?ringing=off&notification_url=https://ours.example.com"],
  ["POST /announcements", `POST /announcements?name=x&sounddata=${wav}`],
];

await db.query(sql`update extensions set number = '1777', is_agent = true where exchange_id = $1 and number = '1002'`, [
  theirs.id,
]);
await db.query(sql`update queues set number = '277', name = 'Gizli' where exchange_id = $1 and number = '201'`, [
  theirs.id,
]);
await db.query(sql`update blocked_numbers set number = '905001112233' where exchange_id = $1`, [theirs.id]);
await db.query(sql`update exchanges set crm_url = 'https://theirs.example.com' where id = $1`, [theirs.id]);
const secrets = [
  ...[...theirs.callerIds, "1777", "277", "Gizli", "theirs.example.com"],
  ...[...Object.values(theirs.calls), ...Object.values(theirs.messages)],
  ...[`"id":${theirs.soundId},`, `"id":${theirs.groupId},`, `"id":${theirs.contactId},`],
];
const before = await checksumOf(theirs.id);

test.each(attempts)("%s: %s", async (_operation, line, status, text) => {
  expect(await ask(line)).toMatchObject({ status, text });
});

test.each(lists)("%s shows nothing of the neighbour: %s", async (_operation, line) => {
  const { text } = await ask(line);
  for (const secret of secrets) expect(text).not.toMatch(wordOf(secret));
});

/** By itself: three digits stand in many a UUID and many a time of day. */
function wordOf(secret: string): RegExp {
  const literal = secret.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`(?<![\\w.:-])${literal}(?![\\w.:-])`);
}

test("a ticket of ours does not open their recording", async () => {
  const { text: url } = await ask(`POST /recording_url?call_uuid=${ours.calls.answered}`);
  await db.query(sql`update tickets set subject = $1 where exchange_id = $2`, [theirs.calls.answered, ours.id]);
  expect((await fetch(url)).status).toBe(400);
});

test("every operation was tried, and not a row of the neighbour has changed", async () => {
  const tried = new Set([...attempts, ...lists].map(([operation]) => operation));
  const untried = everyOperation
    .filter(({ guards, needs }) => guards.some(({ knows }) => knows === "key") && !needs)
    .map(({ methods, paths }) => `${methods[0]} ${paths[0]}`)
    .filter((operation) => !tried.has(operation));
  expect(untried).toEqual([]);
  expect(await checksumOf(theirs.id)).toEqual(before);
});
