// The way in: e-mail address and password, the code of a second factor where there is one, and the first password's change.

import { Box, Button, Center, Group, Paper, Text, TextInput, Title } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { ask, signIn } from "../../ask/ask.ts";
import { Icon } from "../../ui/icon.tsx";
import { Preferences } from "../../ui/preferences.tsx";
import { PasswordField, SessionForm } from "../../ui/session-form.tsx";
import { useWords } from "../../words/language.tsx";
import { Refused } from "../../words/refused.ts";
import { Doors } from "./sign-on-door.tsx";
import { texts } from "./texts.ts";

export function SignIn() {
  const words = useWords(texts);
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [code, setCode] = useState<string>();
  const enter = () =>
    signIn({ email, password, ...(code ? { code } : {}) }).catch((fault: unknown) => {
      if (fault instanceof Refused && fault.refusal.refused === "code-needed" && code === undefined) return setCode("");
      throw fault;
    });
  return (
    <Entrance title={words.title}>
      <Doors>
        <SessionForm work={enter}>
          {(isBusy) => (
            <>
              <TextInput
                label={words.email}
                type="email"
                autoComplete="username"
                required
                value={email}
                onChange={(event) => setEmail(event.currentTarget.value)}
              />
              <PasswordField
                label={words.password}
                autoComplete="current-password"
                value={password}
                change={setPassword}
              />
              {code !== undefined && (
                <TextInput
                  label={words.code}
                  description={words.codeAbout}
                  autoComplete="one-time-code"
                  value={code}
                  onChange={(event) => setCode(event.currentTarget.value)}
                />
              )}
              <Button type="submit" loading={isBusy} fullWidth>
                {words.enter}
              </Button>
              <Text size="xs" c="dimmed" ta="center">
                {words.forgotten}
              </Text>
            </>
          )}
        </SessionForm>
      </Doors>
    </Entrance>
  );
}

export function ChangePassword({ email }: { email: string }) {
  const words = useWords(texts);
  return (
    <Entrance title={words.changeTitle} about={words.changeAbout}>
      <PasswordForm email={email} />
    </Entrance>
  );
}

/** Signs in again with the new password: every session that knew the old one has ended. */
export function PasswordForm({ email }: { email: string }) {
  const words = useWords(texts);
  const [oldPassword, setOld] = useState("");
  const [newPassword, setNew] = useState("");
  const [repeated, setRepeated] = useState("");
  const differs = repeated !== "" && repeated !== newPassword;
  const change = async () => {
    if (newPassword !== repeated) return;
    await ask("session.changePassword", { oldPassword, newPassword });
    await signIn({ email, password: newPassword }).catch(() => undefined); // the password is changed either way; one can sign in by hand
  };
  return (
    <SessionForm work={change}>
      {(isBusy) => (
        <>
          <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
          <PasswordField
            label={words.oldPassword}
            autoComplete="current-password"
            value={oldPassword}
            change={setOld}
          />
          <PasswordField
            label={words.newPassword}
            description={words.least}
            autoComplete="new-password"
            minLength={10}
            value={newPassword}
            change={setNew}
          />
          <PasswordField
            label={words.repeat}
            autoComplete="new-password"
            value={repeated}
            error={differs ? words.differ : undefined}
            change={setRepeated}
          />
          <Button type="submit" loading={isBusy}>
            {words.change}
          </Button>
        </>
      )}
    </SessionForm>
  );
}

export function Entrance({ title, about, children }: { title: string; about?: string; children: ReactNode }) {
  return (
    <Box component="main" mih="100vh">
      <Group justify="flex-end" p="sm">
        <Preferences />
      </Group>
      <Center px="md" pt={{ base: 16, sm: 72 }} pb="xl">
        <Paper className="surface" p={{ base: "lg", sm: "xl" }} w="100%" maw={420}>
          <Group gap="sm" mb="lg">
            <Icon name="brand" size={30} />
            <Text fw={700} size="lg">
              Santral
            </Text>
          </Group>
          <Title order={1} size="h3">
            {title}
          </Title>
          {about && (
            <Text c="dimmed" size="sm" mt={4}>
              {about}
            </Text>
          )}
          <Box mt="md">{children}</Box>
        </Paper>
      </Center>
    </Box>
  );
}
