// A second factor is taken over by an app: its square code, and the first code that the app shows for it.

import { Button, Center, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { renderSVG } from "uqr";
import { ask, type Reply } from "../../ask/ask.ts";
import { PasswordField, SessionForm } from "../../ui/session-form.tsx";
import { useWords } from "../../words/language.tsx";
import { texts } from "./texts.ts";

type Confirming = { begun: Reply<"totp.begin">; show(codes: string[]): void };

export function ConfirmForm({ begun: { secret, uri }, show }: Confirming) {
  const words = useWords(texts);
  const [code, setCode] = useState("");
  const [password, setPassword] = useState("");
  return (
    <SessionForm work={() => ask("totp.confirm", { secret, code, password }).then(({ codes }) => show(codes))}>
      {(isBusy) => (
        <>
          <Text size="sm">{words.scan}</Text>
          <Center>
            <img width={180} height={180} alt="" src={`data:image/svg+xml,${encodeURIComponent(renderSVG(uri))}`} />
          </Center>
          <Text ff="monospace" size="sm" ta="center" style={{ overflowWrap: "anywhere" }}>
            {secret}
          </Text>
          <TextInput
            label={words.code}
            inputMode="numeric"
            required
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
          />
          <PasswordField label={words.present} value={password} change={setPassword} />
          <Button type="submit" loading={isBusy}>
            {words.confirm}
          </Button>
        </>
      )}
    </SessionForm>
  );
}
