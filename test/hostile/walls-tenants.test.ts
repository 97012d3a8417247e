// Functions of the store that know a row by its id alone, asked by a tenant for what is theirs: whoever forgets to look
// whose an id is comes to the database's own wall.

import { expect, test } from "vitest";
import { realClock } from "../../src/clock.ts";
import * as campaignReport from "../../src/store/campaign-report.ts";
import { untilNobodyIsDialled } from "../../src/store/campaigns.ts";
import { deleteMessage, messagesOf } from "../../src/store/mailboxes.ts";
import { tracesOf } from "../../src/store/sip-traces.ts";
import { cancelCampaign } from "../../src/store/sms-campaigns.ts";
import { searchMessages } from "../../src/store/sms-search.ts";
import * as smsStatus from "../../src/store/sms-status.ts";
import { dropTotpSecret } from "../../src/store/staff.ts";
import * as sessions from "../../src/store/staff-sessions.ts";
import { revokeTokensOfStaff } from "../../src/store/webphone-tokens.ts";
import { freshDatabase } from "../ground/database.ts";
import { secretsIn } from "./candidates.ts";
import { neighboursIn } from "./neighbours.ts";
import { type Call, call, inFull, result } from "./store-call.ts";
import { messageCalls } from "./store-calls-messages.ts";
import { setupCalls } from "./store-calls-setup.ts";
import { trafficCalls } from "./store-calls-traffic.ts";
import { byIdAlone } from "./store-without-exchange.ts";

const { db } = await freshDatabase();
const { theirs, ours, fingerprintOf } = await neighboursIn(db);
const us = await ours();
const untouched = await fingerprintOf(theirs.exchangeId);
const { id, uuid } = theirs;
const PAGE = { page: 1, limit: 100 };
const NOW = new Date();

/** Those that a door calls for a tenant; the others belong to the server's own rounds. */
const calls: Call[] = [
  call(campaignReport.readReport, id, PAGE),
  call(campaignReport.reportPieces, id),
  call(campaignReport.countCauses, id),
  call(untilNobodyIsDialled, realClock, id),
  call(messagesOf, id),
  call(deleteMessage, id, uuid),
  call(tracesOf, uuid),
  call(cancelCampaign, id, id, NOW),
  call(searchMessages, id, { ...PAGE, dest: "", states: [] }),
  call(smsStatus.findCampaign, { accountId: id, id }),
  call(smsStatus.listStatuses, { campaignId: id, dests: [], greaterThan: 0, limit: 100 }),
  call(smsStatus.statusesOf, id, [id, id + 1]),
  call(smsStatus.allSentBefore, { titleId: id, dests: ["905320007766"], texts: [theirs.marker], since: new Date(0) }),
  call(sessions.listSessions, id),
  call(sessions.endSession, id, id),
  call(sessions.endSessionsOf, id),
  call(dropTotpSecret, id),
  call(revokeTokensOfStaff, id),
];

test.each(calls.map((it) => [it.asked.name, it] as const))("%s finds nothing behind the wall", async (_, asked) => {
  const given = await result(db.forExchange(us.exchangeId), asked);
  expect(secretsIn(inFull(given), theirs, "")).toEqual([]);
  expect(await fingerprintOf(theirs.exchangeId)).toEqual(untouched);
});

test("without a wall they would have", async () => {
  expect(inFull(await result(db, call(messagesOf, id)))).toContain(uuid);
  expect(inFull(await result(db, call(sessions.listSessions, id)))).toContain(theirs.marker);
});

test("all of them are known to go by an id alone", () => {
  const known = new Set(byIdAlone.map(([asked]) => asked));
  expect(calls.filter(({ asked }) => !known.has(asked)).map(({ asked }) => asked.name)).toEqual([]);
});

test("told their exchange from behind our wall, no function of the store finds or changes anything there", async () => {
  // Asked as if we were they: every exchange id is theirs, and only the wall is ours.
  const asThem = [
    ...setupCalls({ us: theirs, them: theirs }),
    ...trafficCalls({ us: theirs, them: theirs }),
    ...messageCalls({ us: theirs, them: theirs }),
  ];
  for (const asked of asThem) {
    const what = `${asked.asked.name}(${inFull(asked.with)})`;
    const given = await result(db.forExchange(us.exchangeId), asked).catch((error: unknown) => String(error));
    expect(secretsIn(inFull(given), theirs, inFull(asked.with)), what).toEqual([]);
    expect(await fingerprintOf(theirs.exchangeId), what).toEqual(untouched);
  }
});
