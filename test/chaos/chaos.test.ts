// People telephone, write and pay while whatever can go wrong does, by a plan made of a seed; afterwards every promise is
// held against what they were told. SANTRAL_CHAOS_MINUTES, SANTRAL_CHAOS_SEED, SANTRAL_CHAOS_ONLY=kill,stop.

import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeAll, expect, test, vi } from "vitest";
import { pause, realClock } from "../../src/clock.ts";
import { whenOver } from "../ground/when-over.ts";
import { seeded } from "../sip/sip-mutator.ts";
import { lookAround, whenQuiet } from "./aftermath.ts";
import { type Fault, faults } from "./faults.ts";
import type { Broken, Deed, Found } from "./history.ts";
import { startPeople } from "./people.ts";
import { Person } from "./person.ts";
import { brokenPromises } from "./promises.ts";
import { keepTalking } from "./talkers.ts";
import { begin, type Happened, planned } from "./weather.ts";
import { expectDone, openWorld, type World } from "./world.ts";

/** Short enough for every change; hours by choice. */
const MINUTES = Number(process.env.SANTRAL_CHAOS_MINUTES ?? 0.5);
const SEED = Number(process.env.SANTRAL_CHAOS_SEED ?? 1);
const ONLY = process.env.SANTRAL_CHAOS_ONLY?.split(",");
/** The log and the history are kept, also when nothing was broken. */
const KEEPS = process.env.SANTRAL_CHAOS_KEEP !== undefined;
const PAIRS = Number(process.env.SANTRAL_CHAOS_PAIRS ?? 4);

vi.setConfig({ testTimeout: MINUTES * 60_000 + 600_000, hookTimeout: 300_000 });

const random = seeded(SEED);
let world: World;
let pairs: [Person, Person][];

beforeAll(async () => {
  world = await openWorld(seeded(SEED + 1));
  pairs = [];
  for (let pair = 0; pair <= PAIRS; pair++) pairs.push([await person(2_000, pair), await person(3_000, pair)]);
});

/** The first two only answer. Who ordered their call may not know of it, when he got no answer: then nobody parts them. */
const ONLY_ANSWERS_MS = 40_000;

async function person(group: number, pair: number): Promise<Person> {
  const number = String(group + pair);
  const made = await expectDone(world.command("extension", "create", number, "max-calls=20", "--json"));
  const { password } = JSON.parse(made) as { password: string };
  const server = { transport: "udp" as const, address: "127.0.0.1", port: world.sipPort };
  const { sip_domain: domain } = world.firstRun.exchange;
  const somebody = await Person.open({
    number,
    password,
    domain,
    server,
    packets: world.packets,
    random: seeded(Number(number)),
    talksMs: pair === 0 ? ONLY_ANSWERS_MS : undefined,
  });
  whenOver(() => somebody.close());
  return somebody;
}

test(`whatever happens in ${MINUTES} minutes, every promise is kept (seed ${SEED})`, async () => {
  for (const name of ONLY ?? [])
    if (!faults[name]) throw new Error(`no fault is called ${name}: ${Object.keys(faults)}`);
  const possible = Object.fromEntries(Object.entries(faults).filter(([name, fault]) => isPossible(name, fault)));
  const plan = planned(random, possible, MINUTES * 60);
  console.log(
    `seed ${SEED}, ${plan.map((it) => `${it.name} ${it.fromSeconds.toFixed(1)}-${it.toSeconds.toFixed(1)}`).join(", ")}`,
  );
  const deeds: Deed[] = [];
  const weather = begin(plan, { world, faults, random: seeded(SEED + 2) });
  let isOver = false;
  const needs = { world, deeds, weather, isOver: () => isOver };
  const [ordered, ...talking] = pairs;
  const ends = async () => {
    await pause(realClock, MINUTES * 60_000);
    await weather.over;
    isOver = true;
  };
  await Promise.all([
    ends(),
    startPeople({ ...needs, random: seeded(SEED + 3) }, [ordered![0].number, ordered![1].number]), // there is one more than pairs
    ...talking.map((pair, at) => keepTalking(pair, { ...needs, random: seeded(SEED + 100 + at) })),
  ]);
  const owed = await whenQuiet(world);
  const found = await lookAround(world, owed);
  const broken = brokenPromises(deeds, found);
  console.log(tableOf(deeds, found, weather.happened));
  if (broken.length > 0 || KEEPS) keep(broken, { deeds, found, happened: weather.happened });
  expect(broken, `promises broken with seed ${SEED}`).toEqual([]);
});

function isPossible(name: string, fault: Fault): boolean {
  if (ONLY && !ONLY.includes(name)) return false;
  const why = fault.lacks?.(world);
  if (why !== undefined) console.log(`without ${name}: ${why}`);
  return why === undefined;
}

function tableOf(deeds: Deed[], found: Found, happened: Happened[]): string {
  const counted = (of: Deed[]) =>
    (["done", "unknown", "refused"] as const).map((it) => of.filter(({ outcome }) => outcome === it).length);
  const kinds = ["call", "order", "contact", "message", "blacklist", "consent", "credit"] as const;
  const there: Partial<Record<Deed["is"], number>> = {
    call: found.calls.length,
    contact: found.contacts.length,
    message: found.messages.length,
    credit: found.credit.bought.length,
  };
  const lines = kinds.map((kind) => {
    const [done, unknown, refused] = counted(deeds.filter(({ is }) => is === kind));
    return `${kind.padEnd(10)} ${done} acknowledged, ${unknown} without an answer, ${refused} refused${there[kind] === undefined ? "" : `; ${there[kind]} found`}`;
  });
  const names = happened.map(({ name }) => name).sort();
  const waits = deeds.filter(({ is }) => is === "call").sort((one, other) => tookMs(other) - tookMs(one));
  const longest = waits.slice(0, 3).map((it) => `${Math.round(tookMs(it) / 1_000)} s (${it.outcome})`);
  lines.push(`the longest calls: ${longest.join(", ")}`);
  const faced = `${happened.length} faults: ${names.join(" ")}`;
  return [...lines, `${found.events.length} events`, faced, "what the server said:", ...saidMost()].join("\n");
}

const tookMs = ({ fromMs, toMs }: Deed) => toMs - fromMs;

const MOST_SAID = 16;

/** Its warnings and errors, the most frequent first: faults that nobody noticed were none. */
function saidMost(): string[] {
  const times = new Map<string, number>();
  for (const line of world.supervised.output().split("\n")) {
    const said = /"level":(?:40|50|60|"warn"|"error"|"fatal").*"msg":"([^"]+)"/.exec(line)?.[1];
    if (said !== undefined) times.set(said, (times.get(said) ?? 0) + 1);
  }
  const most = [...times].sort(([, one], [, other]) => other - one).slice(0, MOST_SAID);
  return most.map(([said, count]) => `  ${count} x ${said}`);
}

/** Where it can be looked at once this is over. */
function keep(broken: Broken[], facts: { deeds: Deed[]; found: Found; happened: Happened[] }): void {
  const folder = resolve("data", `chaos-${SEED}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "server.log"), world.supervised.output());
  writeFileSync(join(folder, "history.json"), JSON.stringify({ broken, ...facts }, undefined, 1));
  console.log(
    `${broken.length} promises were broken; the server's log and the history are in ${folder}\n${broken.map((it) => JSON.stringify(it)).join("\n")}`,
  );
}
