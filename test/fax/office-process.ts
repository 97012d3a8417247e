// Starts a fax office as a process of its own, and talks with it.

import { type ChildProcess, fork } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import type { FaxWishes } from "../../src/exchange/faxes/fax-line.ts";
import type { FaxEvent } from "../../src/media/fax/fax-engine.ts";
import type { Faxed, SendOrder, SipDoor } from "./office.ts";
import type { FromOffice, ToOffice } from "./office-program.ts";

export type OfficeProcess = {
  door: SipDoor;
  receives(dial: string, wishes: FaxWishes): Promise<Faxed>;
  send(order: SendOrder): Promise<Faxed>;
  killFaxMachines(): void;
  close(): Promise<void>;
};

/** Inside the project, so that packages left out of the bundle are found. */
const FOLDER = join("node_modules", ".cache", "fax-office");

export async function buildOffice(): Promise<string> {
  mkdirSync(FOLDER, { recursive: true });
  const program = join(FOLDER, `office-${process.pid}.mjs`);
  await build({
    ...{ entryPoints: ["test/fax/office-program.ts"], outfile: program, logLevel: "silent" },
    ...{ bundle: true, platform: "node", format: "esm", packages: "external" },
  });
  return program;
}

export async function startOffice(program: string, address: string): Promise<OfficeProcess> {
  const child = fork(program, [address], { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const waiting = new Map<number, Waiting>();
  const door = await new Promise<SipDoor>((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`the office closed with ${code}`)));
    child.on("message", (message: FromOffice) => {
      if (message.is === "open") resolve(message.door);
      else hear(waiting.get(message.number), message);
    });
  });
  let last = 0;
  const ask = (order: Order, onEvent?: (event: FaxEvent) => void) =>
    new Promise<Faxed>((resolve, reject) => {
      const number = ++last;
      waiting.set(number, { resolve, reject, onEvent });
      child.send({ ...order, number });
    });
  return {
    door,
    receives: (dial, { hear: onEvent, ...wishes }) => ask({ do: "receive", dial, wishes }, onEvent),
    send({ wishes: { hear: onEvent, ...wishes }, ...order }) {
      return ask({ do: "send", order: { ...order, wishes } }, onEvent);
    },
    killFaxMachines: () => void ask({ do: "killFaxMachines" }),
    close: () => closed(child),
  };
}

type Order = ToOffice extends infer One ? (One extends { number: number } ? Omit<One, "number"> : never) : never;
type Waiting = {
  resolve(faxed: Faxed): void;
  reject(error: Error): void;
  onEvent: ((event: FaxEvent) => void) | undefined;
};

function hear(waiting: Waiting | undefined, message: Exclude<FromOffice, { is: "open" }>): void {
  if (message.is === "event") waiting?.onEvent?.(message.event);
  else if (message.is === "over") waiting?.resolve(message.faxed);
  else waiting?.reject(new Error(message.why));
}

function closed(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once("exit", () => resolve());
    child.disconnect();
  });
}
