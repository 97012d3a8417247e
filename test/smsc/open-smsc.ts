// Starts the test's SMSC as a process of its own and passes it orders.

import { fork } from "node:child_process";
import { resolve } from "node:path";

export type Taken = {
  id: number;
  source: string;
  dest: string;
  text: string;
  octets: string;
  payload?: string;
  esmClass: number;
  coding: number;
  sourceTon: number;
  destTon: number;
  destNpi: number;
  registered: number;
  validity: string;
  reference?: number;
  sar: (number | undefined)[];
};

export type Counts = Record<
  "submits" | "throttled" | "drops" | "binds" | "refused" | "signsOfLife" | "taken" | "owed" | "lines",
  number
>;

export type Smsc = {
  port: number;
  manner(changes: Record<string, unknown>): Promise<void>;
  counts(): Promise<Counts>;
  taken(from?: number): Promise<Taken[]>;
  tally(): Promise<Record<string, number>>;
  forget(): Promise<void>;
  bring(message: { source: string; dest: string; esmClass: number; coding: number; message: string }): Promise<void>;
  hangUp(): Promise<void>;
  close(): Promise<void>;
};

export async function openSmsc(tls?: { cert: string; key: string }): Promise<Smsc> {
  const child = fork(resolve("test/smsc/smsc.mjs"), tls ? [tls.cert, tls.key] : [], { stdio: "inherit" });
  const waiting = new Map<number, (result: unknown) => void>();
  const port = await new Promise<number>((told, failed) => {
    child.once("message", (message) => told((message as { port: number }).port));
    child.once("exit", () => failed(new Error("the SMSC did not start")));
  });
  child.on("message", (told) => {
    const { number, result } = told as { number: number; result: unknown };
    waiting.get(number)?.(result);
    waiting.delete(number);
  });
  let numbers = 0;
  const order = <Result>(order: string, given?: unknown) =>
    new Promise<Result>((resolve) => {
      const number = ++numbers;
      waiting.set(number, resolve as (result: unknown) => void);
      child.send({ number, order, given });
    });
  return {
    port,
    manner: (changes) => order("manner", changes),
    counts: () => order("counts"),
    taken: (from) => order("taken", from),
    tally: () => order("tally"),
    forget: () => order("forget"),
    bring: (message) => order("bring", message),
    hangUp: () => order("hangUp"),
    close: () =>
      new Promise((resolve) => {
        child.once("exit", () => resolve());
        child.kill();
      }),
  };
}
