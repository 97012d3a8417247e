// What a fence between nodes says: in whose name a connection acts, and the one error of whoever may not.

/** Raised by the functions of 0302-nodes.sql. */
const NOT_OWNER = "SN001";

/** The exchange lives on another node, or our own life is over: nothing was written, and nothing will be by trying again. */
export class NotOwner extends Error {
  constructor(cause: Error) {
    super(cause.message, { cause });
    this.name = "NotOwner";
  }
}

export function asNotOwner<Failure>(error: Failure, onFenced: () => void = () => undefined): Failure | NotOwner {
  if (!(error instanceof Error && "code" in error && error.code === NOT_OWNER)) return error;
  onFenced();
  return new NotOwner(error);
}

/** In whose name a connection acts: a life's number, `command` for people, or `look` for who only reads, everything. */
export type ActingLife = number | "command" | "look";

/** Said on every connection before anything else; whoever hangs in a transaction holds no take-over up for longer. */
export function actingAs(life: ActingLife): string {
  const patience = typeof life === "number" ? "; set idle_in_transaction_session_timeout = '5s'" : "";
  return `set santral.node_life = '${life}'${patience}`;
}
