// The door of the exchange's own provider, where there is one.

import { Alert, Anchor, Button, Divider, Stack, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { isTrouble, ssoTroubleInWords } from "../../../src/words/sso-troubles.ts";
import { askDoor, beginSignOn } from "../../ask/ask.ts";
import { useLanguage, useWords } from "../../words/language.tsx";
import { faultInWords } from "../../words/refusals.ts";
import { texts } from "./texts.ts";

/** `children` is the way in by a password. */
export function Doors({ children }: { children: ReactNode }) {
  const words = useWords(texts);
  const [exchange, setExchange] = useState(() => new URLSearchParams(location.search).get("exchange") ?? "");
  const [wantsPassword, setWantsPassword] = useState(false);
  const { data } = useQuery({ queryKey: ["sso.door", exchange], queryFn: () => askDoor(exchange), retry: false });
  const door = data?.door;
  const showsPassword = !door || door.passwords || wantsPassword;
  return (
    <Stack>
      <CameBack />
      {door && <SignOnButton exchangeId={door.exchangeId} label={door.label} />}
      {door && showsPassword && <Divider label={words.or} />}
      {showsPassword && children}
      {!showsPassword && (
        <Anchor component="button" type="button" size="sm" onClick={() => setWantsPassword(true)}>
          {words.emergency}
        </Anchor>
      )}
      {data && !door && (data.several || exchange !== "") && <FindDoor typed={exchange} find={setExchange} />}
    </Stack>
  );
}

/** Whoever was at the provider and did not come in is told why. */
function CameBack() {
  const { language } = useLanguage();
  const trouble = new URLSearchParams(location.search).get("sso") ?? "";
  if (!isTrouble(trouble)) return null;
  return (
    <Alert color="red" role="alert">
      {ssoTroubleInWords(trouble, language)}
    </Alert>
  );
}

function SignOnButton({ exchangeId, label }: { exchangeId: number; label: string }) {
  const words = useWords(texts);
  const { language } = useLanguage();
  const [problem, setProblem] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const leave = () => {
    setBusy(true);
    setProblem(undefined);
    beginSignOn(exchangeId, location.pathname.replace(/^\/console|\/$/g, ""))
      .then(({ url }) => location.assign(url))
      .catch((fault: unknown) => {
        setProblem(fault);
        setBusy(false);
      });
  };
  return (
    <>
      {problem !== undefined && (
        <Alert color="red" role="alert">
          {faultInWords(problem, language)}
        </Alert>
      )}
      <Button variant="light" fullWidth loading={isBusy} onClick={leave}>
        {label === "" ? words.signOn : words.signOnWith(label)}
      </Button>
    </>
  );
}

/** A server with several exchanges does not tell whose doors it has: one says which is one's own. */
function FindDoor({ typed, find }: { typed: string; find(exchange: string): void }) {
  const words = useWords(texts);
  const [isOpen, setOpen] = useState(typed !== "");
  const [exchange, setExchange] = useState(typed);
  if (!isOpen)
    return (
      <Anchor component="button" type="button" size="sm" onClick={() => setOpen(true)}>
        {words.signOn}
      </Anchor>
    );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        find(exchange.trim());
      }}
    >
      <Stack gap="xs">
        <TextInput
          label={words.domain}
          placeholder="exchange.example.com"
          required
          value={exchange}
          error={typed !== "" && typed === exchange.trim() ? words.noDoor : undefined}
          onChange={(event) => setExchange(event.currentTarget.value)}
        />
        <Button type="submit" variant="light">
          {words.goOn}
        </Button>
      </Stack>
    </form>
  );
}
