// What the phone and the page around it say to each other by postMessage. Copy this file, or import its types.

import type { LineAt } from "./lines.ts";

export const PHONE = "santral-webphone";

export type CallTold = {
  id: string;
  /** The exchange's `call_uuid`; empty where it has not told us. */
  callUuid: string;
  direction: "in" | "out";
  number: string;
  name: string;
  queue: string;
  state: Exclude<LineAt, "over">;
  held: boolean;
  muted: boolean;
};

/** From the page to the phone: `frame.contentWindow.postMessage(command, phoneOrigin)`. */
export type PhoneCommand = { to: typeof PHONE } & (
  | { command: "dial"; number: string }
  /** The call that rings. */
  | { command: "answer" }
  /** The call in front, or the one named. */
  | { command: "hangup"; id?: string }
  /** The call that rings, declined. */
  | { command: "reject" }
  /** The call in front: on, and off again. */
  | { command: "mute" }
  | { command: "hold" }
  /** The phone is in another tab: from now on it is here, with its calls. */
  | { command: "take" }
  /** The next one: nothing is loaded anew, and calls go on. Answered with a `token-taken` event. */
  | { command: "token"; token: string }
  /** Answered with a `state` event. */
  | { command: "state" }
);

/** From the phone to the page. */
export type PhoneEvent = { from: typeof PHONE } & (
  | { event: "state"; extension: string; registered: boolean; calls: CallTold[] }
  /** Those of the phone in another tab, while that one is it. The orders for calls go there. */
  | { event: "elsewhere"; calls: readonly CallTold[] }
  | { event: "ringing"; call: CallTold }
  | { event: "answered"; call: CallTold }
  | { event: "ended"; call: CallTold; cause: string }
  /** Within the hour: time for the next one. Told again every few minutes. */
  | { event: "token-ends" }
  /** Calls that are up go on; for a new one the page needs a new token. */
  | { event: "token-expired" }
  | { event: "token-taken" }
  | { event: "refused"; command: string; because: string }
);

/** What came from the page, if it is a command. */
export function readCommand(message: unknown): PhoneCommand | undefined {
  if (typeof message !== "object" || message === null || !("to" in message) || message.to !== PHONE) return undefined;
  const { command, number, id, token } = message as Partial<Record<"command" | "number" | "id" | "token", unknown>>;
  if (command === "dial") return typeof number === "string" ? { to: PHONE, command, number } : undefined;
  if (command === "token") return typeof token === "string" ? { to: PHONE, command, token } : undefined;
  if (command === "hangup") return { to: PHONE, command, ...(typeof id === "string" ? { id } : {}) };
  return isPlain(command) ? { to: PHONE, command } : undefined;
}

const plain = ["answer", "reject", "mute", "hold", "take", "state"] as const;

function isPlain(command: unknown): command is (typeof plain)[number] {
  return plain.some((name) => name === command);
}
