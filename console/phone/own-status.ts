// What its owner wants to be, told to the exchange: available, undisturbed, on a break, shown by another number.

import type { ExchangeClient } from "./exchange-client.ts";
import type { PhoneState } from "./state.ts";
import type { Store } from "./store.ts";

export type OwnStatus = {
  /** Undisturbed and on a break no more. */
  beAvailable(): Promise<void>;
  setDnd(on: boolean): Promise<void>;
  /** `description`: what a break is called. */
  moveAgent(request: string, description?: string): Promise<void>;
  setCallerId(number: string): Promise<void>;
};

export function openOwnStatus(desk: ExchangeClient, store: Store<PhoneState>): OwnStatus {
  const setDnd = async (on: boolean) => {
    if (await desk.setDnd(on)) store.change({ dnd: on });
  };
  const moveAgent = async (request: string, description = "") => {
    const agent = await desk.moveAgent(request, description);
    if (agent) store.change({ agent });
  };
  return {
    setDnd,
    moveAgent,
    async beAvailable() {
      const { dnd, agent } = store.get();
      if (dnd) await setDnd(false);
      if (agent?.status === "ON_BREAK") await moveAgent("resume");
    },
    async setCallerId(callerId) {
      if (await desk.setCallerId(callerId)) store.change({ callerId });
    },
  };
}
