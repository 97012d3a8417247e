// Keys that an operation does not have: whoever sends one is refused, and nothing happens, to nobody.

import { afterEach, expect, test } from "vitest";
import { consoleApi } from "../../src/http/console/api.ts";
import { ownCandidates } from "./candidates.ts";
import { call, consoleNeighbours, secrets } from "./console-neighbours.ts";
import { type Parameters, parametersFor, withExtraKeys } from "./from-schema.ts";

const { theirs, fingerprintOf, administrator } = await consoleNeighbours();
const operations = Object.entries(consoleApi);
// One for all: nothing that is asked here happens.
const { us, visitor } = await administrator();
const everything = async () => ({
  ours: await fingerprintOf(us.exchangeId),
  theirs: await fingerprintOf(theirs.exchangeId),
});
let before = await everything();
afterEach(async () => {
  const [was, now] = [before, await everything()];
  before = now;
  expect(now, "something happened").toEqual(was);
});

/** Keys that no operation has: other owners, other rights, what lies behind objects, and SQL. */
const extra: [key: string, value: unknown][] = [
  ["exchangeId", theirs.exchangeId],
  ["exchange_id", theirs.exchangeId],
  ["id", theirs.id],
  ["staffId", theirs.id],
  ["role", "administrator"],
  ["password_hash", "scrypt$"],
  ["ha1_md5", "0".repeat(32)],
  ["__proto__", { exchangeId: theirs.exchangeId }],
  ["constructor", { prototype: { exchangeId: theirs.exchangeId } }],
  ["toString", "x"],
  ["name = (select string_agg(encode(key_hash, 'hex'), ',') from api_keys), name", "x"],
  ["name\" = 'x', \"name", "x"],
];

test.each(operations)("%s takes no key that its schema does not name", async (name, { parameters: schema }) => {
  // Only what must be there, and of the own: nothing but the key can be what is wrong.
  const own = { ...ownCandidates(us, name)(), ...secrets };
  const valid = parametersFor(schema, { candidates: own, optional: false });
  const taken: string[] = [];
  for (const { where, key, parameters } of withExtraKeys(schema, valid, extra)) {
    const { status, text } = await call(visitor, name, parameters);
    if (status !== 400 || !text.includes('"refused":"invalid"')) taken.push(`${where}/${key}: ${status} ${text}`);
  }
  expect(taken.map((it) => it.slice(0, 150))).toEqual([]);
});

const STEAL_KEYS = "name = (select string_agg(encode(key_hash, 'hex'), ',') from api_keys), name";

/** Attacks that once worked, word by word. `mine` are the handles of whoever attacks. */
const attacks: [what: string, operation: string, parameters: (mine: { id: number; external: string }) => Parameters][] =
  [
    [
      "an administrator for somebody else",
      "staff.create",
      () => ({
        name: "Eve",
        email: "eve@example.com",
        role: "administrator",
        extension: null,
        exchangeId: theirs.exchangeId,
      }),
    ],
    [
      "a rule for somebody else's calls",
      "rules.create",
      () => ({
        name: "detour",
        prefix: "90",
        priority: 1,
        trunk: null,
        callerId: null,
        exchangeId: theirs.exchangeId,
      }),
    ],
    [
      "a rule of somebody else moved",
      "rules.move",
      () => ({ id: theirs.id, up: false, exchangeId: theirs.exchangeId }),
    ],
    [
      "an account that moves to another exchange",
      "staff.update",
      ({ id }) => ({ id, changes: { exchange_id: theirs.exchangeId } }),
    ],
    [
      "SQL as a column of an extension",
      "extensions.update",
      () => ({ number: "1000", changes: { [STEAL_KEYS]: "x" } }),
    ],
    [
      "SQL as a column of a new extension",
      "extensions.create",
      () => ({ number: "4711", changes: { [STEAL_KEYS]: "x" } }),
    ],
    ["SQL as a column of an account", "staff.update", ({ id }) => ({ id, changes: { [STEAL_KEYS]: "x" } })],
    ["SQL as a column of the settings", "settings.update", () => ({ changes: { [STEAL_KEYS]: "x" } })],
    ["SQL as a column of a queue", "queues.update", () => ({ number: "200", changes: { [STEAL_KEYS]: "x" } })],
    ["SQL as a column of a group", "groups.update", () => ({ number: "700", changes: { [STEAL_KEYS]: "x" } })],
    ["SQL as a column of a menu", "menus.update", () => ({ number: "10", changes: { [STEAL_KEYS]: "x" } })],
    ["SQL as a column of a trunk", "trunks.update", () => ({ name: "hat", changes: { [STEAL_KEYS]: "x" } })],
    [
      "SQL as a column of a mailbox",
      "mailboxes.update",
      () => ({ number: "1000", changes: { [STEAL_KEYS.replaceAll("name", "greeting_text")]: "x" } }),
    ],
    [
      "SQL as a column of an external number",
      "numbers.update",
      ({ external }) => ({ number: external, changes: { [STEAL_KEYS.replaceAll("name", "description")]: "x" } }),
    ],
  ];

test.each(attacks)("%s: %s is refused", async (_, name, parameters) => {
  const { status, text } = await call(visitor, name, parameters(us));
  expect({ status, text }).toEqual({ status: 400, text: expect.stringContaining('"refused":"invalid"') });
});
