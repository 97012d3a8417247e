// The servers that share a database, as whoever runs them sees them and tells them what to do.

import type { Home, NodeRow, Wanted } from "../../../store/nodes.ts";

export type NodeView = Pick<NodeRow, "name" | "version" | "until" | "exchanges" | "url" | "sip"> & {
  state: "up" | "draining" | "dead";
  isThis: boolean;
  /** Null where the node did not answer. */
  sinceMs: number | null;
  lateRenewals: number | null;
  calls: number;
};

export type NodeOffice = {
  /** The exchange whose administrators are let in. */
  operators: number;
  list(): Promise<{ nodes: NodeView[]; exchanges: Home[] }>;
  /** False: no such node lives. */
  tell(name: string, wanted: Wanted): Promise<boolean>;
};
