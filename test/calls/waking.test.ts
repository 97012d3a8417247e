// A call for somebody whose web phone is closed: his browser is told, and he is waited for while it rings.

import { describe, expect, test } from "vitest";
import type { CallNote } from "../../src/push/note.ts";
import { sql } from "../../src/store/sql.ts";
import { townWith } from "../town/town.ts";
import type { QueueSetup, TownSetup } from "../town/town-setup.ts";

const by = { doer: "queue", who: "" } as const;

type Town = Awaited<ReturnType<typeof townWith>>;

const desks = {
  "1000": { name: "Ayşe" },
  "1001": { noAnswerSeconds: 20, forwardUnreachable: "1002" },
  "1002": {},
};

const members = [{ extension: "1001" }, { extension: "1002" }];

/** 1001 has a browser that waits to be told; `browsers`: how many of them a push service takes a note for. */
async function wakingTown(setup: TownSetup = {}, browsers = 1) {
  const told: string[] = [];
  const wake = async ({ extension }: { extension: string }, { is, name, number }: CallNote) => {
    told.push(`${extension} ${is} ${name} ${number}`);
    return browsers;
  };
  const town = await townWith({ desks, wake, ...setup });
  await offerBrowser(town, "1001");
  return { town, told };
}

async function offerBrowser({ db, exchangeId, settled }: Town, extension: string): Promise<void> {
  await db.query(
    sql`with owner as (
       insert into staff (exchange_id, name, email, role, password_hash, extension_id)
       select exchange_id, number, number || '-' || exchange_id || '@example.com', 'agent', 'none', id
       from extensions where exchange_id = $1 and number = $2 returning id
     ), session as (
       insert into staff_sessions (staff_id, token_hash, created_at, last_seen_at, expires_at, address, browser)
       select id, sha256(id::text::bytea), now(), now(), now() + interval '1 day', '', '' from owner returning id
     )
     insert into push_subscriptions (exchange_id, session_id, endpoint_hash, sealed, language)
     select $1, id, sha256(id::text::bytea), '', 'tr' from session`,
    [exchangeId, extension],
  );
  await settled();
}

/** 1001 opens his phone, talks to Ann, and was told both. */
async function comesAndAnswers(town: Town, ann: ReturnType<Town["phone"]>, told: readonly string[]): Promise<void> {
  const bob = town.phone("1001");
  await bob.answers();
  await town.talksWith(ann, bob);
  await ann.hangsUp();
  await town.isQuiet();
  expect(told).toEqual(["1001 ringing Ayşe 1000", "1001 answered Ayşe 1000"]);
}

test("a closed phone is told who calls, the caller hears it ring, and the phone that opens is rung and answers", async () => {
  const { town, told } = await wakingTown();
  const ann = town.phone("1000");
  await ann.calls("1001");
  await town.until("Ann hears it ring", () => ann.seen.includes("ringing"));
  expect(told).toEqual(["1001 ringing Ayşe 1000"]);
  await town.pass({ seconds: 18 });
  const bob = town.phone("1001");
  await bob.rings();
  // However late it came, there is time to pick up.
  await town.pass({ seconds: 10 });
  await bob.answers();
  await town.talksWith(ann, bob);
  await ann.hangsUp();
  await town.isQuiet();
  expect(told.slice(1)).toEqual(["1001 answered Ayşe 1000"]);
});

test("who does not come is out of reach when the time is over, and is told what he missed", async () => {
  const { town, told } = await wakingTown();
  const [ann, carl] = [town.phone("1000"), town.phone("1002")];
  const began = town.clock.wall();
  await ann.calls("1001");
  await town.until("it goes on to 1002", () => carl.seen.includes("is rung"), 30_000);
  expect(town.clock.wall() - began).toBeGreaterThanOrEqual(20_000);
  expect(town.clock.wall() - began).toBeLessThan(20_500);
  expect(told).toEqual(["1001 ringing Ayşe 1000", "1001 missed Ayşe 1000"]);
  await ann.hangsUp();
  await town.isQuiet();
});

