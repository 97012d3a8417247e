// Calls whose way broke, by line: which call each is, since when it is gone, and until when it is worth trying.

import { type DialogName, MOST_AWAY_MS } from "./keep.ts";

type Return = {
  dialog: DialogName;
  goneMs: number;
  giveUp: ReturnType<typeof setTimeout>;
  /** Asked for, and not answered yet. */
  isTried: boolean;
};

export class Returns {
  readonly #returns = new Map<string, Return>();

  begin(id: string, { dialog, goneMs }: { dialog: DialogName; goneMs: number }, giveUp: () => void): void {
    this.done(id);
    const leftMs = Math.max(0, MOST_AWAY_MS - (Date.now() - goneMs));
    this.#returns.set(id, { dialog, goneMs, giveUp: setTimeout(giveUp, leftMs), isTried: false });
  }

  done(id: string): void {
    clearTimeout(this.#returns.get(id)?.giveUp);
    this.#returns.delete(id);
  }

  /** Undefined while another attempt at it is under way. */
  attempt(id: string): DialogName | undefined {
    const found = this.#returns.get(id);
    if (!found || found.isTried) return undefined;
    found.isTried = true;
    return found.dialog;
  }

  /** Whether there was anything to return to. */
  failed(id: string): boolean {
    const found = this.#returns.get(id);
    if (found) found.isTried = false;
    return found !== undefined;
  }

  find(id: string): { dialog: DialogName; goneMs: number } | undefined {
    return this.#returns.get(id);
  }

  ids(): string[] {
    return [...this.#returns.keys()];
  }
}
