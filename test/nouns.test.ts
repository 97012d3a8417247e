// Every noun is described once: the database agrees with the description, and everything else is made from it.

import { expect, test } from "vitest";
import { formOf } from "../console/ui/noun-form.ts";
import { settingsHelp } from "../src/cli/settings.ts";
import { changesSchema } from "../src/http/console/operations/noun-schema.ts";
import { settingsReference } from "../src/http/reference/settings.ts";
import { LANGUAGES } from "../src/languages.ts";
import { allNouns } from "../src/nouns/all.ts";
import { type Changes, type Field, type Noun, noun, shownFields } from "../src/nouns/field.ts";
import { choice, target, text, whole, yesOrNo } from "../src/nouns/kinds.ts";
import { roles } from "../src/nouns/role.ts";
import { spoken } from "../src/speech/language.ts";
import { sql } from "../src/store/sql.ts";
import { assignments, shownColumns } from "../src/store/update.ts";
import { freshDatabase } from "./ground/database.ts";

const { db } = await freshDatabase();

type Column = { name: string; default: string | null; optional: boolean; check: string | null };

function columnsOf(table: string): Promise<Column[]> {
  return db.query<Column>(
    sql`select column_name as name, column_default as default, is_nullable = 'YES' as optional,
       (select string_agg(pg_get_constraintdef(c.oid), ' ') from pg_constraint c
        join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any (c.conkey)
        where c.conrelid = $1::text::regclass and c.contype = 'c' and a.attname = column_name
          and array_length(c.conkey, 1) = 1) as check
     from information_schema.columns where table_name = $1::text and table_schema = current_schema()`,
    [table],
  );
}

/** What nobody sets by hand: keys, what the program itself keeps, and what has a command of its own. */
const kept: Record<string, readonly string[]> = {
  exchanges: ["crm_secret"],
  extensions: ["number", "ha1_md5", "ha1_sha256", "shown_password"],
  mailboxes: ["extension_id", "greeting_object_key", "wrong_pins", "pins_closed_until"],
  ring_groups: ["number"],
  queues: ["number"],
  menus: ["number"],
  external_numbers: ["number"],
  trunks: ["name"],
  contacts: ["source_id", "foreign_id", "foreign_mark"],
  contact_sources: [
    ...["name", "memory", "run", "next_run_at", "last_run_at", "last_success_at", "failing_since", "failures"],
    ...["failure", "failure_about", "added", "changed", "removed", "held_removals", "confirmed_removals"],
  ],
  call_campaigns: ["abandon_cap", "is_on", "deleted_at"],
  staff: [
    ...["email", "password_hash", "must_change_password", "failed_sign_ins", "locked_until"],
    ...["totp_secret", "totp_used", "last_sign_in_at", "sso_issuer", "sso_subject"],
  ],
  sms_accounts: ["username", "password_hash", "credits", "reserved", "low_credits_told_at"],
  sms_titles: ["name", "approved_at"],
  sms_carriers: ["name", "kind", "active", "shift"],
  special_day_settings: ["account_id", "title_id"],
  report_plans: ["staff_id", "filter", "next_day"],
  wall_boards: ["token_hash", "token_made_at"],
  archives: ["active", "trouble", "trouble_since", "trouble_told_at"],
};

const own = ({ fields }: Noun): [name: string, field: Field][] =>
  Object.entries(fields)
    .filter(([, { column }]) => column !== null)
    .map(([name, field]) => [field.column ?? name, field]);

for (const described of allNouns) {
  const { table, title } = described;

  test(`${title}: every column that may be set is described, and nothing else is`, async () => {
    const columns = (await columnsOf(table)).map(({ name }) => name);
    const settable = columns.filter(
      (name) => !["id", "exchange_id", "created_at", ...(kept[table] ?? [])].includes(name),
    );
    expect(
      own(described)
        .map(([name]) => name)
        .sort(),
    ).toEqual(settable.sort());
  });

  test(`${title}: defaults, ranges and choices are those of the database`, async () => {
    const columns = new Map((await columnsOf(table)).map((column) => [column.name, column]));
    for (const [name, field] of own(described)) {
      const column = columns.get(name)!;
      if (field.default !== undefined) expect(await readDefault(column.default), name).toEqual(plain(field.default));
      else expect(column.default, `the default of ${name} is described`).toBeNull();
      if (field.orNothing) expect(column.optional, `${name} may be missing`).toBe(true);
      expectRange(name, field, column.check ?? "");
    }
  });

  test(`${title}: every field has words in every language`, () => {
    for (const [name, { label, about, under }] of Object.entries(described.fields))
      for (const words of [label, about, under])
        if (words) for (const language of LANGUAGES) expect(words[language], `${name} in ${language}`).toBeTruthy();
  });
}

const MOST_WITHOUT_SECTIONS = 12;

