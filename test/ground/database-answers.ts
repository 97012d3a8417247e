// What PostgreSQL says to a client, whole messages at a time: so that a network can lose the very answer of a commit.

/** The tag of what a statement did, at its end. */
const COMPLETE = 0x43; // "C"
/** Ready for the next; behind it stands whether a transaction is open. */
const READY = 0x5a; // "Z"
const IDLE = 0x49; // "I"
const WRITES = /^(COMMIT|INSERT 0 [1-9]|UPDATE [1-9]|DELETE [1-9])/;

export class DatabaseAnswers {
  #rest: Buffer = Buffer.alloc(0);
  #held: Buffer[] = [];
  #hasWritten = false;

  /** What may be passed on now; `lost` when something was just written for good and its answer shall not arrive. */
  read(bytes: Buffer, isLost: () => boolean): { pass: Buffer; lost: boolean } {
    this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    const pass: Buffer[] = [];
    for (let message = this.#next(); message; message = this.#next()) {
      if (message[0] === COMPLETE && WRITES.test(message.toString("latin1", 5))) this.#hasWritten = true;
      this.#held.push(message);
      // An answer in a transaction that goes on has written nothing yet.
      const isEnd = message[0] === READY;
      if (isEnd && message[5] === IDLE && this.#hasWritten && isLost())
        return { pass: Buffer.concat(pass), lost: true };
      if (isEnd && message[5] === IDLE) this.#hasWritten = false;
      if (this.#hasWritten && !isEnd) continue;
      pass.push(...this.#held.splice(0));
    }
    return { pass: Buffer.concat(pass), lost: false };
  }

  #next(): Buffer | undefined {
    if (this.#rest.length < 5) return undefined;
    const length = 1 + this.#rest.readInt32BE(1);
    if (this.#rest.length < length) return undefined;
    const message = this.#rest.subarray(0, length);
    this.#rest = this.#rest.subarray(length);
    return message;
  }
}
