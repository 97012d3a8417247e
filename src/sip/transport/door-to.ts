// Which door of ours a message leaves by: the one that holds its connection, the one it came in by, or any that leads there.

import { familyOf } from "../../addresses.ts";
import type { Destination, Transport } from "./transport.ts";

export function doorTo(
  doors: readonly Transport[],
  { transport, address, listener, connection }: Destination,
): Transport | undefined {
  let fitting: Transport | undefined;
  for (const door of doors) {
    if (door.name !== transport) continue;
    if (connection !== undefined && door.holds(connection)) return door;
    if (door.family !== familyOf(address)) continue;
    if (door.listener === listener) return door;
    if (!fitting && door.leadsTo?.(address) !== false) fitting = door;
  }
  return fitting;
}