test("a form of more than a dozen fields stands in sections", () => {
  for (const { title, fields } of allNouns) {
    const shown = shownFields(fields);
    if (shown.length <= MOST_WITHOUT_SECTIONS) continue;
    expect([title, shown.filter(([, { under }]) => !under).map(([name]) => name)]).toEqual([title, []]);
    expect(new Set(shown.map(([, { under }]) => under?.en)).size, title).toBeGreaterThan(1);
  }
});

/** As the database itself reads the default. */
async function readDefault(written: string | null): Promise<unknown> {
  const [row] = await db.query<{ value: unknown }>(fromCatalogue(written ?? "null"));
  return typeof row!.value === "string" ? row!.value.replace(/^(\d\d:\d\d):00$/, "$1") : row!.value;
}

/** A default that the catalogue told us, as a statement. */
function fromCatalogue(written: string): ReturnType<typeof sql> {
  return sql(Object.assign([`select ${written} as value`], { raw: [] }));
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

function expectRange(name: string, field: Field, check: string): void {
  if (field.is === "whole") {
    const bound = (sign: string) => new RegExp(`${name} ${sign} '?\\(?(-?\\d+)`).exec(check)?.[1];
    if (bound(">=") !== undefined) expect(Number(bound(">=")), `least ${name}`).toBe(field.least);
    if (bound("<=") !== undefined) expect(Number(bound("<=")), `most ${name}`).toBe(field.most);
    if (bound(">") !== undefined) expect(field.least, `least ${name}`).toBeGreaterThan(Number(bound(">")));
    expect(check.includes(`${name} = 0`), `${name} or zero`).toBe(field.orZero ?? false);
  }
  const listed = [...check.matchAll(/'([^']+)'::text/g)].map(([, word]) => word);
  if (field.is === "choice" && check.includes("ANY"))
    expect(Object.keys(field.among).sort(), name).toEqual(listed.sort());
}

/** Nothing of it stands anywhere else. */
const kiosk = noun({
  title: "Kiosks",
  command: "santral kiosk set",
  table: "kiosks",
  knownBy: "number",
  fields: {
    name: text({ tr: "Ad", en: "Name" }, { required: true }),
    open_seconds: whole({ tr: "Açık kalma", en: "Stays open" }, { least: 5, most: 60, default: 20 }),
    colour: choice({ tr: "Renk", en: "Colour" }, { among: { red: { tr: "Kırmızı", en: "Red" } }, default: "red" }),
    closed_target: target({ tr: "Kapalıyken", en: "When closed" }, { place: "inbound", orNothing: true }),
    loud: yesOrNo({ tr: "Yüksek ses", en: "Loud" }, { default: false, option: "noisy", column: "is_loud" }),
  },
});

test("update, command, schema, form and documentation come from the description", () => {
  const changes: Changes<typeof kiosk> = { open_seconds: 30, closed_target: null, loud: true };
  // @ts-expect-error what is not described cannot be changed
  const wrong: Changes<typeof kiosk> = { hight: 3 };
  expect(() => assignments(kiosk, wrong, 3)).toThrow("not a column that may be set");
  expect(assignments(kiosk, changes, 3)).toMatchObject({
    list: '"open_seconds" = $3, "closed_target" = $4, "is_loud" = $5',
    values: [30, null, true],
  });
  expect(shownColumns(kiosk)).toContain('"is_loud" as "loud"');

  expect(settingsHelp(kiosk)).toContain("open-seconds   5 to 60: Stays open");
  expect(settingsHelp(kiosk)).toContain("noisy          yes or no: Loud");

  expect(changesSchema(kiosk)).toMatchObject({
    properties: { open_seconds: { minimum: 5, maximum: 60 }, name: { minLength: 1 }, loud: { type: "boolean" } },
  });
  expect(Object.keys((changesSchema(kiosk) as unknown as { properties: object }).properties)).toEqual(
    Object.keys(kiosk.fields),
  );

  expect(formOf(kiosk, "tr")).toMatchObject({
    open_seconds: { is: "whole", label: "Açık kalma", least: 5, most: 60 },
    colour: { is: "choice", options: [["red", "Kırmızı"]] },
    closed_target: { is: "target", place: "inbound", orNothing: true },
  });
  expect(Object.keys(formOf(kiosk, "en"))).toEqual(Object.keys(kiosk.fields));

  expect(settingsReference([kiosk])).toContain("| `open-seconds` | 5 to 60 | 20 | Stays open |");
});

test("roles and spoken languages are those that the database takes", async () => {
  const checkOf = async (table: string, column: string) =>
    (await columnsOf(table))
      .find(({ name }) => name === column)
      ?.check?.match(/'[^']+'/g)
      ?.map((it) => it.slice(1, -1));
  const staffRoles = Object.keys(roles) as (keyof typeof roles)[]; // of the record
  expect((await checkOf("staff", "role"))?.sort()).toEqual([...staffRoles].sort());
  expect((await checkOf("queues", "language"))?.sort()).toEqual(Object.keys(spoken).sort());
  for (const table of ["exchanges", "staff"])
    expect((await checkOf(table, "language"))?.sort()).toEqual([...LANGUAGES].sort());
});
