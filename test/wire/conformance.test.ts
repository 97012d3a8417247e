// Every row of the interface's contract that concerns the administrative operations, over a real socket.

import { afterAll, test } from "vitest";
import { callRows } from "./conformance/calls.ts";
import { doorRows } from "./conformance/door.ts";
import { peopleRows } from "./conformance/people.ts";
import { play } from "./conformance/row.ts";
import { exchangeWorld } from "./exchange-world.ts";

const world = await exchangeWorld();
const rows = [...doorRows(world), ...peopleRows(world), ...callRows(world)];

for (const row of rows) test(row.what, () => play(row, world));

afterAll(() => process.stdout.write(`conformance: ${rows.length} rows of the contract covered\n`));
