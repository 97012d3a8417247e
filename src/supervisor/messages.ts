// What the supervisor and the server that it has started tell each other over the channel between them.

/** `count`: the how manieth signal it is. The terminal sends the server the same ones, and none may count twice. */
export type ToServer =
  | { is: "ping" }
  | { is: "signal"; signal: StopSignal; count: number }
  | { is: "ran"; id: number; pid: number | undefined; error: string | undefined };

export type ToSupervisor =
  | { is: "ready" }
  /** The answer to a ping. In a debugger an event loop may stand for as long as somebody looks at it. */
  | { is: "alive"; debugged: boolean }
  /** Start a program that outlives the server; its standard error goes into that file. */
  | { is: "run"; id: number; command: string[]; log: string };

export type StopSignal = "SIGTERM" | "SIGINT" | "SIGHUP";

export const stopSignals: readonly StopSignal[] = ["SIGTERM", "SIGINT", "SIGHUP"];
