// One call as the sandbox's own people see it: the few things they can do, each over real SIP and RTP.

import { type Clock, pause } from "../../../clock.ts";
import type { MediaEngine } from "../../../media/engine.ts";
import type { HangupCause } from "../../calls/causes.ts";
import type { Leg } from "../../calls/leg.ts";
import type { FaxHabits, SandboxFaxes } from "./fax-machines.ts";

/** The other side hung up while somebody was still acting. */
export class PartyGone extends Error {}

export type SandboxParty = ReturnType<typeof openParty>;

export function openParty({
  leg,
  own,
  media,
  clock,
  faxes,
  callBack,
}: {
  leg: Leg;
  /** The number of the sandbox that takes part. */
  own: string;
  media: MediaEngine;
  clock: Clock;
  faxes: SandboxFaxes | undefined;
  callBack(): void;
}) {
  let gone = false;
  void leg.over.then(() => {
    gone = true;
  });
  const stream = () => {
    const open = leg.stream();
    if (gone || open === undefined) throw new PartyGone();
    return open;
  };
  return {
    ring: () => leg.ring(),
    end: (cause: HangupCause) => leg.end(cause),
    callBack,
    /** Goes on even when the call is over. */
    pause: (ms: number) => pause(clock, ms),
    async wait(ms: number): Promise<void> {
      await Promise.race([pause(clock, ms), leg.over]);
      if (gone) throw new PartyGone();
    },
    async answer(): Promise<void> {
      if (!leg.isAnswered() && !(await leg.answer())) throw new PartyGone();
    },
    /** A room with one party who hears himself. */
    echo: () => media.mix(`echo ${leg.id}`, [{ stream: stream(), hears: [stream()] }]),
    async play(spec: string, repeat: number | "forever" = "forever"): Promise<void> {
      await media.play(stream(), { sounds: [{ is: "tone", spec }], repeat });
    },
    /** Works as a fax machine until the fax is over. */
    async fax(habits: FaxHabits): Promise<void> {
      if (!leg.isAnswered() && !(await leg.answer())) throw new PartyGone();
      if (faxes) await faxes.run(leg, own, habits);
      else leg.end("FACILITY_NOT_IMPLEMENTED");
    },
    press: (digits: string) => leg.press(digits),
    /** As if the phone had lost its network: no more packets, and no goodbye. */
    fallSilent: () => media.close(stream()),
  };
}
