// Recovery codes: how many are left, ten new ones, and the one moment in which they are shown.

import { Alert, Button, Code, Group, SimpleGrid, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { ask } from "../../ask/ask.ts";
import { FEW_CODES } from "../../ask/few-codes.ts";
import { useSession } from "../../ask/session.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Icon } from "../../ui/icon.tsx";
import { PasswordField, SessionForm } from "../../ui/session-form.tsx";
import { useWords } from "../../words/language.tsx";
import { texts } from "./texts.ts";

export function RenewForm({ show }: { show(codes: string[]): void }) {
  const words = useWords(texts);
  const { codesLeft } = useSession();
  const [password, setPassword] = useState("");
  const renew = async () => {
    const { codes } = await ask("recoveryCodes.renew", { password });
    setPassword("");
    show(codes);
  };
  return (
    <Stack gap="xs">
      <Text fw={600} size="sm">
        {words.codes}
      </Text>
      {codesLeft <= FEW_CODES ? (
        <Alert color="yellow" icon={<Icon name="key" />}>
          {codesLeft === 0 ? words.noCodes : words.fewCodes(codesLeft)}
        </Alert>
      ) : (
        <Text size="sm" c="dimmed">
          {words.codesLeft(codesLeft)}
        </Text>
      )}
      <SessionForm work={renew}>
        {(isBusy) => (
          <Group align="flex-end">
            <PasswordField flex={1} label={words.presentForCodes} value={password} change={setPassword} />
            <Button type="submit" variant="light" loading={isBusy}>
              {words.renew}
            </Button>
          </Group>
        )}
      </SessionForm>
    </Stack>
  );
}

export function CodesOnce({ codes, close }: { codes: readonly string[]; close(): void }) {
  const words = useWords(texts);
  const { email } = useSession();
  const file = [`Santral · ${email}`, words.codesFile, "", ...codes, ""].join("\r\n");
  return (
    <Dialog opened close={close} title={words.codes} size="lg">
      <Stack>
        <Alert color="yellow" icon={<Icon name="key" />}>
          {words.codesOnce}
        </Alert>
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" data-testid="recovery-codes">
          {codes.map((code) => (
            <Code key={code} fz="sm" ta="center" p={6}>
              {code}
            </Code>
          ))}
        </SimpleGrid>
        <Group justify="flex-end">
          <Button
            component="a"
            variant="light"
            download="santral-recovery-codes.txt"
            href={`data:text/plain;charset=utf-8,${encodeURIComponent(file)}`}
            leftSection={<Icon name="download" />}
          >
            {words.downloadCodes}
          </Button>
          <Button onClick={close}>{words.codesKept}</Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
