// The process that is killed: carries short calls one after the other and says what is safely written.

import { randomUUID } from "node:crypto";
import { pause, realClock } from "../../src/clock.ts";
import type { CallFacts } from "../../src/exchange/calls/call-facts.ts";
import { openJournal } from "../../src/exchange/journal/journal.ts";
import { recoverCalls } from "../../src/exchange/journal/recovery.ts";
import { journalParts } from "../../src/exchange/recordings/journal-parts.ts";
import { startWorkers } from "../../src/jobs/workers.ts";
import { silentLog } from "../../src/log.ts";
import { openObjects } from "../../src/objects/objects.ts";
import { openDatabase } from "../../src/store/db.ts";
import { deliverEvents } from "../../src/webhooks/deliver.ts";
import { openRequester } from "../../src/webhooks/requester.ts";
import { DELIVER_EVENT } from "../../src/webhooks/tell.ts";
import { secrets } from "../ground/secrets.ts";

const [connection, exchangeId, folder] = process.argv.slice(2) as [string, string, string];
const clock = realClock;
const db = openDatabase(connection, clock);
const objects = await openObjects(folder);
const parts = journalParts({ db, clock, log: silentLog, node: "crash", objects });
await recoverCalls(parts);
const journal = openJournal(parts);
const requester = openRequester({ clock, privateAllowed: true });
await startWorkers({
  db,
  clock,
  log: silentLog,
  handlers: { [DELIVER_EVENT]: deliverEvents({ db, secrets, clock, requester }) },
});
await Promise.all(Array.from({ length: 20 }, carryCalls));

async function carryCalls(): Promise<void> {
  for (;;) {
    const facts = newCall();
    journal.opened(facts);
    journal.rang(facts);
    await journal.kept(facts.uuid);
    console.log(`opened ${facts.uuid}`);
    await pause(clock, 30 + Math.random() * 50);
    await journal.closed(facts, { endMs: clock.now(), cause: "ORIGINATOR_CANCEL", by: "caller", legs: [] });
    console.log(`closed ${facts.uuid}`);
  }
}

function newCall(): CallFacts {
  return {
    uuid: randomUUID(),
    exchangeId: Number(exchangeId),
    direction: "inbound",
    origin: "phone",
    startMs: clock.now(),
    callerNumber: "905321234567",
    callerName: "",
    outboundCallerId: "",
    destinationNumber: "1001",
    destinationName: "",
    dialedUser: "1001",
    connectedUser: "",
    queueWaitSeconds: 0,
    story: [],
  };
}
