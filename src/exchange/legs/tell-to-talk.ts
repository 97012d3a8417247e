// Tells a ringing phone to pick itself up: a NOTIFY of the event "talk", which some phones know and say so.

import type { Cancel, Clock } from "../../clock.ts";
import type { DialogSide } from "./dialog-side.ts";

/** A phone that knows the event has answered the call by then. */
const PATIENCE_MS = 4_000;

/** True when it picked up, or took the request and is known to do as it is told. */
export async function tellToTalk(
  side: DialogSide,
  { clock, takesTalk, answered }: { clock: Clock; takesTalk: boolean; answered: Promise<void> },
): Promise<boolean> {
  const isAnswered = answered.then(() => true);
  let rest: Cancel = () => undefined;
  const late = new Promise<boolean>((resolve) => {
    rest = clock.after(PATIENCE_MS, () => resolve(false));
  });
  const headers = [
    { name: "Event", value: "talk" },
    { name: "Subscription-State", value: "active" },
  ];
  const isTaken = side.ask("NOTIFY", { headers }).then(({ is }) => is === "success");
  const isSoon = await Promise.race([isTaken, isAnswered, late]);
  const isDone = isSoon && (takesTalk || (await Promise.race([isAnswered, late])));
  rest();
  return isDone;
}
