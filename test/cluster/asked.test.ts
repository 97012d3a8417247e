// What can be asked of npm run cluster, and what it asks before it installs anything.

import { expect, test } from "vitest";

type Machine = Record<string, (...words: never[]) => unknown>;

const { readWords, DRILLS } = (await import("../../bin/cluster-words.mjs" as string)) as {
  readWords(words: string[]): Record<string, unknown>;
  DRILLS: string[];
};
const { askFor } = (await import("../../bin/cluster-packages.mjs" as string)) as {
  askFor(asked: { yes: boolean }, machine: Machine): Promise<string | undefined>;
};

test("a cluster that stands, and a drill with its numbers", () => {
  expect(readWords([])).toEqual({ act: "stand", yes: false });
  expect(readWords(["--yes"])).toEqual({ act: "stand", yes: true });
  expect(readWords(["drill"])).toEqual({ act: "drill", yes: false, kills: 20, calls: 50 });
  const some = readWords(["drill", "--kills", "2", "--calls", "10", "--only", "kill,stop"]);
  expect(some).toEqual({ act: "drill", yes: false, kills: 2, calls: 10, only: ["kill", "stop"] });
  expect(readWords(["drill", "--only", DRILLS.join(",")])).toMatchObject({ only: DRILLS });
});

test.each([
  [["drills"], "is nothing"],
  [["drill", "twice"], "is nothing"],
  [["drill", "--kills", "none"], "--kills wants a number"],
  [["drill", "--calls", "0"], "--calls wants a number"],
  [["drill", "--only", "kill,fire"], 'no drill is called "fire"'],
  [["--kills", "3"], "only a drill"],
  [["--fast"], "--fast"],
])("%j is refused with how it is used", (words, why) => {
  const { wrong } = readWords(words);
  expect(wrong).toContain(why);
  expect(wrong).toContain("usage: npm run cluster");
});

/** Without Kamailio, but with a terminal at which somebody says yes. */
function machine(more: Machine = {}) {
  const seen = { installed: [] as string[], said: "" };
  const usual: Machine = {
    has: ({ package: name }: { package: string }) => name !== "kamailio",
    isDebian: () => true,
    isRoot: () => true,
    isTerminal: () => true,
    say: (text: string) => {
      seen.said += text;
    },
    ask: async () => "y",
    install: (names: string[]) => {
      seen.installed.push(...names);
      return true;
    },
  };
  return { seen, machine: { ...usual, ...more } };
}

test("what is missing is named with why, and installed only after a yes", async () => {
  const willing = machine();
  expect(await askFor({ yes: false }, willing.machine)).toBeUndefined();
  expect(willing.seen.installed).toEqual(["kamailio"]);
  expect(willing.seen.said).toContain("the SIP proxy at the edge");
  for (const answer of ["", "n", "no", "later"]) {
    const unwilling = machine({ ask: async () => answer });
    expect(await askFor({ yes: false }, unwilling.machine)).toBe("Nothing was installed.");
    expect(unwilling.seen.installed).toEqual([]);
  }
  const whole = machine({ has: () => true, ask: () => expect.unreachable() });
  expect(await askFor({ yes: false }, whole.machine)).toBeUndefined();
});

test.each([
  ["no terminal", { isTerminal: () => false }, "say --yes"],
  ["no Debian", { isDebian: () => false }, "no Debian"],
  ["no rights", { isRoot: () => false }, "no right to install"],
  ["no network", { install: () => false }, "could not be installed"],
])("with %s it says so, and what to do by hand", async (_, lack, why) => {
  const { machine: poor } = machine(lack);
  expect(await askFor({ yes: false }, poor)).toContain(why);
});

test("--yes needs no terminal", async () => {
  const silent = machine({ isTerminal: () => false, ask: () => expect.unreachable() });
  expect(await askFor({ yes: true }, silent.machine)).toBeUndefined();
  expect(silent.seen.installed).toEqual(["kamailio"]);
});
