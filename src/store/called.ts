// What things that go by ids are called, for a line of the audit trail that is read when they are long gone or renamed.

import type { Db } from "./db.ts";
import { type Sql, sql } from "./sql.ts";

/** By the field that holds an id, or `id` itself, and the id as a text. */
export type Called = Record<string, Record<string, string>>;

/** Names by ids, of one exchange ($1) and the ids in $2. */
const names = {
  announcement: sql`select id, name from announcements where exchange_id = $1 and id = any($2)`,
  archive: sql`select id, bucket as name from archives where exchange_id = $1 and id = any($2)`,
  campaign: sql`select id, name from call_campaigns where exchange_id = $1 and id = any($2)`,
  contact: sql`select id, concat_ws(' ', name, nullif(surname, '')) as name from contacts where exchange_id = $1 and id = any($2)`,
  group: sql`select id, name from contact_groups where exchange_id = $1 and id = any($2)`,
  form: sql`select id, name from forms where exchange_id = $1 and id = any($2)`,
  holiday: sql`select id, to_char(day, 'YYYY-MM-DD') || ' ' || description as name from holidays where exchange_id = $1 and id = any($2)`,
  import: sql`select id, file_name as name from imports where exchange_id = $1 and id = any($2)`,
  key: sql`select id, coalesce(nullif(label, ''), hint) as name from api_keys where exchange_id = $1 and id = any($2)`,
  plan: sql`select id, name from report_plans where exchange_id = $1 and id = any($2)`,
  rule: sql`select id, name from outbound_rules where exchange_id = $1 and id = any($2)`,
  smsAccount: sql`select id, username as name from sms_accounts where exchange_id = $1 and id = any($2)`,
  staff: sql`select id, email as name from staff where exchange_id = $1 and id = any($2)`,
  wall: sql`select id, name from wall_boards where exchange_id = $1 and id = any($2)`,
} as const satisfies Record<string, Sql>;

type Named = keyof typeof names;

/** What the `id` of an operation is the id of, by how the operation's name begins. */
const ofOperation: Readonly<Record<string, Named>> = {
  archive: "archive",
  campaigns: "campaign",
  contacts: "contact",
  contactGroups: "group",
  forms: "form",
  holidays: "holiday",
  imports: "import",
  keys: "key",
  reportPlans: "plan",
  rules: "rule",
  sounds: "announcement",
  staff: "staff",
  walls: "wall",
};

/** The names of everything that is told by an id in what was asked for and in what stood there. */
export async function readCalled(
  db: Db,
  exchangeId: number,
  { did, told }: { did: string; told: readonly unknown[] },
): Promise<Called | undefined> {
  const ids = new Map<string, { named: Named; ids: Set<string> }>();
  const note = (field: string, named: Named, id: unknown) => {
    const known = ids.get(field) ?? { named, ids: new Set() };
    if (/^[1-9]\d{0,15}$/.test(String(id))) ids.set(field, { named, ids: known.ids.add(String(id)) });
  };
  const own = did === "sms.updateAccount" ? "smsAccount" : ofOperation[did.split(".")[0] ?? ""];
  for (const it of told) {
    if (own && isRecord(it)) note("id", own, it.id);
    walk(it, note);
  }
  const called: Called = {};
  for (const [field, { named, ids: wanted }] of ids) {
    const rows = await db.query<{ id: number; name: string }>(names[named], [exchangeId, [...wanted]]);
    const known = rows.filter(({ name }) => name !== "").map(({ id, name }) => [String(id), name]);
    if (known.length > 0) called[field] = Object.fromEntries(known);
  }
  return Object.keys(called).length > 0 ? called : undefined;
}

/** Announcements stand in fields of their own and in targets, groups of contacts in a list. */
function walk(value: unknown, note: (field: string, named: Named, id: unknown) => void): void {
  if (typeof value === "string") {
    const [, id] = /^announcement[/:](\d+)$/.exec(value) ?? [];
    if (id !== undefined) note("announcement", "announcement", id);
  } else if (Array.isArray(value)) for (const it of value) walk(it, note);
  else if (isRecord(value))
    for (const [name, it] of Object.entries(value)) {
      if (/(^|_)announcement_id$|^sound$/.test(name)) note("announcement", "announcement", it);
      else if (name === "group_ids" && Array.isArray(it)) for (const id of it) note(name, "group", id);
      else walk(it, note);
    }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
