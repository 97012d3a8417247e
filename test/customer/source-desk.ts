// An exchange that has contacts from outside: its sources, their runs, and what came of them.

import { type Clock, realClock } from "../../src/clock.ts";
import { synchroniseContacts } from "../../src/contacts/synchronise.ts";
import type { RunningJob } from "../../src/jobs/handler.ts";
import { silentLog } from "../../src/log.ts";
import { inThisThread } from "../../src/readers/task.ts";
import {
  createContactSource,
  listContactSources,
  type NewSource,
  type SourceRow,
} from "../../src/store/contact-sources.ts";
import type { Database } from "../../src/store/db.ts";
import { createExchange } from "../../src/store/exchanges.ts";
import { sql } from "../../src/store/sql.ts";
import { openRequester, type Requester } from "../../src/webhooks/requester.ts";
import { secrets } from "../ground/secrets.ts";
import { whenOver } from "../ground/when-over.ts";

export type SourceDesk = {
  exchangeId: number;
  add(source: NewSource, name?: string): Promise<number>;
  run(sourceId: number, signal?: AbortSignal): Promise<SourceRow>;
  state(sourceId: number): Promise<SourceRow>;
  /** Name, surname and numbers of all contacts, by name. */
  people(): Promise<string[]>;
};

let exchanges = 0;

type DeskOptions = {
  clock?: Clock;
  requester?: Requester;
  /** One that is there already. */
  exchangeId?: number;
};

export async function openSourceDesk(db: Database, options: DeskOptions = {}): Promise<SourceDesk> {
  const { clock = realClock, requester, exchangeId = await newExchange(db) } = options;
  const own = requester ?? openRequester({ clock, privateAllowed: true });
  if (!requester) whenOver(async () => own.close());
  const handler = synchroniseContacts({ db, secrets, clock, log: silentLog, requester: own, readers: inThisThread });

  async function state(sourceId: number): Promise<SourceRow> {
    const found = (await listContactSources(db, exchangeId)).find(({ id }) => id === sourceId);
    if (!found) throw new Error(`there is no source ${sourceId}`);
    return found;
  }

  return {
    exchangeId,
    state,
    async add(source, called = "outside") {
      const made = await createContactSource(db, secrets, {
        exchangeId,
        name: called,
        source,
        at: new Date(clock.wall()),
      });
      if ("refused" in made) throw new Error(made.refused);
      return made.id;
    },
    async run(sourceId, signal = new AbortController().signal) {
      const job: RunningJob = { id: 1, attempt: 1, lane: null, signal };
      await handler.run({ exchangeId, sourceId } as never, job);
      return state(sourceId);
    },
    async people() {
      const rows = await db.query<{ shown: string }>(
        sql`select concat_ws(' ', name, nullif(surname, ''), phone, phone1, phone2) as shown from contacts where exchange_id = $1
         order by name, id`,
        [exchangeId],
      );
      return rows.map(({ shown }) => shown);
    },
  };
}

async function newExchange(db: Database): Promise<number> {
  const name = `sources-${exchanges++}`;
  const made = await createExchange(db, secrets, { name, sipDomain: `${name}.example.com` });
  if ("refused" in made) throw new Error(made.refused);
  return made.id;
}
