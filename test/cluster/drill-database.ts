// The primary of PostgreSQL dies again and again while people write, pay and telephone: the promises of chaos hold.

import { pause, realClock } from "../../src/clock.ts";
import { lookAround, whenQuiet } from "../chaos/aftermath.ts";
import type { Deed } from "../chaos/history.ts";
import { openPackets } from "../chaos/packets.ts";
import { startPeople } from "../chaos/people.ts";
import { Person } from "../chaos/person.ts";
import { brokenPromises } from "../chaos/promises.ts";
import { furnish } from "../chaos/world.ts";
import { openReceiver } from "../customer/event-receiver.ts";
import { whenOver } from "../ground/when-over.ts";
import { seeded } from "../sip/sip-mutator.ts";
import { openSmsc } from "../smsc/open-smsc.ts";
import { type Cluster, openCluster } from "./cluster.ts";
import type { Row } from "./table.ts";

/** Between one death and the next, with a standby again. */
const LOAD_MS = 3_000;

export async function killPrimaries(times: number, say: (line: string) => void): Promise<Row[]> {
  const cluster = await openCluster({ say, env: { SANTRAL_LOG: "warn" } });
  const { db, database, firstRun, command, keys, nodes } = cluster;
  const http = nodes[0]!.http; // there are three
  const smsc = await openSmsc();
  whenOver(() => smsc.close());
  const world = { db, http, firstRun, command, smsc, events: await openReceiver({ repeats: "are one" }) };
  await furnish({ ...world, data: keys });
  const called = [await person(cluster, "2000"), await person(cluster, "3000")] as const;
  const deeds: Deed[] = [];
  let isOver = false;
  const people = startPeople({ world, deeds, random: seeded(1), isOver: () => isOver }, [
    called[0].number,
    called[1].number,
  ]);
  const away: number[] = [];
  for (let kill = 0; kill < times; kill++) {
    await pause(realClock, LOAD_MS + ((kill * 137) % 1_000));
    const beganMs = performance.now();
    await database.killPrimary();
    away.push(performance.now() - beganMs);
    await database.whole();
    say(
      `  ${kill + 1} of ${times}: another primary after ${Math.round(away.at(-1) ?? 0)} ms, ${deeds.length} deeds so far`,
    );
  }
  await pause(realClock, LOAD_MS);
  isOver = true;
  await people;
  const owed = (await Promise.all(nodes.map(({ data }) => whenQuiet({ db, http, data })))).flat();
  const broken = brokenPromises(deeds, await lookAround(world, owed));
  for (const it of broken.slice(0, 20)) say(`  broken: ${JSON.stringify(it)}`);
  const kept = deeds.filter(({ outcome }) => outcome === "done").length;
  const kinds = [...new Set(broken.map((it) => it.broken))].join(", ");
  return [
    {
      drill: `the primary of PostgreSQL killed under load, ${times} times`,
      required: "nothing acknowledged is lost, nothing twice",
      seen: `${kept} acknowledged of ${deeds.length}, ${broken.length} promises broken${kinds && ` (${kinds})`}`,
      met: broken.length === 0,
    },
  ];
}

async function person(cluster: Cluster, number: string): Promise<Person> {
  const made = await cluster.done("extension", "create", number, "max-calls=20", "--json");
  const { password } = JSON.parse(made) as { password: string };
  const [address = "", port] = cluster.edge.at.split(":");
  const somebody = await Person.open({
    ...{ number, password, domain: cluster.firstRun.exchange.sip_domain },
    server: { transport: "udp", address, port: Number(port) },
    packets: openPackets(seeded(2)),
    random: seeded(Number(number)),
  });
  whenOver(() => somebody.close());
  return somebody;
}
