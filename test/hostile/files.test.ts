// The zoo of files: what anybody may bring, small and good, then made by hand to do harm, then spoilt from seeds, each sent
// through the doors that take its kind to a whole server whose first thread, memory, threads and drafts are watched.

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test, vi } from "vitest";
import { openContactFiles } from "../customer/contact-files.ts";
import { childrenOf } from "../ground/children.ts";
import { eventually } from "../ground/eventually.ts";
import { seeded } from "../sip/sip-mutator.ts";
import { visitorAt } from "../town/console-town.ts";
import { type RealTown, realTown } from "../town/real-town.ts";
import { type Door, doorsTo } from "./file-doors.ts";
import { type Complaint, flood, floodOf, mistakesIn, SEED } from "./flood.ts";
import { type FileKind, type GoodFiles, goodFiles } from "./good-files.ts";
import { monsters } from "./monster-files.ts";
import { spoiltFile } from "./spoilt-files.ts";
import { megabytesOf, threadsOf } from "./threads-of.ts";
import { expectShort, turnWatch } from "./watched-server.ts";

const COUNT = floodOf(30);
const isLong = process.env.SANTRAL_FUZZ !== undefined;
vi.setConfig({ testTimeout: 300_000 + COUNT * 2_000, hookTimeout: 240_000 });

const BOSS = { email: "boss@example.com", password: "kept by nobody but me" };
const FAX_NUMBER = "908505323333";
/** Threads that read have their memory in the same process, and the system takes it back when it pleases. */
const MOST_MEGABYTES = 900;

const watch = turnWatch();
let town: RealTown;
let good: GoodFiles;
let doors: Record<FileKind, readonly Door[]>;
let before: { threads: number; children: number };

beforeAll(async () => {
  const making = goodFiles();
  town = await realTown({ ...watch.env, SANTRAL_PRIVATE_WEBHOOKS: "on" });
  await town.command("number", "create", FAX_NUMBER, "fax");
  await town.command("staff", "create", BOSS.email, "Patron", "--role", "administrator", "--password", BOSS.password);
  const base = `http://${town.santral.run.http}`;
  const visitor = visitorAt(base);
  expect((await visitor.signIn(BOSS)).status).toBe(200);
  doors = doorsTo({ visitor, base, key: town.firstRun.exchange.key, web: await openContactFiles() });
  good = await making;
});

const turns = () => watch.turnsOf(town.santral.child);
const kinds = () => Object.keys(good) as FileKind[];

/** What is still there when everything has been answered: none of it may grow with what was sent. */
async function expectNothingLeft(): Promise<void> {
  const { pid } = town.santral.run;
  await eventually("no thread, program or draft is left", async () => {
    const drafts = readdirSync(join(town.data, "objects", ".scratch"), { recursive: true, withFileTypes: true });
    return (
      !drafts.some((it) => it.isFile()) && threadsOf(pid) <= before.threads && childrenOf(pid).length <= before.children
    );
  });
  expect(megabytesOf(pid)).toBeLessThan(MOST_MEGABYTES);
  expect(mistakesIn(town.santral.output())).toEqual([]);
}

test("every good file is taken at a door for its kind, in the long form at every one", async () => {
  for (const [at, kind] of kinds().entries())
    for (const { name, send } of isLong ? doors[kind] : [doors[kind][at % doors[kind].length]!])
      expect({ kind, name, came: await send(good[kind]) }).toEqual({
        kind,
        name,
        came: { is: "taken", words: expect.any(String) },
      });
  before = { threads: threadsOf(town.santral.run.pid), children: childrenOf(town.santral.run.pid).length };
});

test("files that were made to take for ever keep no call waiting, and are taken or refused in words", async () => {
  await turns();
  const all: number[] = [];
  for (const { kind, what, bytes } of monsters.filter(({ isDear }) => isLong || !isDear)) {
    const [door] = doors[kind];
    const came = await door!.send(bytes());
    expect({ what, came }).toEqual({
      what,
      came: { is: expect.stringMatching(/^(taken|refused)$/), words: expect.any(String) },
    });
    const took = await turns();
    expect({ what, longest: took.at(-1) ?? 0 }).toEqual({ what, longest: expect.toSatisfy((it: number) => it < 100) });
    all.push(...took);
  }
  expectShort(all.sort((one, other) => one - other));
  await expectNothingLeft();
});

test(`${COUNT} spoilt files are taken or refused in words at every door, and nothing stays of them`, async () => {
  await turns();
  const seen = new Map<string, number>();
  const wrong = await flood(COUNT, async ({ below, pick }): Promise<Complaint> => {
    const kind = pick(kinds());
    const door = pick(doors[kind]);
    const bytes = spoiltFile(seeded(below(2 ** 31)), kind, good);
    const came = await door.send(bytes);
    seen.set(`${kind} ${came.is}`, (seen.get(`${kind} ${came.is}`) ?? 0) + 1);
    return came.is === "wrong" ? `${kind} at ${door.name}: ${came.words}` : undefined;
  });
  const took = await turns();
  if (process.env.SANTRAL_FUZZ)
    console.log({
      SEED,
      seen: Object.fromEntries(seen),
      p99: took[Math.floor(took.length * 0.99)],
      longest: took.at(-1),
    });
  expect(wrong).toEqual([]);
  expectShort(took);
  await expectNothingLeft();
});
