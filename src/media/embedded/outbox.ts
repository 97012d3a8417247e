// What a media thread has to say to the main thread, gathered so that one message carries the answers to many commands.

import type { StreamEvent } from "../engine.ts";
import type { FromThread } from "./commands.ts";

export class Outbox {
  readonly #post: (message: FromThread) => void;
  #numbers: number[] = [];
  #values: unknown[] = [];
  /** Somebody waits for an answer that lies here. */
  isUrgent = false;

  constructor(post: (message: FromThread) => void) {
    this.#post = post;
  }

  get isEmpty(): boolean {
    return this.#numbers.length === 0;
  }

  answer(number: number, value: unknown, isUrgent: boolean): void {
    this.#numbers.push(number);
    this.#values.push(value);
    this.isUrgent ||= isUrgent;
  }

  /** Not before the answers that were given earlier. */
  tell(event: StreamEvent): void {
    this.flush();
    this.#post({ is: "event", event });
  }

  flush(): void {
    this.isUrgent = false;
    if (this.isEmpty) return;
    const message: FromThread = { is: "answers", numbers: this.#numbers, values: this.#values };
    this.#numbers = [];
    this.#values = [];
    this.#post(message);
  }
}
