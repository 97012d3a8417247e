// The process that is killed: carries short calls one after the other and says what is safely written.

import { randomUUID } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openArrears } from "../../src/arrears/arrears.ts";
import { pause, realClock } from "../../src/clock.ts";
import type { CallFacts } from "../../src/exchange/calls/call-facts.ts";
import { openJournal } from "../../src/exchange/journal/journal.ts";
import { catchUp, recoverCalls } from "../../src/exchange/journal/recovery.ts";
import { journalParts } from "../../src/exchange/recordings/journal-parts.ts";
import { adoptLeftovers, recordingIn } from "../../src/exchange/recordings/leftovers.ts";
import { startWorkers } from "../../src/jobs/workers.ts";
import { silentLog } from "../../src/log.ts";
import { wavHeader } from "../../src/media/wav.ts";
import { openObjects } from "../../src/objects/objects.ts";
import { openDatabase } from "../../src/store/db.ts";
import { deliverEvents } from "../../src/webhooks/deliver.ts";
import { openRequester } from "../../src/webhooks/requester.ts";
import { DELIVER_EVENT } from "../../src/webhooks/tell.ts";
import { secrets } from "../ground/secrets.ts";

const [connection, exchangeId, folder] = process.argv.slice(2) as [string, string, string];
const clock = realClock;
const db = openDatabase(connection, clock);
const objects = await openObjects(join(folder, "objects"));
const recordings = join(folder, "recordings");
await mkdir(recordings, { recursive: true });
const arrears = await openArrears({ folder: join(folder, "arrears"), clock, node: "crash" }).stream("calls");
const parts = journalParts({ db, clock, log: silentLog, node: "crash", objects, recordings, arrears });
console.log("begins -");
await catchUp(parts);
console.log("caught-up -");
await recoverCalls(parts);
await adoptLeftovers({ db, log: silentLog, objects, folder: recordings });
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
    await record(facts);
    await journal.closed(facts, { endMs: clock.wall(), cause: "ORIGINATOR_CANCEL", by: "caller", legs: [] });
    console.log(`closed ${facts.uuid}`);
  }
}

/** A second of sound lies complete in the folder of recordings before the call ends, as the disk thread leaves it. */
async function record(facts: CallFacts): Promise<void> {
  const path = recordingIn(recordings, facts.uuid);
  const dataBytes = 16_000;
  await writeFile(
    path,
    Buffer.concat([wavHeader({ rate: 8_000, channels: 1, dataBytes }), Buffer.alloc(dataBytes, 1)]),
  );
  facts.recordingPath = path;
  console.log(`recorded ${facts.uuid}`);
}

function newCall(): CallFacts {
  return {
    uuid: randomUUID(),
    exchangeId: Number(exchangeId),
    direction: "inbound",
    origin: "phone",
    startMs: clock.wall(),
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
