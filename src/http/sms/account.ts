// Who asks at the SMS API, at /v2: an account with its API password, from one of the addresses it may ask from.

import { BlockList, isIP } from "node:net";
import type { SmsAccount } from "../../store/sms-accounts.ts";
import { isCampaign } from "../../store/sms-status.ts";
import { isRefused, refuse } from "../door/answer.ts";
import type { Context } from "../door/context.ts";
import type { Answers, Declared, Endpoint, Reference, ReplyKind } from "../door/endpoint.ts";
import type { Guard } from "../door/guard.ts";
import { guessed, queryOf, shownIn } from "../door/guards.ts";
import type { WireRefusal } from "../door/wire-words.ts";
import type { Sent } from "../parameters/sent.ts";
import { isClean, text } from "./asked.ts";

export type SmsContext = Omit<Context, "tenant"> & {
  account: SmsAccount;
  /** The interface tells a campaign that is somebody else's from one that nobody has. */
  isAnybodysCampaign(id: number): Promise<boolean>;
};

const LONGEST_BODY = 10 * 1024 * 1024;

/** Its schema is for the reference alone: the handler reads what was sent leniently, by name. */
export function smsEndpoint<Kind extends ReplyKind>(
  definition: Declared<Kind> &
    Reference & { handle(sent: Sent, context: SmsContext): Promise<Answers<WireRefusal>[Kind]> },
): Endpoint {
  return { longestBody: LONGEST_BODY, ...definition };
}

/** User name and password may be in the query or the body, in a long one near its beginning. */
export const account: Guard = {
  knows: "account",
  refusals: [{ refused: "bad-login" }],
  before:
    ({ longestBody }, door) =>
    async (asked) => {
      const { db, orders } = door.services;
      const query = queryOf(asked);
      if (isRefused(query)) return query;
      const shown = await shownIn(asked, door, longestBody);
      if (isRefused(shown)) return shown;
      const login = loginIn(shown.sent, query);
      // Who is called what nobody can be called is nobody.
      const account = isClean(login.username) ? await orders.logIn(login) : undefined;
      if (!account) return guessed(door, asked, "badLogin", refuse({ refused: "bad-login" }));
      if (account.allowedAddresses.length === 0) return refuse({ refused: "no-addresses" });
      if (!isAllowed(asked.address, account.allowedAddresses)) return refuse({ refused: "address-not-allowed" });
      if (!shown.isWhole)
        asked.confirm = (body) => {
          const { username, password } = loginIn(body, query);
          const isSame = username === login.username && password === login.password;
          return isSame ? undefined : refuse({ refused: "bad-login" });
        };
      asked.tenant = { id: account.exchangeId };
      asked.who = `${account.id} ${asked.address}`;
      asked.beside = { account, isAnybodysCampaign: (id: number) => isCampaign(db, id) };
      return undefined;
    },
};

/** What the body says goes over what the query does. */
function loginIn(body: Sent, query: Sent): { username: string; password: string } {
  const of = (name: string) => text(body.has(name) ? body : query, name) ?? "";
  return { username: of("username"), password: of("password") };
}

const listsOfNetworks = new Map<string, BlockList>();
const MOST_LISTS = 1_000;

function isAllowed(address: string, networks: readonly string[]): boolean {
  const version = isIP(address);
  return version !== 0 && listOf(networks).check(address, version === 6 ? "ipv6" : "ipv4");
}

/** Made once for the same networks: that takes longer than to look one up. */
function listOf(networks: readonly string[]): BlockList {
  const key = networks.join();
  const known = listsOfNetworks.get(key);
  if (known) return known;
  const list = new BlockList();
  for (const network of networks) {
    const [base = "", bits = ""] = network.split("/"); // the database wrote it, so it is a network
    list.addSubnet(base, Number(bits), isIP(base) === 6 ? "ipv6" : "ipv4");
  }
  if (listsOfNetworks.size >= MOST_LISTS) listsOfNetworks.clear();
  listsOfNetworks.set(key, list);
  return list;
}
