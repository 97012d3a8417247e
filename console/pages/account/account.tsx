// My account: password, second factor, and where I am signed in.

import { Alert, Button, Group, SimpleGrid, Stack } from "@mantine/core";
import { useState } from "react";
import { ask, type Reply } from "../../ask/ask.ts";
import { useSession } from "../../ask/session.tsx";
import { useStamps } from "../../ask/stamps.ts";
import { useAsk, useDo } from "../../ask/use-ask.ts";
import { DeleteIcon } from "../../ui/buttons.tsx";
import { PageFrame, Surface } from "../../ui/page.tsx";
import { Rows, useRowButtons } from "../../ui/rows.tsx";
import { PasswordField, SessionForm } from "../../ui/session-form.tsx";
import { Asked } from "../../ui/states.tsx";
import { useWords } from "../../words/language.tsx";
import { PasswordForm } from "../sign-in/sign-in.tsx";
import { ConfirmForm } from "./confirm-form.tsx";
import { CodesOnce, RenewForm } from "./recovery-codes.tsx";
import { SignIns } from "./sign-ins.tsx";
import { texts } from "./texts.ts";

export function Account() {
  const words = useWords(texts);
  const { name, email, acceptsPassword } = useSession();
  return (
    <PageFrame title={words.title} about={`${name} · ${email}`}>
      {acceptsPassword ? (
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
          <Surface title={words.password}>
            <Stack p="md">
              <PasswordForm email={email} />
            </Stack>
          </Surface>
          <SecondFactor />
        </SimpleGrid>
      ) : (
        <Alert color="gray">{words.onlySignOn}</Alert>
      )}
      <SignIns />
      <Sessions />
    </PageFrame>
  );
}

function SecondFactor() {
  const words = useWords(texts);
  const { hasTotp } = useSession();
  const begin = useDo("totp.begin");
  const [begun, setBegun] = useState<Reply<"totp.begin">>();
  const [codes, setCodes] = useState<readonly string[]>();
  return (
    <Surface title={words.second}>
      <Stack p="md">
        <Alert color={hasTotp ? "teal" : "gray"}>{hasTotp ? words.secondOn : words.secondOff}</Alert>
        {hasTotp ? (
          <>
            <RenewForm show={setCodes} />
            <DropForm />
          </>
        ) : begun ? (
          <ConfirmForm begun={begun} show={setCodes} />
        ) : (
          <Button variant="light" onClick={() => void begin({}).then(setBegun)}>
            {words.begin}
          </Button>
        )}
        {codes && <CodesOnce codes={codes} close={() => setCodes(undefined)} />}
      </Stack>
    </Surface>
  );
}

function DropForm() {
  const words = useWords(texts);
  const [password, setPassword] = useState("");
  return (
    <SessionForm work={() => ask("totp.drop", { password })}>
      {(isBusy) => (
        <Group align="flex-end">
          <PasswordField flex={1} label={words.presentToDrop} value={password} change={setPassword} />
          <Button type="submit" variant="light" color="red" loading={isBusy}>
            {words.drop}
          </Button>
        </Group>
      )}
    </SessionForm>
  );
}

function Sessions() {
  const words = useWords(texts);
  const { dateTime } = useStamps();
  const sessions = useAsk("session.list", {});
  const end = useDo("session.end", words.ended);
  const buttons = useRowButtons<Reply<"session.list">[number]>(({ id, isThis, address }) =>
    isThis ? "—" : <DeleteIcon does="session.end" what={address} act={() => end({ id })} />,
  );
  return (
    <Surface title={words.sessions}>
      <Asked query={sessions}>
        {(rows) => (
          <Rows
            label={words.sessions}
            rows={rows}
            keyOf={({ id }) => id}
            empty={{ icon: "person" }}
            columns={[
              {
                title: words.browser,
                show: ({ browser, isThis }) => `${browser.slice(0, 60)}${isThis ? ` (${words.thisOne})` : ""}`,
              },
              { title: words.address, show: ({ address }) => address },
              { title: words.since, show: ({ createdAt }) => dateTime(createdAt) },
              { title: words.seen, show: ({ lastSeenAt }) => dateTime(lastSeenAt) },
              buttons,
            ]}
          />
        )}
      </Asked>
    </Surface>
  );
}
