// The server's end of the channel to its supervisor.

import { url as debuggerAt } from "node:inspector";
import type { StopSignal, ToServer, ToSupervisor } from "../supervisor/messages.ts";

export type Supervisor = {
  pid: number;
  /** From here on it watches whether we hang. */
  ready(): void;
  /** Starts a program that outlives us and ends with the supervisor; its pid. Its standard error goes into `log`. */
  run(command: string[], log: string): Promise<number>;
  isThere(): boolean;
};

type Heard = { onSignal(signal: StopSignal, count: number): void; onGone(): void };

/** Undefined: nobody is there who would start us again. */
export function joinSupervisor({ onSignal, onGone }: Heard): Supervisor | undefined {
  if (!process.connected) return undefined;
  const waiting = new Map<number, (ran: ToServer & { is: "ran" }) => void>();
  let asked = 0;
  const tell = (message: ToSupervisor) => {
    if (process.connected) process.send?.(message, () => undefined); // one that has gone is told by `disconnect`
  };
  process.on("message", (heard) => {
    const message = heard as ToServer; // our own program wrote it
    if (message.is === "ping") tell({ is: "alive", debugged: debuggerAt() !== undefined });
    else if (message.is === "signal") onSignal(message.signal, message.count);
    else waiting.get(message.id)?.(message);
  });
  process.once("disconnect", () => {
    for (const [id, settle] of waiting) settle({ is: "ran", id, pid: undefined, error: "the supervisor is gone" });
    onGone();
  });
  return {
    pid: process.ppid,
    ready: () => tell({ is: "ready" }),
    isThere: () => process.connected,
    run: (command, log) =>
      new Promise((resolve, reject) => {
        const id = asked++;
        waiting.set(id, ({ pid, error }) => {
          waiting.delete(id);
          if (pid === undefined) reject(new Error(error));
          else resolve(pid);
        });
        tell({ is: "run", id, command, log });
        if (!process.connected) waiting.get(id)?.({ is: "ran", id, pid: undefined, error: "the supervisor is gone" });
      }),
  };
}
