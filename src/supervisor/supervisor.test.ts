import { expect, test } from "vitest";
import { testClock } from "../../test/ground/test-clock.ts";
import { exitCodes } from "../exit-codes.ts";
import type { ToServer, ToSupervisor } from "./messages.ts";
import { type End, openSupervisor } from "./supervisor.ts";

/** A supervisor whose servers are told when to die. */
function supervised() {
  const clock = testClock();
  const told: ToServer[] = [];
  const said: string[] = [];
  const ran: string[][] = [];
  const state = { started: 0, killed: 0, held: false, exitCode: undefined as number | undefined };
  let server: { onMessage(message: ToSupervisor): void; onEnd(end: End): void } | undefined;
  const supervisor = openSupervisor({
    clock,
    startServer(hear) {
      state.started++;
      server = hear;
      return {
        pid: state.started,
        tell: (message) => void told.push(message),
        isHeld: () => state.held,
        kill() {
          state.killed++;
          hear.onEnd({ signal: "SIGKILL" });
        },
      };
    },
    run(command) {
      if (command[0] === "nothing") throw new Error("nothing cannot be started");
      ran.push(command);
      return 4711;
    },
    say: (_, text) => void said.push(text),
    done: (exitCode) => {
      state.exitCode = exitCode;
    },
  });
  return {
    ...{ clock, told, said, ran, state },
    signal: supervisor.signal,
    says: (message: ToSupervisor) => server?.onMessage(message),
    ends: (end: End) => server?.onEnd(end),
    /** Answers each ping for so long. */
    lives(seconds: number, debugged = false) {
      for (let second = 0; second < seconds; second++) {
        if (told.splice(0).some(({ is }) => is === "ping")) server?.onMessage({ is: "alive", debugged });
        clock.pass(1_000);
      }
    },
  };
}

const KILLED = { signal: "SIGKILL" } as const;

test("a server that is killed is started again at once, and later and later when it dies again and again", () => {
  const { clock, state, ends, said } = supervised();
  for (const pauseMs of [0, 250, 1_000, 5_000, 5_000, 5_000]) {
    const before = state.started;
    ends(KILLED);
    clock.pass(Math.max(0, pauseMs - 1));
    if (pauseMs > 0) expect(state.started).toBe(before);
    clock.pass(1);
    expect(state.started).toBe(before + 1);
  }
  expect(said).toHaveLength(6);
});

test("one that was ready for a while starts with a clean sheet, however long its start took", () => {
  const { clock, state, ends, says } = supervised();
  ends(KILLED);
  clock.pass(0);
  ends(KILLED);
  clock.pass(250);
  clock.pass(60_000);
  ends(KILLED);
  clock.pass(999);
  expect(state.started).toBe(3);
  clock.pass(1);
  says({ is: "ready" });
  clock.pass(3_000);
  ends(KILLED);
  clock.pass(0);
  expect(state.started).toBe(5);
});

test("one that says that it cannot go on is left alone, and its exit code is ours", () => {
  for (const code of [0, exitCodes.usage, exitCodes.newerSchema, exitCodes.inUse]) {
    const { state, says, ends, clock } = supervised();
    says({ is: "ready" });
    ends({ code });
    clock.pass(60_000);
    expect(state).toMatchObject({ started: 1, exitCode: code });
    expect(clock.waiting()).toBe(0);
  }
});

test("a first start that fails is looked at by whoever made it; a server that has run is started again", () => {
  const first = supervised();
  first.ends({ code: exitCodes.failed });
  expect(first.state).toMatchObject({ started: 1, exitCode: exitCodes.failed });

  const later = supervised();
  later.says({ is: "ready" });
  later.ends({ code: exitCodes.failed });
  later.clock.pass(0);
  expect(later.state).toMatchObject({ started: 2, exitCode: undefined });
  later.ends({ code: exitCodes.failed }); // the database is away, for one
  later.clock.pass(250);
  expect(later.state).toMatchObject({ started: 3, exitCode: undefined });
});

test("one that asks for the next process gets it at once and is no death", () => {
  const { state, says, ends, said } = supervised();
  says({ is: "ready" });
  for (let times = 0; times < 5; times++) ends({ code: exitCodes.again });
  expect(state.started).toBe(6);
  expect(said).toEqual([]);
});

test("a server that hangs is killed after half a minute and started again", () => {
  const { clock, state, says, lives, said } = supervised();
  says({ is: "ready" });
  lives(600);
  expect(state).toMatchObject({ started: 1, killed: 0 });
  clock.pass(24_000);
  expect(state.killed).toBe(0);
  clock.pass(12_000);
  expect(state).toMatchObject({ started: 2, killed: 1 });
  expect(said).toEqual(["the server hangs and is killed", "the server has died and is started again"]);
});

test("a start may take as long as its migrations take", () => {
  const { clock, state } = supervised();
  clock.pass(3_600_000);
  expect(state).toMatchObject({ started: 1, killed: 0 });
});

test("a server that somebody has stopped, or looks at in a debugger, does not hang", () => {
  const stopped = supervised();
  stopped.says({ is: "ready" });
  stopped.lives(10);
  stopped.state.held = true;
  stopped.clock.pass(3_600_000);
  expect(stopped.state.killed).toBe(0);
  stopped.state.held = false; // goes on, and hangs
  stopped.clock.pass(40_000);
  expect(stopped.state.killed).toBe(1);

  const debugged = supervised();
  debugged.says({ is: "ready" });
  debugged.lives(10, true);
  debugged.clock.pass(3_600_000);
  expect(debugged.state.killed).toBe(0);
});

test("signals are passed on with their number, the third one kills, and what ends then is not started again", () => {
  const { state, signal, told } = supervised();
  signal("SIGTERM");
  signal("SIGINT");
  expect(told).toEqual([
    { is: "signal", signal: "SIGTERM", count: 1 },
    { is: "signal", signal: "SIGINT", count: 2 },
  ]);
  signal("SIGINT");
  expect(state).toMatchObject({ started: 1, killed: 1, exitCode: 137 });
});

test("told to stop while it waits for the next start, it ends", () => {
  const { state, signal, ends, clock } = supervised();
  ends(KILLED);
  clock.pass(0);
  ends(KILLED);
  signal("SIGTERM");
  clock.pass(60_000);
  expect(state).toMatchObject({ started: 2, exitCode: 0 });
});

test("it starts what the server asks for, and says why when it cannot", () => {
  const { says, told, ran } = supervised();
  says({ is: "run", id: 1, command: ["postgres", "-D", "pg"], log: "pg.log" });
  says({ is: "run", id: 2, command: ["nothing"], log: "pg.log" });
  expect(ran).toEqual([["postgres", "-D", "pg"]]);
  expect(told).toEqual([
    { is: "ran", id: 1, pid: 4711, error: undefined },
    { is: "ran", id: 2, pid: undefined, error: "nothing cannot be started" },
  ]);
});
