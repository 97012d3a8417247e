// The lines in the page's state: found, added, moved and changed in one place.

import { changeLine, type Line, type LineEvent, moveLine, type NewLine, newLine } from "./lines.ts";
import type { PhoneState } from "./state.ts";
import type { Store } from "./store.ts";

export class LineBoard {
  readonly #store: Store<PhoneState>;
  #added = 0;

  constructor(store: Store<PhoneState>) {
    this.#store = store;
  }

  all(): readonly Line[] {
    return this.#store.get().lines;
  }

  find(id: string): Line | undefined {
    return this.all().find((line) => line.id === id);
  }

  /** Its name; a line of an earlier page keeps the one it had. */
  add(known: Omit<NewLine, "id"> & { id?: string }): string {
    this.#added += 1;
    const id = known.id ?? `${Date.now().toString(36)}-${this.#added}`;
    this.#store.change(({ lines }) => ({ notice: undefined, lines: [...lines, newLine({ ...known, id })] }));
    return id;
  }

  move(id: string, event: LineEvent): void {
    this.#store.change(({ lines }) => ({ notice: undefined, lines: moveLine(lines, id, event, Date.now()) }));
  }

  change(id: string, change: Partial<Line>): void {
    this.#store.change(({ lines }) => ({ lines: changeLine(lines, id, change) }));
  }

  clear(): void {
    this.#store.change({ lines: [] });
  }
}
