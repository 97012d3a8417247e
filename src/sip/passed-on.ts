// INVITEs that came through a proxy, by what their callers wrote. An edge tells every node, as it came, of a CANCEL whose
// INVITE it has passed on to one that may have died: there is no Via of its own on top.

import { callIdOf } from "./headers/addresses.ts";
import { hasSeveralVias, type Via, viasOf } from "./headers/via.ts";
import { isMalformed } from "./message/malformed.ts";
import type { Request } from "./message/message.ts";

/** `owner`: while it waits for its answer. */
type Taken = { owner: unknown };

export class PassedOn<Invite extends Taken> {
  readonly #byName = new Map<string, Invite>();

  /** What it is found by; undefined of what came from its caller himself, or while another waits under that name. */
  add(request: Request, invite: Invite): string | undefined {
    if (request.method !== "INVITE" || !hasSeveralVias(request)) return undefined;
    const [, below] = viasOf(request);
    if (!below || isMalformed(below)) return undefined;
    const name = nameOf(request, below);
    if (this.#byName.get(name)?.owner) return undefined;
    this.#byName.set(name, invite);
    return name;
  }

  find(cancel: Request, via: Via): Invite | undefined {
    const invite = this.#byName.get(nameOf(cancel, via));
    return invite?.owner ? invite : undefined;
  }

  remove(name: string, invite: Invite): void {
    if (this.#byName.get(name) === invite) this.#byName.delete(name);
  }
}

const nameOf = (request: Request, { branch }: Via) => `${branch} ${callIdOf(request)}`;
