// A running exchange that does nothing but note for which exchange it was asked.

import type { FaxOffice } from "../../src/exchange/features/faxes/fax-office.ts";
import type { WebLogins } from "../../src/exchange/signalling/registrar/web-logins.ts";
import type { Running } from "../../src/http/console/operation/operation.ts";

export function notingExchange() {
  const askedFor: unknown[] = [];
  const note = (first: unknown) => {
    const exchangeId = typeof first === "object" && first !== null && "exchangeId" in first ? first.exchangeId : first;
    askedFor.push(exchangeId);
  };
  const method = (reply: unknown) => (first: unknown) => {
    note(first);
    return reply;
  };
  const refused = { refused: "no-such-call" } as const;
  const exchange: Running["exchange"] = {
    originate: method(Promise.resolve(refused)),
    bridge: method(Promise.resolve(refused)),
    hangUp: method(refused),
    answer: method(refused),
    transfer: method(Promise.resolve(refused)),
    mute: method(Promise.resolve(refused)),
    supervise: method(Promise.resolve(refused)),
    send: method(Promise.resolve(refused)),
    pull: method(Promise.resolve(refused)),
    story: method(undefined),
    waiting: method([]),
    testTrunk: method(Promise.resolve(refused)),
    endWrapUp: method(Promise.resolve(refused)),
    moveAgent: method(Promise.resolve({ refused: "no-agent" })),
  } as unknown as Running["exchange"]; // what it answers is of no interest, only for whom it was asked
  const running: Running = {
    exchange,
    panel: { call: method(undefined) } as unknown as Running["panel"], // nobody looks at the board
    requester: { ask: async () => ({ failed: "nobody there", why: "unreachable" }), close: () => undefined },
    trunks: (exchangeId) => {
      note(exchangeId);
      return [];
    },
    md5Extensions: (exchangeId) => {
      note(exchangeId);
      return [];
    },
    checkTrunk: async (exchangeId) => {
      note(exchangeId);
      return undefined;
    },
    sipDoors: () => [{ host: "192.0.2.1", port: 5060, transport: "udp" }],
    say: async () => undefined,
  };
  const faxes: FaxOffice = {
    whyNot: async () => undefined,
    order: async (exchangeId) => {
      note(exchangeId);
      return { refused: "no-own-number" };
    },
    preview: async () => undefined,
    due: () => undefined,
    dropped: () => undefined,
  };
  /** It only gives logins out. */
  const webLogins = {
    issue: ({ exchangeId }: { exchangeId: number }) => {
      note(exchangeId);
      return { user: "web", password: "secret", seconds: 60 };
    },
  } as unknown as WebLogins;
  return { askedFor, running, exchange, faxes, webLogins };
}
