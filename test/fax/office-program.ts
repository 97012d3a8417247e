// A fax office as a process of its own, told by its parent what to send and what to expect.

import type { FaxDemands } from "../../src/exchange/features/faxes/run-fax.ts";
import type { FaxEvent } from "../../src/media/fax/fax-engine.ts";
import { type Faxed, openOffice, type SendOrder, type SipDoor } from "./office.ts";

export type ToOffice = { number: number } & (
  | { do: "receive"; dial: string; wanted: FaxDemands }
  | { do: "send"; order: SendOrder }
  | { do: "signalFaxMachines"; signal: NodeJS.Signals }
);
export type FromOffice =
  | { is: "open"; door: SipDoor }
  /** From now on a call to the number is taken. */
  | { is: "expecting"; number: number }
  | { is: "event"; number: number; event: FaxEvent }
  | { is: "over"; number: number; faxed: Faxed }
  | { is: "broke"; number: number; why: string };

const office = await openOffice(process.argv[2] ?? "127.0.0.1");
const tell = (message: FromOffice) => process.send?.(message);

async function obey(order: ToOffice): Promise<void> {
  const { number } = order;
  const hear = (event: FaxEvent) => tell({ is: "event", number, event });
  try {
    if (order.do === "signalFaxMachines") {
      const pid = office.faxPid();
      if (pid !== undefined) process.kill(pid, order.signal);
    } else if (order.do === "receive") {
      const received = office.receives(order.dial, { ...order.wanted, hear });
      tell({ is: "expecting", number });
      tell({ is: "over", number, faxed: await received });
    } else {
      const wanted = { ...order.order.wanted, hear };
      tell({ is: "over", number, faxed: await office.send({ ...order.order, wanted }) });
    }
  } catch (error) {
    tell({ is: "broke", number, why: String(error) });
  }
}

process.on("message", (order: ToOffice) => void obey(order));
process.on("disconnect", () => void office.close().then(() => process.exit(0)));
tell({ is: "open", door: office.door });
