import { describe, expect, test } from "vitest";
import { type CallCentre, workThrough } from "../../../../test/pacing/call-centre.ts";
import { ABANDONED_CAP, bestRatio, meanUtilisation, paced } from "../../../../test/pacing/diallers.ts";
import { callsToStart, nothingSeen, type PacingState, type Seen, sawAttempt, sawTalk } from "./pacing.ts";

const atRest: PacingState = {
  freeAgents: 5,
  busyAgents: 0,
  ringing: 0,
  waiting: 0,
  up: 0,
  multiplier: 3,
  room: 100,
  served: 0,
  abandoned: 0,
  cap: ABANDONED_CAP,
  seen: nothingSeen,
};

/** Of `attempts`, every `each`th answered after 10 seconds, and talked for two minutes. */
function seenAfter(attempts: number, each: number): Seen {
  let seen = nothingSeen;
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const answered = attempt % each === 0;
    seen = sawAttempt(seen, { answered, seconds: answered ? 10 : 25, up: 0 });
    if (answered) seen = sawTalk(seen, { seconds: 120, up: 0 });
  }
  return seen;
}

describe("a campaign that knows nothing yet", () => {
  test("dials one call for each free agent", () => {
    expect(callsToStart(atRest)).toBe(5);
    expect(callsToStart({ ...atRest, ringing: 2, up: 2 })).toBe(3);
    expect(callsToStart({ ...atRest, waiting: 5, up: 5 })).toBe(0);
  });

  test("dials nobody when no agent is there", () => {
    expect(callsToStart({ ...atRest, freeAgents: 0 })).toBe(0);
    expect(callsToStart({ ...atRest, freeAgents: 0, busyAgents: 5, up: 5 })).toBe(0);
  });
});

describe("a campaign that has seen some calls", () => {
  const experienced = { ...atRest, multiplier: 20, served: 200, seen: seenAfter(1_000, 5) };

  test("dials more calls than agents, because few are answered", () => {
    expect(callsToStart(experienced)).toBeGreaterThan(10);
    expect(callsToStart(experienced)).toBeGreaterThan(callsToStart({ ...experienced, seen: seenAfter(400, 2) }));
  });

  test("stays within the customer's limit and the free channels", () => {
    expect(callsToStart({ ...experienced, multiplier: 2 })).toBe(10);
    expect(callsToStart({ ...experienced, multiplier: 2, up: 7, ringing: 7 })).toBe(3);
    expect(callsToStart({ ...experienced, room: 4 })).toBe(4);
    expect(callsToStart({ ...experienced, room: 0 })).toBe(0);
  });

  test("becomes careful when people have found no agent, and at the cap dials hardly more than it has agents for", () => {
    const good = callsToStart({ ...experienced, served: 1_000 });
    const fair = callsToStart({ ...experienced, served: 975, abandoned: 25 });
    const poor = callsToStart({ ...experienced, served: 960, abandoned: 40 });
    expect(good).toBeGreaterThan(fair);
    expect(fair).toBeGreaterThan(poor);
    expect(poor).toBeGreaterThanOrEqual(5);
    expect(poor).toBeLessThan(12);
  });

  test("dials ahead for a large crew that is all on the phone, but not for a small one", () => {
    const talking = { ...experienced, freeAgents: 0, served: 2_000 };
    expect(callsToStart({ ...talking, busyAgents: 200, up: 200 })).toBeGreaterThan(20);
    expect(callsToStart({ ...talking, busyAgents: 3, up: 3 })).toBe(0);
  });

  test("does not make up at one go for what it has spared people so far", () => {
    const state = { ...experienced, freeAgents: 2, multiplier: 1_000, room: 1_000, served: 100_000 };
    expect(callsToStart(state)).toBeLessThan(30);
  });

  test("counts callers who wait already: they come first", () => {
    expect(callsToStart({ ...experienced, waiting: 4 })).toBeLessThan(callsToStart({ ...experienced, waiting: 1 }) / 2);
  });
});

test("what was seen long ago is forgotten", () => {
  let seen = seenAfter(1_000, 10);
  for (let call = 0; call < 800; call++) seen = sawAttempt(seen, { answered: call % 2 === 0, seconds: 8, up: 0 });
  expect(seen.answers / seen.attempts).toBeGreaterThan(0.35);
});

// The long form, with 200 agents and more kinds of customers, is bench/pacing.ts.
test.each([
  { agents: 5, answerRates: [0.25], hours: 4, seeds: [1, 2, 3] },
  { agents: 5, answerRates: [0.5], hours: 4, seeds: [1, 2, 3] },
  { agents: 30, answerRates: [0.8], hours: 2, seeds: [1, 2] },
  { agents: 30, answerRates: [0.15, 0.6], hours: 2, seeds: [1, 2] },
])(
  "$agents agents, $answerRates answer: under the cap every day, and as busy as with the best fixed ratio",
  ({ seeds, ...kind }) => {
    const days = seeds.map(
      (seed): CallCentre => ({ ...kind, ringSeconds: 12, talkSeconds: 120, patienceSeconds: 2, seed }),
    );
    const ours = days.map((day) => workThrough(day, paced()));
    for (const { share } of ours) expect(share).toBeLessThanOrEqual(ABANDONED_CAP);
    expect(meanUtilisation(ours)).toBeGreaterThanOrEqual(meanUtilisation(bestRatio(days, ABANDONED_CAP).days));
  },
);

test("when most agents go to lunch at once, the rest of the day makes up for it", () => {
  const day = workThrough(
    {
      agents: 30,
      answerRates: [0.3],
      ringSeconds: 12,
      talkSeconds: 90,
      hours: 2,
      patienceSeconds: 2,
      seed: 4,
      away: { agents: 22, fromSeconds: 3_000, toSeconds: 4_500 },
    },
    paced(),
  );
  expect(day.share).toBeLessThanOrEqual(ABANDONED_CAP);
  expect(day.utilisation).toBeGreaterThan(0.7);
});
