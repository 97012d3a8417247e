// Starts a fax office as a process of its own, and talks with it.

import { type ChildProcess, fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import type { FaxDemands } from "../../src/exchange/features/faxes/run-fax.ts";
import type { FaxEvent } from "../../src/media/fax/fax-engine.ts";
import type { Faxed, SendOrder, SipDoor } from "./office.ts";
import type { FromOffice, ToOffice } from "./office-program.ts";

export type OfficeProcess = {
  door: SipDoor;
  /** Kept once a call to the number would be taken; what became of that call is kept when it is over. */
  expect(dial: string, wanted: FaxDemands): Promise<{ over: Promise<Faxed> }>;
  send(order: SendOrder): Promise<Faxed>;
  signalFaxMachines(signal: NodeJS.Signals): void;
  close(): Promise<void>;
};

/** Inside the project, so that packages left out of the bundle are found. */
const FOLDER = join("node_modules", ".cache", "fax-office");

export async function buildOffice(): Promise<string> {
  mkdirSync(FOLDER, { recursive: true });
  // Test files that run at the same time are threads of one process, and each throws its own away.
  const program = join(FOLDER, `office-${randomUUID()}.mjs`);
  await build({
    entryPoints: ["test/fax/office-program.ts"],
    outfile: program,
    logLevel: "silent",
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
  });
  return program;
}

export async function startOffice(program: string, address: string): Promise<OfficeProcess> {
  const child = fork(program, [address], { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const waiting = new Map<number, Waiting>();
  const door = await new Promise<SipDoor>((resolve, reject) => {
    child.once("exit", (code) => {
      const closed = new Error(`the office closed with ${code}`);
      for (const { broke } of waiting.values()) broke(closed);
      reject(closed);
    });
    child.on("message", (message: FromOffice) => {
      if (message.is === "open") resolve(message.door);
      else hear(waiting.get(message.number), message);
    });
  });
  let last = 0;
  const ask = (order: Order, on: Pick<Waiting, "event" | "expecting"> = {}) =>
    new Promise<Faxed>((over, broke) => {
      const number = ++last;
      waiting.set(number, { ...on, over, broke });
      child.send({ ...order, number });
    });
  return {
    door,
    expect: (dial, { hear: event, ...wanted }) =>
      new Promise((resolve, reject) => {
        const expecting = () => resolve({ over });
        const over = ask({ do: "receive", dial, wanted }, { event, expecting });
        over.catch(reject);
      }),
    send({ wanted: { hear: event, ...wanted }, ...order }) {
      return ask({ do: "send", order: { ...order, wanted } }, { event });
    },
    signalFaxMachines: (signal) =>
      void child.send({ do: "signalFaxMachines", signal, number: ++last } satisfies ToOffice),
    close: () => closed(child),
  };
}

type Order = ToOffice extends infer One ? (One extends { number: number } ? Omit<One, "number"> : never) : never;
type Waiting = {
  event?: ((event: FaxEvent) => void) | undefined;
  expecting?(): void;
  over(faxed: Faxed): void;
  broke(error: Error): void;
};

function hear(waiting: Waiting | undefined, message: Exclude<FromOffice, { is: "open" }>): void {
  if (message.is === "event") waiting?.event?.(message.event);
  else if (message.is === "expecting") waiting?.expecting?.();
  else if (message.is === "over") waiting?.over(message.faxed);
  else waiting?.broke(new Error(message.why));
}

function closed(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once("exit", () => resolve());
    child.disconnect();
  });
}
