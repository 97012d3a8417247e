// The public network as real phones play it: a person outside behind a trunk of his own.

import { type Baresip, startBaresip } from "../phones/baresip.ts";
import type { RealTown } from "../town/real-town.ts";

/** Calls from this address come from carriers; phones of the exchange call from 127.0.0.1. */
export const CARRIER_ADDRESS = "127.0.0.9";

export type OutsidePhone = Baresip & { number: string };

/** A phone outside that answers by itself, and the trunk and rule that lead to it. */
export async function outsidePhone(town: RealTown, number: string, hz: number): Promise<OutsidePhone> {
  const phone = await startBaresip({
    user: number,
    password: "",
    domain: "127.0.0.1",
    server: town.santral.run.sip ?? "",
    registerSeconds: 0,
    answerMode: "auto",
    plays: town.tone(hz),
  });
  town.keep(phone);
  const name = `carrier-${number}`;
  const reach = [`port=${phone.sipPort}`, `source-addresses=${CARRIER_ADDRESS}`, "health-check=no"];
  await town.command("trunk", "create", name, "127.0.0.1", ...reach);
  await town.trunkIsUp(name);
  await town.command("rule", "create", name, "--prefix", number, "--trunk", name);
  return { ...phone, number };
}
