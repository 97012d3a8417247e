// Between the street and the rooms: signing in, the first password, and then the pages.

import { Center, Loader, VisuallyHidden } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useRef, useState } from "react";
import { ask, secondsUntilNext } from "../ask/ask.ts";
import { SessionProvider } from "../ask/session.tsx";
import { ChangePassword, SignIn } from "../pages/sign-in/sign-in.tsx";
import { Fault } from "../ui/states.tsx";
import { Refused } from "../words/refused.ts";
import { comesForTheFirstTime } from "./arrival.tsx";
import { Boundary } from "./boundary.tsx";
import { fetchPage } from "./fetch-page.ts";
import { usePhoneCalls } from "./phone-calls.ts";

const Shell = lazy(async () => {
  const { Shell } = await fetchPage(() => import("./shell.tsx"));
  return { default: Shell };
});

const SecondFactorFirst = lazy(async () => {
  const { SecondFactorFirst } = await fetchPage(() => import("../pages/account/second-factor-first.tsx"));
  return { default: SecondFactorFirst };
});

const waiting = (
  <Center h="100vh" component="main">
    <VisuallyHidden component="h1">Santral</VisuallyHidden>
    <Loader role="progressbar" aria-label="…" />
  </Center>
);

export function SignedIn() {
  const session = useQuery({
    queryKey: ["session.show"],
    queryFn: () => ask("session.show", {}),
    refetchOnWindowFocus: true,
  });
  const isSignedOut = session.error instanceof Refused && secondsUntilNext(session.error) === undefined;
  // While it is asked again the form stays, with what was typed: a code is looked up in another window.
  const wasOut = useRef(false);
  wasOut.current = isSignedOut || (wasOut.current && session.isPending);
  // A session that ends in the middle of a call takes nobody's phone away: he signs in beside it.
  const hasCalls = usePhoneCalls().length > 0;
  const isBeside = useRef(false);
  isBeside.current = wasOut.current && session.data !== undefined && (isBeside.current || hasCalls);
  // Nor does a password that must be changed; once he has begun with that, he may end the call in between.
  const mustChange = session.data?.mustChangePassword === true && !isBeside.current;
  const changesBeside = useRef(false);
  changesBeside.current = mustChange && (changesBeside.current || hasCalls);
  // His recovery codes are shown this once: he stays with them whatever the door says meanwhile.
  const [showsCodes, keepCodes] = useState(false);
  const owesFactor = (session.data?.owesFactor === true && !mustChange && !isBeside.current) || showsCodes;
  const setsUpBeside = useRef(false);
  setsUpBeside.current = owesFactor && (setsUpBeside.current || hasCalls);
  if (wasOut.current && !isBeside.current) return <SignIn />;
  if (session.isPending) return waiting;
  if (!session.data)
    return (
      <Center h="100vh" p="md" component="main">
        <VisuallyHidden component="h1">Santral</VisuallyHidden>
        <Fault fault={session.error} again={() => void session.refetch()} />
      </Center>
    );
  if (mustChange && !changesBeside.current) {
    comesForTheFirstTime();
    return <ChangePassword email={session.data.email} />;
  }
  const factor = (
    <Suspense fallback={waiting}>
      <SecondFactorFirst keep={keepCodes} />
    </Suspense>
  );
  if (owesFactor && !setsUpBeside.current) return <SessionProvider value={session.data}>{factor}</SessionProvider>;
  const outside = isBeside.current ? (
    <SignIn />
  ) : changesBeside.current ? (
    <ChangePassword email={session.data.email} />
  ) : setsUpBeside.current ? (
    factor
  ) : undefined;
  return (
    <SessionProvider value={session.data}>
      <Boundary of="shell">
        <Suspense fallback={waiting}>
          <Shell key={session.data.email} outside={outside} />
        </Suspense>
      </Boundary>
    </SessionProvider>
  );
}
