// Every row of the interface's contract that can be asked for without a telephone, over a real socket.

import { afterAll, test } from "vitest";
import { exchangeWorld } from "../town/exchange-world.ts";
import { callRows, silentExchange } from "./conformance/calls.ts";
import { campaignRows } from "./conformance/campaigns.ts";
import { recordRows } from "./conformance/cdrs.ts";
import { contactRows } from "./conformance/contacts.ts";
import { encodingRows } from "./conformance/encodings.ts";
import { groupRows } from "./conformance/groups.ts";
import { keyRows } from "./conformance/keys.ts";
import { lineRows } from "./conformance/lines.ts";
import { recordingRows } from "./conformance/recordings.ts";
import { play } from "./conformance/row.ts";
import { settingRows } from "./conformance/settings.ts";
import { soundRows } from "./conformance/sounds.ts";
import { valueRows } from "./conformance/values.ts";

const world = await exchangeWorld({ exchange: await silentExchange() });
const tables = [
  keyRows,
  encodingRows,
  valueRows,
  callRows,
  lineRows,
  settingRows,
  groupRows,
  contactRows,
  recordRows,
  recordingRows,
  soundRows,
  campaignRows,
];
const rows = tables.flatMap((table) => table(world));

for (const row of rows) test(row.what, () => play(row, world));

afterAll(() => process.stdout.write(`conformance: ${rows.length} rows of the contract covered\n`));