test("a caller who gives up leaves a missed call, and nobody is rung any more", async () => {
  const { town, told } = await wakingTown();
  const ann = town.phone("1000");
  await ann.calls("1001");
  await town.until("Ann hears it ring", () => ann.seen.includes("ringing"));
  await ann.hangsUp();
  await town.isQuiet();
  const bob = town.phone("1001");
  await town.pass({ seconds: 5 });
  expect(bob.seen).toEqual([]);
  expect(told).toEqual(["1001 ringing Ayşe 1000", "1001 missed Ayşe 1000"]);
});

test("where no browser took the note the call goes on at once", async () => {
  const { town } = await wakingTown({}, 0);
  const [ann, carl] = [town.phone("1000"), town.phone("1002")];
  const began = town.clock.wall();
  await ann.calls("1001");
  await carl.rings();
  expect(town.clock.wall() - began).toBeLessThan(500);
  await ann.hangsUp();
  await town.isQuiet();
});

test("beside a desk phone that rings, the web phone that opens rings too; the first that answers has it", async () => {
  const { town, told } = await wakingTown();
  const [ann, desk] = [town.phone("1000"), town.phone("1001")];
  await ann.calls("1001");
  await desk.rings();
  const web = town.another("1001");
  await web.rings();
  await web.answers();
  await town.talksWith(ann, web);
  await town.until("the desk phone is quiet", () => desk.seen.some((it) => it.startsWith("ended")));
  await ann.hangsUp();
  await town.isQuiet();
  expect(told).toEqual(["1001 ringing Ayşe 1000", "1001 answered Ayşe 1000"]);
});

test("a page that sleeps beside its connection is waited for as one that is closed", async () => {
  const { town, told } = await wakingTown();
  const [ann, old] = [town.phone("1000"), town.another("1001")];
  await town.unplug(old);
  town.silent.add(old.destination.address);
  await ann.calls("1001");
  await town.until("Ann hears it ring", () => ann.seen.includes("ringing"));
  await town.pass({ seconds: 12 });
  await comesAndAnswers(town, ann, told);
});

test.each([false, true])(
  "a page that is closed in the moment when it shall ring is waited for as one that was closed before (it took the INVITE: %s)",
  async (takesInvites) => {
    const { town, told } = await wakingTown();
    const ann = town.phone("1000");
    town.closing.add("1001");
    if (takesInvites) town.pagesTakeInvites();
    await ann.calls("1001");
    await town.until("Ann hears it ring", () => ann.seen.includes("ringing"));
    await comesAndAnswers(town, ann, told);
  },
);

test("a page whose connection breaks as it shall ring is waited for, though nobody has noted yet that it is gone", async () => {
  const { town, told } = await wakingTown();
  const ann = town.phone("1000");
  town.openPages.add("1001");
  await ann.calls("1001");
  await town.until("Ann hears it ring", () => ann.seen.includes("ringing"));
  await comesAndAnswers(town, ann, told);
});

test("a page that is closed while it rings is waited for from that moment on", async () => {
  const { town, told } = await wakingTown();
  const ann = town.phone("1000");
  town.pagesTakeInvites();
  town.openPages.add("1001");
  await ann.calls("1001");
  await town.pass({ seconds: 10 });
  expect(told).toEqual([]);
  town.closesPage("1001");
  await town.until("he is told", () => told.length > 0, 200);
  await comesAndAnswers(town, ann, told);
});

test("a page that is open rings by itself, and nobody is told", async () => {
  const { town, told } = await wakingTown();
  const ann = town.phone("1000");
  town.pagesTakeInvites();
  town.openPages.add("1001");
  await ann.calls("1001");
  await town.pass({ seconds: 10 });
  expect(told).toEqual([]);
  await ann.hangsUp();
  await town.isQuiet();
  expect(told).toEqual([]);
});

test("a page that is closed while it rings: the next one rings on, and answers", async () => {
  const town = await townWith({ desks });
  const ann = town.phone("1000");
  town.pagesTakeInvites();
  town.openPages.add("1001");
  await ann.calls("1001");
  await town.pass({ seconds: 3 });
  town.openPages.delete("1001");
  await town.pass({ seconds: 2 });
  const next = town.phone("1001");
  await next.rings();
  await next.answers();
  await town.talksWith(ann, next);
  await ann.hangsUp();
  await town.isQuiet();
});

