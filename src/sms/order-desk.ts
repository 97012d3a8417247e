// Where orders of messages are taken in over the interface: accounts that log in, what they may send by, and their
// campaigns. What comes at once is asked and written together, so that a single message costs hardly more than one of many.

import type { Clock } from "../clock.ts";
import type { Database } from "../store/db.ts";
import { allOrEach, gathering, type Outcome, type Written, writeTogether } from "../store/gathering.ts";
import type { Limit } from "../store/limit.ts";
import { type Login, logIn, type SmsAccount } from "../store/sms-accounts.ts";
import { listTariffs } from "../store/sms-carriers.ts";
import { listTitles } from "../store/sms-titles.ts";
import type { Order, SendRefusal, Surroundings } from "./order.ts";
import { checkToSend, type Ordered, unlessTooFewCredits, write, writeCampaigns } from "./send.ts";

export type OrderDesk = {
  /** Asked of the database every time: a password that was changed, or an account that was closed, opens nothing more. */
  logIn(login: Login): Promise<SmsAccount | undefined>;
  send(account: SmsAccount, order: Order, limit: Limit): Promise<{ campaignId: number } | SendRefusal>;
};

/** An order of more messages is written by itself: others would wait for it. */
const MOST_GATHERED_LETTERS = 20;

type Waiting = Ordered & Written & { account: SmsAccount };

export function openOrderDesk(db: Database, clock: Clock): OrderDesk {
  const everybody = "everybody";
  const logins = gathering((_: typeof everybody, asked: readonly Login[]) => logInTogether(db, asked));
  const ways = gathering(async (exchangeId: number, asked: readonly undefined[]) => {
    const is = await readWays(db.forExchange(exchangeId), exchangeId);
    return asked.map(() => ({ is }));
  });
  const orders = gathering((_accountId: number, waiting: readonly Waiting[]) => {
    const [{ account }] = waiting as [Waiting]; // nobody is served without having asked
    const now = new Date(clock.wall());
    return writeTogether({ db, clock, exchangeId: account.exchangeId }, waiting, (db, orders) =>
      writeCampaigns(db, { account, now }, orders),
    );
  });
  return {
    logIn: (login) => logins(everybody, login),
    async send(account, order, limit) {
      const around = await ways(account.exchangeId, undefined);
      const own = db.forExchange(account.exchangeId, limit);
      const checked = await checkToSend(own, clock, order, { account, ...around });
      if ("refused" in checked) return checked;
      const { customId } = order;
      if (checked.letters.length > MOST_GATHERED_LETTERS)
        return write(own, { account, checked, customId, now: new Date(clock.wall()) });
      return unlessTooFewCredits(
        orders(account.id, { account, checked, customId, limit }).then((campaignId) => ({ campaignId })),
      );
    },
  };
}

async function readWays(db: Database, exchangeId: number): Promise<Pick<Surroundings, "titles" | "tariffs">> {
  const [titles, tariffs] = await Promise.all([listTitles(db, exchangeId), listTariffs(db, exchangeId)]);
  return { titles, tariffs };
}

/** Many requests of one account are one question. */
async function logInTogether(db: Database, asked: readonly Login[]): Promise<Outcome<SmsAccount | undefined>[]> {
  const keyOf = ({ username, password }: Login) => JSON.stringify([username, password]);
  const different = new Map(asked.map((login) => [keyOf(login), login]));
  const found = await allOrEach([...different.values()], (logins) => logIn(db, logins));
  const outcomes = new Map([...different.keys()].map((key, place) => [key, found[place]!])); // one for each
  return asked.map((login) => outcomes.get(keyOf(login))!); // each was among them
}
