// The calls of the drills: a crowd that speaks with the edge over UDP, TCP and TLS, a pair of baresip, and a carrier; each
// call with its record and its events.

import { pause, realClock, within } from "../../src/clock.ts";
import { sql } from "../../src/store/sql.ts";
import { type EventReceiver, openReceiver } from "../customer/event-receiver.ts";
import { whenOver } from "../ground/when-over.ts";
import { type Crowd, openCrowd, type Talk } from "../phones/crowd.ts";
import { openCarrier } from "./carrier.ts";
import { type Cluster, doorFor, TRANSPORTS } from "./cluster.ts";
import { type ForeignPair, openForeignPair } from "./foreign-pair.ts";

/** `outside`: numbers of a carrier. */
export type Callers = { crowd: Crowd; foreign: ForeignPair; outside: string[]; events: EventReceiver };

/** Of a crowd that is not smaller. */
const OUTSIDE = 3;

export async function openCallers(cluster: Cluster, calls: number): Promise<Callers> {
  const { key, sip_domain: domain } = cluster.firstRun.exchange;
  const events = await openReceiver({ repeats: "are one" });
  const told = { key, ringing: "on", answered: "on", hangup: "on", notification_url: events.url };
  const answer = await fetch(`${cluster.nodes[0]!.http}/crm_integrations`, {
    method: "POST",
    body: new URLSearchParams(told),
  });
  if (answer.status !== 200) throw new Error(`events are not told: ${await answer.text()}`);
  await cluster.done("exchange", "set", "record-internal=yes", "record-outbound=yes");
  const [first, ...more] = TRANSPORTS.map((transport) => {
    const [address = "", port] = doorFor(cluster, transport).split(":");
    return { transport, address, port: Number(port) };
  });
  const crowd = await openCrowd({
    calls,
    domain,
    server: [first!, ...more], // there are three
    extension: async (number) => {
      const made = await cluster.done("extension", "create", number, "max-calls=100", "--json");
      return (JSON.parse(made) as { password: string }).password;
    },
  });
  whenOver(() => crowd.close());
  const outside = await openCarrier(cluster, Math.min(OUTSIDE, Math.floor(calls / 4)));
  return { crowd, foreign: await openForeignPair(cluster), outside, events };
}

/** The last of them outside. */
export async function connect({ crowd, outside }: Callers, calls: number): Promise<Talk[]> {
  const inside = await crowd.connect(calls - outside.length);
  return [...inside, ...(await crowd.callEchoes(outside))];
}

export type Called = { caller: string; callee: string };

/** What of so many calls is wrong once they are over; nothing, as it should be. */
export type Wrong = string[];

const RECORDS_WITHIN_MS = 60_000;

/** Of those after that record: each has one record, its events once and in order, and nothing is up any more. */
export async function recordsOf(
  cluster: Cluster,
  events: EventReceiver,
  talks: readonly Called[],
  after: number,
): Promise<Wrong> {
  const id = cluster.firstRun.exchange.id;
  let wrong: Wrong = [];
  for (const end = within(realClock, RECORDS_WITHIN_MS); realClock.ticks() < end; await pause(realClock, 500)) {
    const rows = await cluster.db.query<Found>(
      sql`select call_uuid as uuid, caller_id_number as caller, destination_number as callee from cdrs
       where exchange_id = $1 and id > $2`,
      [id, after],
    );
    const up = await cluster.db.query(sql`select call_uuid from live_calls`);
    wrong = [...recordsWrong(rows, talks), ...eventsWrong(rows, events), ...up.map(() => "a call is still up")];
    if (wrong.length === 0) break;
  }
  return wrong;
}

/** The last there is. */
export async function lastRecord({ db }: Cluster): Promise<number> {
  const [row] = await db.query<{ last: number }>(sql`select coalesce(max(id), 0)::int as last from cdrs`);
  return row?.last ?? 0;
}

/** Of what comes from now on. */
export function eventsFromNow({ events }: Callers): EventReceiver {
  const before = events.events.length;
  return {
    ...events,
    of: (uuid) => events.events.slice(before).flatMap((it) => (it.call_uuid === uuid ? (it.event_type ?? "") : [])),
  };
}

type Found = Called & { uuid: string };

/** Whoever calls the same one several times has as many records. */
function recordsWrong(rows: readonly Found[], talks: readonly Called[]): Wrong {
  const pairs = new Set(talks.map(({ caller, callee }) => `${caller} to ${callee}`));
  return [...pairs].flatMap((pair) => {
    const made = talks.filter(({ caller, callee }) => `${caller} to ${callee}` === pair).length;
    const found = rows.filter(({ caller, callee }) => `${caller} to ${callee}` === pair).length;
    return found === made ? [] : [`${pair}: ${made} calls, ${found} records`];
  });
}

function eventsWrong(rows: readonly Found[], events: EventReceiver): Wrong {
  return rows.flatMap(({ uuid, caller, callee }) => {
    const told = events.of(uuid).join(" ");
    return told === "ringing answer hangup" ? [] : [`${caller} to ${callee}: events ${told || "none"}`];
  });
}
