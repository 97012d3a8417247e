// My account: password, second factor, and where I am signed in.

import { Alert, Button, Center, Group, SimpleGrid, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { renderSVG } from "uqr";
import { useStamps } from "../../app/stamps.ts";
import { ask, type Reply } from "../../ask/ask.ts";
import { useSession } from "../../ask/session.tsx";
import { useAsk, useDo } from "../../ask/use-ask.ts";
import { DeleteIcon } from "../../ui/buttons.tsx";
import { PageFrame, Surface } from "../../ui/page.tsx";
import { Rows, useRowButtons } from "../../ui/rows.tsx";
import { PasswordField, SessionForm } from "../../ui/session-form.tsx";
import { Asked } from "../../ui/states.tsx";
import { inBoth, useWords } from "../../words/language.tsx";
import { PasswordForm } from "../sign-in/sign-in.tsx";

const texts = inBoth({
  title: { tr: "Hesabım", en: "My account" },
  password: { tr: "Parola", en: "Password" },
  present: { tr: "Parolanız", en: "Your password" },
  second: { tr: "İki adımlı doğrulama", en: "Second factor" },
  secondOff: {
    tr: "Kapalı. Açarsanız girişte telefonunuzdaki doğrulama uygulamasının kodu da istenir.",
    en: "Off. When it is on, signing in also takes a code of the authenticator app on your phone.",
  },
  secondOn: { tr: "Açık. Girişte kod istenir.", en: "On. Signing in takes a code." },
  begin: { tr: "Aç", en: "Switch on" },
  drop: { tr: "Kapat", en: "Switch off" },
  scan: { tr: "Kodu uygulamanızla okutun ya da anahtarı yazın:", en: "Scan this with your app, or type the key:" },
  code: { tr: "Uygulamanın gösterdiği kod", en: "The code your app shows" },
  confirm: { tr: "Onayla", en: "Confirm" },
  sessions: { tr: "Oturumlar", en: "Sessions" },
  thisOne: { tr: "bu oturum", en: "this one" },
  since: { tr: "Açıldı", en: "Since" },
  seen: { tr: "Son görülme", en: "Last seen" },
  address: { tr: "Adres", en: "Address" },
  browser: { tr: "Tarayıcı", en: "Browser" },
  ended: { tr: "Oturum kapatıldı", en: "The session is ended" },
});

export function Account() {
  const words = useWords(texts);
  const { name, email } = useSession();
  return (
    <PageFrame title={words.title} about={`${name} · ${email}`}>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
        <Surface title={words.password}>
          <Stack p="md">
            <PasswordForm email={email} />
          </Stack>
        </Surface>
        <SecondFactor />
      </SimpleGrid>
      <Sessions />
    </PageFrame>
  );
}

function SecondFactor() {
  const words = useWords(texts);
  const { hasTotp } = useSession();
  const begin = useDo("totp.begin");
  const [begun, setBegun] = useState<Reply<"totp.begin">>();
  return (
    <Surface title={words.second}>
      <Stack p="md">
        <Alert color={hasTotp ? "teal" : "gray"}>{hasTotp ? words.secondOn : words.secondOff}</Alert>
        {hasTotp ? (
          <DropForm />
        ) : begun ? (
          <ConfirmForm begun={begun} />
        ) : (
          <Button variant="light" onClick={() => void begin({}).then(setBegun)}>
            {words.begin}
          </Button>
        )}
      </Stack>
    </Surface>
  );
}

function ConfirmForm({ begun: { secret, uri } }: { begun: Reply<"totp.begin"> }) {
  const words = useWords(texts);
  const [code, setCode] = useState("");
  const [password, setPassword] = useState("");
  return (
    <SessionForm work={() => ask("totp.confirm", { secret, code, password })}>
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

function DropForm() {
  const words = useWords(texts);
  const [password, setPassword] = useState("");
  return (
    <SessionForm work={() => ask("totp.drop", { password })}>
      {(isBusy) => (
        <Group align="flex-end">
          <PasswordField flex={1} label={words.present} value={password} change={setPassword} />
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