test("a page that is closed while it rings, and is followed by none, is out of reach five seconds later", async () => {
  const town = await townWith({ desks });
  const [ann, carl] = [town.phone("1000"), town.phone("1002")];
  town.pagesTakeInvites();
  town.openPages.add("1001");
  await ann.calls("1001");
  await town.pass({ seconds: 3 });
  expect(carl.seen).toEqual([]);
  town.openPages.delete("1001");
  await town.pass({ seconds: 4 });
  expect(carl.seen).toEqual([]);
  await town.pass({ seconds: 2 });
  await carl.rings();
  await ann.hangsUp();
  await town.isQuiet();
});

test("do not disturb wakes nobody, alone or in a group", async () => {
  const { town, told } = await wakingTown({
    desks: { ...desks, "1001": { dnd: true } },
    groups: { "700": { strategy: "sequential", members } },
  });
  const [ann, carl] = [town.phone("1000"), town.phone("1002")];
  await ann.calls("1001");
  await town.until("Ann is told", () => ann.seen.some((it) => it.startsWith("ended")));
  await ann.calls("700");
  await carl.rings();
  await ann.hangsUp();
  await town.isQuiet();
  expect(told).toEqual([]);
});

test("one after the other: who must open his phone is told in his turn, the next rings meanwhile, and he still gets it", async () => {
  const { town, told } = await wakingTown({ groups: { "700": { strategy: "sequential", members } } });
  const [ann, carl] = [town.phone("1000"), town.phone("1002")];
  const began = town.clock.wall();
  await ann.calls("700");
  await carl.rings();
  expect(town.clock.wall() - began).toBeLessThan(500);
  expect(told).toEqual(["1001 ringing Ayşe 1000"]);
  await town.pass({ seconds: 5 });
  const bob = town.phone("1001");
  await bob.answers();
  await town.talksWith(ann, bob);
  await town.until("Carl's phone is quiet", () => carl.seen.some((it) => it.startsWith("ended")));
  await ann.hangsUp();
  await town.isQuiet();
  expect(told.slice(1)).toEqual(["1001 answered Ayşe 1000"]);
});

test("one after the other: nobody is told before his turn, and all who sleep are waited for together, once", async () => {
  const sleepers = ["1001", "1003"].map((extension) => ({ extension }));
  const { town, told } = await wakingTown({
    desks: { ...desks, "1003": {} },
    groups: { "700": { strategy: "sequential", ringSeconds: 20, members: [{ extension: "1002" }, ...sleepers] } },
  });
  await offerBrowser(town, "1003");
  const [ann, carl] = [town.phone("1000"), town.phone("1002")];
  await ann.calls("700");
  await carl.rings();
  const began = town.clock.wall();
  await town.pass({ seconds: 18 });
  expect(told).toEqual([]);
  await town.until("Ann is told", () => ann.seen.some((it) => it.startsWith("ended")), 60_000);
  expect(town.clock.wall() - began).toBeLessThan(41_000);
  expect(told.slice(0, 2)).toEqual(["1001 ringing Ayşe 1000", "1003 ringing Ayşe 1000"]);
  expect(told.slice(2)).toEqual(["1001 missed Ayşe 1000", "1003 missed Ayşe 1000"]);
  await town.isQuiet();
});

test("in a group that rings all at once somebody else answers: no missed call", async () => {
  const { town, told } = await wakingTown({ groups: { "700": { strategy: "simultaneous", members } } });
  const [ann, carl] = [town.phone("1000"), town.phone("1002")];
  await ann.calls("700");
  await carl.answers();
  await town.talksWith(ann, carl);
  await ann.hangsUp();
  await town.isQuiet();
  expect(told).toEqual(["1001 ringing Ayşe 1000", "1001 answered Ayşe 1000"]);
});

