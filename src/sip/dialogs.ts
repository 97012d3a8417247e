// Who owns which dialog: a request inside one goes to its owner and to nobody else.

import { callIdOf, fromOf, toOf } from "./headers/addresses.ts";
import { tagOf } from "./headers/name-address.ts";
import type { Incoming } from "./incoming.ts";
import { flat } from "./message/flat.ts";
import type { Request } from "./message/message.ts";

/** Both tags and the Call-ID: whoever does not know all three is not in the dialog. */
export type DialogId = { callId: string; localTag: string; remoteTag: string };

export type Handle = (incoming: Incoming) => void;

export class Dialogs {
  readonly #owners = new Map<string, Handle>();

  get size(): number {
    return this.#owners.size;
  }

  /** Until the returned function is called. */
  own({ callId, localTag, remoteTag }: DialogId, handle: Handle): () => void {
    const key = keyOf(callId, localTag, remoteTag);
    this.#owners.set(key, handle);
    return () => {
      if (this.#owners.get(key) === handle) this.#owners.delete(key);
    };
  }

  ownerOf(request: Request): Handle | undefined {
    const localTag = tagOf(toOf(request)) ?? "";
    return this.#owners.get(keyOf(callIdOf(request), localTag, tagOf(fromOf(request)) ?? ""));
  }
}

// No blank can stand in a Call-ID or a tag.
const keyOf = (callId: string, localTag: string, remoteTag: string) => flat(`${callId} ${localTag} ${remoteTag}`);
