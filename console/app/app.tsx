// The console: who is signed in, in which language, and which page.

import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Router } from "wouter";
import { secondsUntilNext } from "../ask/ask.ts";
import { onBack, suspectLoss } from "../ask/connection.ts";
import { LeaveQuestion } from "../ui/leave-question.tsx";
import { aroundNav } from "../ui/unsaved.ts";
import { LanguageProvider } from "../words/language.tsx";
import { Refused } from "../words/refused.ts";
import { Away } from "./away.tsx";
import { SignedIn } from "./signed-in.tsx";
import { cssVariables, theme } from "./theme.ts";

/** The word by which the server lets a style in. */
export const nonce = () => document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? "";

export function App() {
  const [queries] = useState(openQueries);
  // What could not be read meanwhile, and what may have changed.
  useEffect(() => onBack(() => void queries.invalidateQueries()), [queries]);
  useEffect(() => {
    window.addEventListener("offline", suspectLoss);
    return () => window.removeEventListener("offline", suspectLoss);
  }, []);
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto" getStyleNonce={nonce}>
      <LanguageProvider>
        <QueryClientProvider client={queries}>
          <Notifications position="top-right" />
          <Away />
          <Router base="/console" aroundNav={aroundNav}>
            <SignedIn />
            <LeaveQuestion />
          </Router>
        </QueryClientProvider>
      </LanguageProvider>
    </MantineProvider>
  );
}

/** What only reads is asked again for minutes while nobody can answer: an exchange moves to another server meanwhile. */
const MOST_TRIES = 30;
const LONGEST_WAIT_SECONDS = 30;

/** A session that has ended shows on the next question; the door is then asked again, and shows the way in. */
function openQueries(): QueryClient {
  const lookAtDoor = (fault: unknown) => {
    const why = fault instanceof Refused ? fault.refusal.refused : undefined;
    if (why === "signed-out" || why === "password-must-change" || why === "second-factor-first")
      void queries.invalidateQueries({ queryKey: ["session.show"] });
  };
  const isWorthARetry = (failures: number, fault: unknown) =>
    secondsUntilNext(fault) === undefined ? failures < 2 && !(fault instanceof Refused) : failures < MOST_TRIES;
  const retryDelay = (failures: number, fault: unknown) =>
    (secondsUntilNext(fault) ?? Math.min(2 ** failures, LONGEST_WAIT_SECONDS)) * 1_000;
  const queries = new QueryClient({
    defaultOptions: { queries: { retry: isWorthARetry, retryDelay, staleTime: 5_000 } },
    queryCache: new QueryCache({
      onError: (fault, { queryKey }) => queryKey[0] !== "session.show" && lookAtDoor(fault),
    }),
    mutationCache: new MutationCache({ onError: lookAtDoor }),
  });
  return queries;
}