describe("a queue", () => {
  const FAR = "905321234567";
  const queueOf = (strategy: NonNullable<QueueSetup["strategy"]>, more: Partial<QueueSetup> = {}): TownSetup => ({
    desks: { ...desks, "1003": {} },
    target: "queue/200",
    queues: { "200": { members: ["1001", "1002", "1003"], strategy, ringSeconds: 20, ...more } },
  });
  const callsIn = async (town: Town) => {
    const far = town.phone(FAR);
    await far.calls("08505320000");
    await town.until("the queue takes the call", () => far.seen.includes("answered"));
    return far;
  };
  const seen = (told: string[]) => told.map((it) => it.split(" ").slice(0, 2).join(" "));

  test("tells an agent whose phone is closed, and whoever opens it gets the caller", async () => {
    const { town, told } = await wakingTown(queueOf("longest-idle"));
    const far = await callsIn(town);
    await town.until("he is told", () => told.length > 0);
    await town.pass({ seconds: 30 });
    expect(told).toEqual([`1001 ringing  ${FAR.replace(/^90/, "0")}`]);
    const bob = town.phone("1001");
    await bob.answers();
    await town.talksWith(far, bob);
    await far.hangsUp();
    await town.isQuiet();
    expect(seen(told)).toEqual(["1001 ringing", "1001 answered"]);
    expect(town.diary.records[0]?.facts.story).toContainEqual(
      expect.objectContaining({ is: "wakes", extension: "1001", browsers: 1 }),
    );
  });

  test("rings whoever is there first; only when he lets it pass others are told, one after the other", async () => {
    const { town, told } = await wakingTown(queueOf("sequential", { mostMisses: 1 }));
    await offerBrowser(town, "1003");
    const carl = town.phone("1002");
    const far = await callsIn(town);
    await carl.rings();
    await town.pass({ seconds: 15 });
    expect(told).toEqual([]);
    await town.until("Bob is told", () => told.length > 0, 30_000);
    await town.pass({ seconds: 15 });
    expect(seen(told)).toEqual(["1001 ringing"]);
    await town.pass({ seconds: 8 });
    expect(seen(told)).toEqual(["1001 ringing", "1003 ringing"]);
    await far.hangsUp();
    await town.isQuiet();
    expect(seen(told).slice(2)).toEqual(["1001 missed", "1003 missed"]);
  });

  test("that rings all at once tells them while it rings the others, and stays with who answers", async () => {
    const { town, told } = await wakingTown(queueOf("simultaneous"));
    const carl = town.phone("1002");
    const far = await callsIn(town);
    await carl.rings();
    expect(seen(told)).toEqual(["1001 ringing"]);
    await carl.answers();
    await town.talksWith(far, carl);
    expect(seen(told)).toEqual(["1001 ringing", "1001 answered"]);
    await far.hangsUp();
    await town.isQuiet();
  });

  test("tells nobody on a break or logged out; where no browser took the note, the next is told at once", async () => {
    const { town, told } = await wakingTown(queueOf("sequential"), 0);
    for (const extension of ["1002", "1003"]) await offerBrowser(town, extension);
    await town.queues.request({ exchangeId: town.exchangeId, extension: "1001", request: "giveBreak", by });
    const far = await callsIn(town);
    await town.until("both are told", () => told.length === 2);
    expect(seen(told)).toEqual(["1002 ringing", "1003 ringing"]);
    await far.hangsUp();
    await town.isQuiet();
    told.length = 0;
    await town.queues.request({ exchangeId: town.exchangeId, extension: "1002", request: "logOut", by });
    const again = await callsIn(town);
    await town.pass({ seconds: 5 });
    expect(seen(told)).toEqual(["1003 ringing"]);
    await again.hangsUp();
    await town.isQuiet();
  });

  test("tells an agent whose phone is closed of a callback as well, and rings him once he has opened it", async () => {
    const { town, told } = await wakingTown(queueOf("longest-idle", { members: ["1001"], callbackKey: "5" }));
    const far = await callsIn(town);
    await far.presses("5");
    await town.pass({ seconds: 2 });
    await far.hangsUp();
    await town.pass({ seconds: 5 });
    // Of the caller, and of his place once the caller had left.
    const number = FAR.replace(/^90/, "0");
    const [ringing, missed] = ["ringing", "missed"].map((is) => `1001 ${is}  ${number}`);
    expect(told).toEqual([ringing, ringing, missed]);
    const bob = town.phone("1001");
    await bob.answers();
    await far.answers();
    await town.talksWith(bob, far);
    await far.hangsUp();
    await town.isQuiet();
    expect(seen(told).slice(3)).toEqual(["1001 answered"]);
  });
});
