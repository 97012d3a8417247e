// Asks whoever sits at the desk again who he is, before something is handed out that lets somebody in later.

import { Button, Divider, Group, Stack, Text, TextInput } from "@mantine/core";
import { useEffect, useState } from "react";
import { askDoor, beginSignOn, letProve, prove } from "../ask/ask.ts";
import { useSession } from "../ask/session.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { PasswordField, SessionForm } from "../ui/session-form.tsx";
import { useWords } from "../words/language.tsx";
import { general } from "../words/texts.ts";
import { proofTexts } from "./texts.ts";

type Asked = { answered: Promise<boolean>; answer(isProven: boolean): void };

export function ProveAgain() {
  const words = useWords(proofTexts);
  const { door, acceptsPassword } = useSession();
  const [asked, setAsked] = useState<Asked>();
  useEffect(() => {
    let now: Asked | undefined;
    return letProve(() => {
      now ??= newQuestion(() => {
        now = undefined;
        setAsked(undefined);
      });
      setAsked(now);
      return now.answered;
    });
  }, []);
  if (!asked) return null;
  return (
    <Dialog opened close={() => asked.answer(false)} title={words.title}>
      <Stack>
        <Text size="sm">{words.about}</Text>
        {door === "oidc" && <ByProvider />}
        {door === "oidc" && acceptsPassword && <Divider label={words.or} />}
        {(acceptsPassword || door !== "oidc") && <ByPassword asked={asked} />}
      </Stack>
    </Dialog>
  );
}

function newQuestion(over: () => void): Asked {
  let answer: (isProven: boolean) => void = () => undefined;
  const answered = new Promise<boolean>((resolve) => {
    answer = (isProven) => {
      over();
      resolve(isProven);
    };
  });
  return { answered, answer: (isProven) => answer(isProven) };
}

function ByPassword({ asked }: { asked: Asked }) {
  const words = useWords(proofTexts);
  const { cancel } = useWords(general);
  const { hasTotp } = useSession();
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  const show = () => prove({ password, ...(code ? { code } : {}) }).then(() => asked.answer(true));
  return (
    <SessionForm work={show}>
      {(isBusy) => (
        <>
          <PasswordField
            label={words.password}
            autoComplete="current-password"
            data-autofocus
            value={password}
            change={setPassword}
          />
          {hasTotp && (
            <TextInput
              label={words.code}
              required
              autoComplete="one-time-code"
              value={code}
              onChange={(event) => setCode(event.currentTarget.value)}
            />
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={() => asked.answer(false)}>
              {cancel}
            </Button>
            <Button type="submit" loading={isBusy}>
              {words.goOn}
            </Button>
          </Group>
        </>
      )}
    </SessionForm>
  );
}

/** The page is left for that. */
function ByProvider() {
  const words = useWords(proofTexts);
  const { exchange } = useSession();
  const leave = async () => {
    const { door } = await askDoor(exchange.sipDomain);
    if (!door) return;
    const { url } = await beginSignOn(door.exchangeId, location.pathname.replace(/^\/console|\/$/g, ""), true);
    location.assign(url);
  };
  return (
    <SessionForm work={leave}>
      {(isBusy) => (
        <Button type="submit" variant="light" fullWidth loading={isBusy}>
          {words.signOn}
        </Button>
      )}
    </SessionForm>
  );
}
