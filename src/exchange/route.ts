// An incoming call's way, on one page: is the caller welcome, and where does the number he dialled lead?

import { type CallSettings, isBlocked } from "../store/call-settings.ts";
import type { Db } from "../store/db.ts";
import { storedForm } from "./numbers.ts";
import { isBadTarget, isNamedTarget, parseTarget, type Target } from "./target.ts";

export type Route = { target: Target; story: string[] };

const REFUSED: Target = { to: "hangup", how: "busy" };

export async function routeInbound({
  db,
  book,
  dialled,
  caller,
}: {
  db: Db;
  book: CallSettings;
  dialled: string;
  caller: string;
}): Promise<Route> {
  const story = [`${caller || "a withheld number"} calls ${dialled}`];
  const number = storedForm(caller) ?? caller;
  if (await isBlocked(db, { exchangeId: book.settings.id, number, direction: "inbound" }))
    return { target: REFUSED, story: [...story, `${caller} is blocked`] };
  const own = book.numbers.get(dialled);
  if (!own) return { target: REFUSED, story: [...story, `${dialled} is not a number of this exchange`] };
  const target = parseTarget(own.target);
  if (isBadTarget(target) || isNamedTarget(target))
    return { target: REFUSED, story: [...story, `${dialled} leads nowhere: ${own.target}`] };
  return { target, story: [...story, `${dialled} leads to ${own.target}`] };
}
