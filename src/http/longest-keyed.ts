// How long a body may be that is read before it is known whose it is: as long as the operation it is meant for takes, where
// that one looks for a key or a name inside. Whoever stands before the operations reads no more of a stranger's than they.

import { LONGEST_SIGN_IN } from "./console/entrance.ts";
import { LONGEST_BODY } from "./door/guards.ts";
import { everyOperation } from "./every-operation.ts";

/** 0 for a route where nothing inside a body says whose it is. */
export function longestKeyed(): (asked: { method: string; route: string | undefined }) => number {
  const longest = new Map([["POST /console/api/session.signIn", LONGEST_SIGN_IN]]);
  for (const { methods, paths, longestBody = LONGEST_BODY } of everyOperation)
    for (const method of methods) for (const path of paths) longest.set(`${method} ${path}`, longestBody);
  return ({ method, route }) => longest.get(`${method} ${route}`) ?? 0;
}
