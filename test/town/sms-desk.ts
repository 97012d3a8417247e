// An SMS account with titles, credits and the /v2 door on a real socket, for wire tests.

import { type Clock, realClock } from "../../src/clock.ts";
import type { Sounds } from "../../src/exchange/sounds.ts";
import { type Rates, rates } from "../../src/http/door/rate-limit.ts";
import { openHttpServer } from "../../src/http/server.ts";
import { silentLog } from "../../src/log.ts";
import type { Objects } from "../../src/objects/objects.ts";
import type { Database } from "../../src/store/db.ts";
import { createExchange } from "../../src/store/exchanges.ts";
import { isRefusal } from "../../src/store/refusal.ts";
import { addCredits, createSmsAccount } from "../../src/store/sms-accounts.ts";
import { createCarrier } from "../../src/store/sms-carriers.ts";
import { createTitle, type NewTitle } from "../../src/store/sms-titles.ts";
import { secrets } from "../ground/secrets.ts";

export type Login = { username: string; password: string };

export type Desk = {
  exchangeId: number;
  accountId: number;
  titleId: number;
  login: Login;
};

let exchanges = 0;

/** An exchange with one account, one title and the sandbox for a carrier. */
export async function newDesk(
  db: Database,
  {
    credits = 1_000_000,
    allowed = ["127.0.0.0/8"],
    title = {},
  }: { credits?: number; allowed?: string[]; title?: Partial<NewTitle> } = {},
): Promise<Desk> {
  const place = ++exchanges;
  const exchange = sure(
    await createExchange(db, secrets, { name: `Desk ${place}`, sipDomain: `desk${place}-${Math.random()}.test` }),
  );
  const account = sure(
    await createSmsAccount(db, exchange.id, { username: `90850${place}${Math.random()}`, allowedAddresses: allowed }),
  );
  const made = sure(
    await createTitle(db, exchange.id, {
      name: "ACME",
      iysCode: 600_000,
      iysBrandCode: 600_001,
      optOutNumber: "4607",
      ...title,
    }),
  );
  if (credits > 0) await addCredits(db, { exchangeId: exchange.id, accountId: account.id, credits, at: new Date() });
  sure(await createCarrier(db, secrets, exchange.id, { name: "sandbox", kind: "sandbox" }));
  const login = { username: account.username, password: account.password };
  return { exchangeId: exchange.id, accountId: account.id, titleId: made.id, login };
}

export function sure<Result>(result: Result): Exclude<Result, { refused: string }> {
  if (isRefusal(result)) throw new Error(JSON.stringify(result));
  return result as Exclude<Result, { refused: string }>;
}

const noLimits = Object.fromEntries(
  Object.keys(rates).map((pool) => [pool, { requests: 1e6, perMs: 1, burst: 1e6 }]),
) as Rates;

export async function openSmsServer(
  db: Database,
  { clock = realClock, table = noLimits }: { clock?: Clock; table?: Rates } = {},
) {
  const server = await openHttpServer({
    db,
    clock,
    log: silentLog,
    rates: table,
    config: { http: { host: "127.0.0.1", port: 0 }, publicUrl: undefined, trustedProxies: ["127.0.0.9"] },
    // Messages have no files.
    objects: {} as Objects,
    sounds: {} as Sounds,
  });
  const port = Number(server.address.split(":").at(-1));
  return { url: `http://${server.address}`, port, close: () => server.close() };
}
