// Where somebody comes to who opens the console: an agent to his desk, who has just given himself the first password and
// sets the exchange up to the first steps, and others to the board. Later the board is the board.

import { type ReactNode, useEffect, useState } from "react";
import { Redirect } from "wouter";
import { useSession } from "../ask/session.tsx";
import { useAsk } from "../ask/use-ask.ts";
import { Loading } from "../ui/states.tsx";

let hasArrived = false;
let isNew = false;

/** Whoever is asked for his first password comes for the first time. */
export function comesForTheFirstTime(): void {
  isNew = true;
}

/** With the first page that is shown, whichever it is, one has arrived. */
export function useArriving(): void {
  useEffect(() => {
    hasArrived = true;
  }, []);
}

export function Arrival({ children }: { children: ReactNode }) {
  const { role, rights } = useSession();
  const [isArrival] = useState(!hasArrived);
  if (!isArrival) return children;
  if (role === "agent") return <Redirect to="/desk" replace />;
  return isNew && rights.includes("set-up") ? <FirstSteps>{children}</FirstSteps> : children;
}

/** Not where all of them are done. */
function FirstSteps({ children }: { children: ReactNode }) {
  const { data, isError } = useAsk("setup.show", {});
  if (data && Object.values(data).includes(false)) return <Redirect to="/setup" replace />;
  return data || isError ? children : <Loading />;
}
