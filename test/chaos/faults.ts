// Everything that can be made to go wrong, a record each: how it begins, how it is over, and with what it does not mix.

import type { ServerResponse } from "node:http";
import { pause, realClock } from "../../src/clock.ts";
import { below, pick, type Random } from "../sip/sip-mutator.ts";
import { NO_FAULTS } from "./packets.ts";
import type { World } from "./world.ts";

/** What of the world it concerns: two at once never concern the same. */
export type Concerned = "server" | "database" | "disk" | "clock" | "network" | "receiver" | "carrier";

export type Fault = {
  concerns: readonly Concerned[];
  atMostSeconds: number;
  /** Why it cannot be had here; undefined when it can. */
  lacks?(world: World): string | undefined;
  begin(world: World, random: Random): void | Promise<void>;
  end?(world: World): void | Promise<void>;
};

const here = (world: World) => world.server().pid;

/** It may have ended by itself. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // nobody is there
  }
}

/** Those that were stopped, to be let go on. */
let stopped = 0;

const server = {
  kill: {
    concerns: ["server"],
    atMostSeconds: 1,
    begin: (world) => signal(here(world), "SIGKILL"),
  },
  "kill-both": {
    concerns: ["server", "database"],
    atMostSeconds: 4,
    async begin(world) {
      await world.database.kill();
      signal(here(world), "SIGKILL");
    },
    end: (world) => world.database.start(),
  },
  stop: {
    concerns: ["server"],
    atMostSeconds: 15,
    begin(world) {
      stopped = here(world);
      signal(stopped, "SIGSTOP");
    },
    end: () => signal(stopped, "SIGCONT"),
  },
  restart: {
    concerns: ["server"],
    atMostSeconds: 2,
    async begin(world) {
      await world.command("restart");
    },
  },
} satisfies Record<string, Fault>;

const database = {
  "database-kill": {
    concerns: ["database"],
    atMostSeconds: 5,
    begin: (world) => world.database.kill(),
    end: (world) => world.database.start(),
  },
  "database-freeze": {
    concerns: ["database"],
    atMostSeconds: 10,
    begin: (world) => world.proxy.freeze(),
    end: (world) => world.proxy.thaw(),
  },
  "database-lies": {
    concerns: ["database"],
    atMostSeconds: 6,
    begin: (world, random) => world.proxy.lose(() => random() < 0.25),
    end: (world) => world.proxy.lose(undefined),
  },
  "database-cut": {
    concerns: ["database"],
    atMostSeconds: 4,
    async begin(world, random) {
      for (let times = 1 + below(random, 4); times > 0; times--) {
        world.proxy.cut();
        await pause(realClock, random() * 800);
      }
    },
  },
} satisfies Record<string, Fault>;

const NO_COMPILER = "there is no C compiler";

const machine = {
  "disk-full": {
    concerns: ["disk", "database", "server"],
    atMostSeconds: 6,
    lacks: ({ disk }) => (disk ? undefined : NO_COMPILER),
    begin: ({ disk }) => disk?.set({ writes: true, syncs: false }),
    end: ({ disk }) => disk?.set({ writes: false, syncs: false }),
  },
  "disk-sync": {
    concerns: ["disk", "database", "server"],
    atMostSeconds: 6,
    lacks: ({ disk }) => (disk ? undefined : NO_COMPILER),
    begin: ({ disk }) => disk?.set({ writes: false, syncs: true }),
    end: ({ disk }) => disk?.set({ writes: false, syncs: false }),
  },
  clock: {
    concerns: ["clock"],
    atMostSeconds: 8,
    lacks: ({ clock }) => (clock ? undefined : "there is no faketime"),
    begin: ({ clock }, random) => clock?.set(pick(random, [-3_600, -60, -5, 5, 60, 3_600])),
    end: ({ clock }) => clock?.set(0),
  },
  packets: {
    concerns: ["network"],
    atMostSeconds: 10,
    begin({ packets }, random) {
      packets.faults = { lost: 0.25 * random(), late: 0.3 * random(), doubled: 0.3 * random() };
    },
    end({ packets }) {
      packets.faults = NO_FAULTS;
    },
  },
} satisfies Record<string, Fault>;

const GARBAGE = Buffer.from("\u0000\ufffd<html>{]\r\n\r\nHTTP/0.9 -1", "latin1");

/** How a customer's server answers who has no good day. */
const badAnswers: Record<string, (response: ServerResponse) => void> = {
  hangs: () => {},
  fails: (response) => void response.writeHead(500).end("no"),
  closes: (response) => void response.destroy(),
  drips(response) {
    response.writeHead(200, { "content-length": "40" });
    const drip = setInterval(() => void response.write("."), 400);
    response.on("close", () => clearInterval(drip));
  },
  babbles: (response) => void response.socket?.end(GARBAGE),
};

const others = {
  receiver: {
    concerns: ["receiver"],
    atMostSeconds: 12,
    begin({ events }, random) {
      events.answers = pick(random, Object.values(badAnswers));
    },
    end({ events }) {
      events.answers = (response) => void response.end("OK");
    },
  },
  carrier: {
    concerns: ["carrier"],
    atMostSeconds: 8,
    async begin({ smsc }, random) {
      const every = () => 2 + below(random, 5);
      await smsc.manner({ dropEvery: every(), throttleEvery: every(), doubleReceiptEvery: every(), answerMs: 200 });
      await smsc.hangUp();
    },
    end: ({ smsc }) => smsc.manner({ dropEvery: 0, throttleEvery: 0, doubleReceiptEvery: 0, answerMs: 0 }),
  },
} satisfies Record<string, Fault>;

export const faults: Readonly<Record<string, Fault>> = { ...server, ...database, ...machine, ...others };
