// Every extension that may log in, held in memory: a login costs no query, and one that fails takes as long as any.

import { runAgain } from "../../../again.ts";
import type { Log } from "../../../log.ts";
import type { SipDigests } from "../../../nouns/security.ts";
import type { Ha1 } from "../../../sip/digest-answer.ts";
import type { Database } from "../../../store/db.ts";
import {
  DIRECTORY_CHANNEL,
  type Pace,
  type SipAccount,
  type SipExchange,
  sipAccounts,
  sipExchanges,
} from "../../../store/sip-accounts.ts";
import { emergencyIn } from "../../plan/emergency.ts";
import { networksOf } from "../../plan/networks.ts";

export type HomeExchange = {
  id: number;
  sipDomain: string;
  emergencyNumbers: readonly string[];
  /** A phone of it that has used SHA-256 may be asked for MD5 first. */
  md5Again?: boolean;
  /** By `sha-256` its phones log in by nothing else, and `md5Again` counts for nothing. */
  sipDigests?: SipDigests;
  /** Unless it says no. */
  proofWithinCalls?: boolean;
};
export type HomeExtension = {
  id: number;
  exchangeId: number;
  number: string;
  name: string;
  active: boolean;
  /** Its lamps tell who is on a colleague's line, unless it says no. */
  seesCallers?: boolean;
  codecs: string[];
  /** Whether it may register and call from there. */
  mayComeFrom?: ((address: string) => boolean) | undefined;
};

/** An extension that is gone or may no longer log in, or whose password is another now. */
export type Withdrawn = { exchangeId: number; extensionId: number };

export type Directory = {
  /** The exchange of that domain; when there is only one exchange, that one whatever the host. */
  exchangeFor(host: string): HomeExchange | undefined;
  exchange(id: number): HomeExchange | undefined;
  /** How often its phones are asked and kept in reach. */
  paceOf(exchangeId: number): Pace;
  extension(exchangeId: number, number: string): HomeExtension | undefined;
  extensionById(extensionId: number): HomeExtension | undefined;
  /** Undefined for an unknown number and for one that may not log in; who is suspended may still call for help. */
  secretOf(exchangeId: number, number: string, forHelp?: boolean): Ha1 | undefined;
  /** Whether that is an emergency number at any exchange. */
  callsForHelp(dialled: string): boolean;
  onWithdrawn(listen: (withdrawn: Withdrawn) => void): void;
  /** Reads one exchange again, or all of them; a change in the database does this by itself. */
  reload(exchangeId?: number): Promise<void>;
  close(): Promise<void>;
};

const NEVER: Pace = { qualifySeconds: 0, keepAliveSeconds: 0 };

type Account = { extension: HomeExtension; ha1: Required<Ha1>; networks: readonly string[] };
type Home = { exchange: SipExchange; accounts: Map<string, Account> };

export async function openDirectory(
  db: Database,
  log: Log,
  /** Where others live elsewhere, the only one here is not the only one. */
  isOnlyOne: () => boolean = () => true,
): Promise<Directory> {
  const homes = new Map<number, Home>();
  const byDomain = new Map<string, HomeExchange>();
  const byId = new Map<number, HomeExtension>();
  const listeners: ((withdrawn: Withdrawn) => void)[] = [];
  const { ask, settled } = runAgain(readAgain);
  const reload = (exchangeId?: number) => ask(exchangeId ?? "all");

  const stopListening = await db.listen(DIRECTORY_CHANNEL, (payload) =>
    reload(payload === "" ? undefined : Number(payload)).catch((error: Error) =>
      log.error({ error: error.message }, "extensions could not be read again"),
    ),
  );
  await reload();

  return {
    exchangeFor,
    exchange: (id) => homes.get(id)?.exchange,
    paceOf: (id) => homes.get(id)?.exchange ?? NEVER,
    extension: (exchangeId, number) => homes.get(exchangeId)?.accounts.get(number)?.extension,
    extensionById: (extensionId) => byId.get(extensionId),
    secretOf,
    callsForHelp: (dialled) =>
      [...homes.values()].some(({ exchange }) => emergencyIn(dialled, exchange.emergencyNumbers) !== undefined),
    onWithdrawn: (listen) => void listeners.push(listen),
    reload,
    close: async () => {
      await stopListening();
      await settled();
    },
  };

  function exchangeFor(host: string): HomeExchange | undefined {
    const found = byDomain.get(host);
    if (found || homes.size !== 1 || !isOnlyOne()) return found;
    for (const { exchange } of homes.values()) return exchange;
    return undefined;
  }

  function secretOf(exchangeId: number, number: string, forHelp = false): Ha1 | undefined {
    const account = homes.get(exchangeId)?.accounts.get(number);
    return account?.extension.active || forHelp ? account?.ha1 : undefined;
  }

  async function readAgain(wanted: ReadonlySet<number | "all">): Promise<void> {
    const exchanges = await sipExchanges(db);
    const changed = exchanges.filter(({ id }) => wanted.has("all") || wanted.has(id));
    const read = await Promise.all(
      changed.map(async (exchange) => homeOf(exchange, await sipAccounts(db, exchange.id))),
    );
    const known = new Set(exchanges.map(({ id }) => id));
    for (const [id, home] of homes) if (!known.has(id)) replace(id, home, undefined);
    for (const home of read) replace(home.exchange.id, homes.get(home.exchange.id), home);
    byDomain.clear();
    for (const { exchange } of homes.values()) byDomain.set(exchange.sipDomain.toLowerCase(), exchange);
  }

  function replace(id: number, old: Home | undefined, home: Home | undefined): void {
    if (home) homes.set(id, home);
    else homes.delete(id);
    for (const { extension } of old?.accounts.values() ?? []) byId.delete(extension.id);
    for (const { extension } of home?.accounts.values() ?? []) byId.set(extension.id, extension);
    for (const account of old?.accounts.values() ?? []) {
      const now = home?.accounts.get(account.extension.number);
      if (account.extension.active && !mayStay(account, now))
        for (const listen of listeners) listen({ exchangeId: id, extensionId: account.extension.id });
    }
  }
}

function homeOf(exchange: SipExchange, rows: SipAccount[]): Home {
  const accounts = new Map<string, Account>();
  for (const row of rows)
    accounts.set(row.number, {
      extension: extensionOf(row),
      ha1: { MD5: row.ha1Md5, "SHA-256": row.ha1Sha256 },
      networks: row.networks,
    });
  return { exchange, accounts };
}

/** Field by field: what is left over of a row has a hidden class of its own each time, and is slow to look at. */
function extensionOf({ extensionId: id, exchangeId, number, name, active, seesCallers, codecs, networks }: SipAccount) {
  const mayComeFrom = networks.length === 0 ? undefined : networksOf(networks).has;
  return { id, exchangeId, number, name, active, seesCallers, codecs, mayComeFrom };
}

// A new password is given because the old one got about, and other networks because somebody was where he should not be:
// whoever logged in has to log in again.
function mayStay(before: Account, now: Account | undefined): boolean {
  return (
    now?.extension.active === true &&
    now.extension.id === before.extension.id &&
    now.ha1["SHA-256"] === before.ha1["SHA-256"] &&
    now.ha1.MD5 === before.ha1.MD5 &&
    now.networks.join() === before.networks.join()
  );
}
