// Who asks the server to stop, and what is to become of the calls that are up: by a signal, by a command, more than once.

import type { StopSignal } from "../supervisor/messages.ts";
import type { Stop } from "./parts.ts";

/** A terminal's Ctrl-C, or its end, is for good; whoever sends SIGTERM may start the next process in a moment. */
const meant: Record<StopSignal, Stop> = {
  SIGTERM: { calls: "handOver" },
  SIGINT: { calls: "cut" },
  SIGHUP: { calls: "cut" },
};

export type StopRequests = {
  /** Kept when somebody asks. */
  asked: Promise<Stop>;
  /** By a command. */
  ask(stop: Stop): void;
  /** `count`: as the supervisor counts them, of which our own may be the same ones. */
  signal(signal: StopSignal, count?: number): void;
};

/** `onCut`: calls are not to be waited for any longer. `onNow`: nothing is. */
export function openStopRequests({ onCut, onNow }: { onCut(): void; onNow(): void }): StopRequests {
  let current: Stop | undefined;
  let tellAsked: (stop: Stop) => void = () => undefined;
  const asked = new Promise<Stop>((resolve) => {
    tellAsked = resolve;
  });
  let [heard, handled] = [0, 0];
  const cut = () => {
    current = { calls: "cut" };
    onCut();
  };
  const ask = (stop: Stop) => {
    if (!current) {
      current = stop;
      tellAsked(stop);
    } else if (stop.calls === "cut" && current.calls !== "cut") cut();
  };
  return {
    asked,
    ask,
    signal(signal, count) {
      if (count === undefined) heard++;
      const times = Math.max(heard, count ?? 0);
      for (; handled < times; handled++) {
        if (!current) ask(meant[signal]);
        else if (current.calls === "cut") onNow();
        else cut();
      }
    },
  };
}
