// Which claim a message stands in, and how many answers each claim still waits for.

import type { Claim } from "../store/sms-claims.ts";

export type OpenClaims = ReturnType<typeof openClaims>;

export function openClaims() {
  const claimOf = new Map<number, number>();
  const left = new Map<number, number>();
  const take = (from: Map<number, number>, ids: readonly number[]) => {
    for (const id of ids) {
      const claim = claimOf.get(id)!; // only what was claimed is told, and only what was told is answered
      from.set(claim, from.get(claim)! - 1);
    }
  };
  return {
    open: () => [...left.keys()],
    add({ id, messages }: Claim): void {
      for (const message of messages) claimOf.set(message.id, id);
      left.set(id, messages.length);
    },
    /** With these written: the claims that are over, and those of the messages whose claim is not. */
    after(ids: readonly number[]) {
      const then = new Map(left);
      take(then, ids);
      const ended = [...then].filter(([, waiting]) => waiting === 0).map(([claim]) => claim);
      const over = new Set(ended);
      return { ended, going: new Set(ids.filter((id) => !over.has(claimOf.get(id)!))) };
    },
    remove(ids: readonly number[]): void {
      take(left, ids);
      for (const [claim, waiting] of left) if (waiting === 0) left.delete(claim);
      for (const id of ids) claimOf.delete(id);
    },
  };
}
