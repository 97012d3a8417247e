// Every operation of the console, asked by an administrator of one exchange with all he might know of another one.

import { afterEach, expect, test } from "vitest";
import { consoleApi } from "../../src/http/console/api.ts";
import { hasRight } from "../../src/nouns/role.ts";
import { fileRoutes } from "../town/console-files.ts";
import { candidatesFrom, ownCandidates } from "./candidates.ts";
import { call, consoleNeighbours, secrets } from "./console-neighbours.ts";
import { everyWayOfAsking, parametersFor } from "./from-schema.ts";
import { OUR_MARKER } from "./neighbours.ts";

const { theirs, fingerprintOf, expectHarmless, expectUntouched, askedFor, administrator, objects } =
  await consoleNeighbours();
const operations = Object.entries(consoleApi);
const candidates = { ...candidatesFrom(theirs), ...secrets };
afterEach(expectUntouched);

type Operation = (typeof operations)[number];

/** His own account and session may be changed by anybody; nothing else by him who may only read. */
const onlyReads = ([name, { right }]: Operation) =>
  hasRight({ role: "read-only", recordings: null, exports: null }, right) && !/^(session|totp)\./.test(name);

/** Whoever only looks at his exchange leaves it to the next. */
let reader: ReturnType<typeof administrator> | undefined;
const asker = (operation: Operation) => {
  if (!onlyReads(operation)) return administrator();
  reader ??= administrator();
  return reader;
};

test.each(operations)("%s reaches nothing of another exchange", async (...operation) => {
  const [name, { parameters: schema }] = operation;
  const { us, visitor } = await asker(operation);
  const own = ownCandidates(us, name);
  askedFor.length = 0;
  for (const parameters of everyWayOfAsking(schema, candidates, () => ({ ...own(), ...secrets }))) {
    const reply = await call(visitor, name, parameters);
    expectHarmless(`${name} ${JSON.stringify(parameters)}`, reply);
    expect(reply.text).not.toMatch(/"refused":"(not-your-role|password-must-change)"/);
  }
  expect(askedFor.filter((exchangeId) => exchangeId !== us.exchangeId)).toEqual([]);
});

test("asked for what is his own, the same words do find and change it", async () => {
  const { us, visitor } = await administrator();
  const before = await fingerprintOf(us.exchangeId);
  const own = { ...candidatesFrom(us), ...secrets };
  let shown = 0;
  for (const [name, { parameters }] of operations.filter(onlyReads)) {
    const { text } = await call(visitor, name, parametersFor(parameters, { candidates: own, optional: false }));
    if (text.includes(OUR_MARKER)) shown++;
  }
  expect(shown).toBeGreaterThan(20);
  const changes = { name: "renamed" };
  expect(await call(visitor, "staff.update", { id: us.id, changes })).toMatchObject({ status: 200 });
  expect((await fingerprintOf(us.exchangeId)).staff).not.toBe(before.staff);
});

test("sounds and tables to download are those of the own exchange", async () => {
  const { us, visitor } = await administrator();
  for (const { marker } of [us, theirs])
    for (const kind of ["recording", "message", "sound"])
      await objects.put(`${marker}/${kind}`, { bytes: Buffer.from(marker) });
  const ids = { recording: "uuid", voicemail: "uuid", announcement: "id" } as const;
  for (const [kind, handle] of Object.entries(ids) as [keyof typeof ids, "uuid" | "id"][]) {
    const own = await visitor.get(`/console/sound/${kind}/${us[handle]}`);
    expect({ status: own.status, text: await own.text() }).toEqual({ status: 200, text: OUR_MARKER });
    const foreign = await visitor.get(`/console/sound/${kind}/${theirs[handle]}`);
    expect(foreign.status).toBe(404);
    expectHarmless(`${kind} ${theirs[handle]}`, { status: foreign.status, text: await foreign.text() });
  }
  for (const query of ["", `?queue=${theirs.queue}`, `?exchangeId=${theirs.exchangeId}`, `?queue=${theirs.marker}`]) {
    const table = await visitor.get(`/console/calls.csv${query}`);
    expectHarmless(`calls.csv${query}`, { status: table.status, text: await table.text() });
  }
});

/** What files are asked for besides their paths. */
const A_DAY = { from: "2026-05-04T00:00:00Z", before: "2026-05-05T00:00:00Z" };

test("every file that a browser fetches by itself is of the own exchange, whatever stands in its path and query", async () => {
  const { visitor } = await administrator();
  const handles = [theirs.id, theirs.uuid, theirs.missedUuid, theirs.liveUuid, theirs.marker];
  const queries = [{}, { exchangeId: theirs.exchangeId }, { exchange_id: theirs.exchangeId }];
  const named = [{ queue: theirs.queue, trunk: theirs.trunk, extension: theirs.extension }, { id: theirs.id }];
  let isAnswered = 0;
  for (const route of await fileRoutes())
    for (const handle of route.includes(":") ? handles : [0])
      for (const query of [...queries, ...named]) {
        const words = new URLSearchParams({ ...A_DAY, by: "trunk" });
        for (const [name, value] of Object.entries(query)) words.set(name, String(value));
        const asked = `${route.replaceAll(/:\w+/g, String(handle))}?${words}`;
        const came = await visitor.get(asked);
        if (came.ok) isAnswered++;
        expectHarmless(asked, { status: came.status, text: await came.text() });
      }
  expect(isAnswered).toBeGreaterThan(20);
});
