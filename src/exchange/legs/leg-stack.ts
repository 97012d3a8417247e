// What legs hear from phones and say to them goes through here, so that it can end at one moment: whatever comes after it
// is heard and said by the next process, which goes on with them.

import type { Outgoing } from "../../sip/client.ts";
import type { Stack } from "../../sip/stack.ts";

export type LegStack = Pick<Stack, "own" | "send" | "ask" | "doorTo" | "goOnAsking" | "goOnTaking">;

const NOBODY: Outgoing = {
  cancel: () => undefined,
  sendAck: () => undefined,
  keep: () => undefined,
  follow: () => undefined,
  handOver: () => undefined,
};

export function legStack(stack: LegStack, isSilent: () => boolean): LegStack {
  return {
    // Unanswered, a phone asks again.
    own: (dialog, handle) => stack.own(dialog, (incoming) => (isSilent() ? undefined : handle(incoming))),
    send: (...asked) => (isSilent() ? NOBODY : stack.send(...asked)),
    ask: (...asked) => (isSilent() ? new Promise(() => undefined) : stack.ask(...asked)),
    goOnAsking: (...asked) => stack.goOnAsking(...asked),
    goOnTaking: (kept) => stack.goOnTaking(kept),
    doorTo: (destination) => stack.doorTo(destination),
  };
}
