// Single sign-on: the exchange's provider, who comes in by it, and a trial before anything is kept.

import { Alert, Badge, Button, Code, CopyButton, Group, SimpleGrid, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { singleSignOn } from "../../../../src/nouns/single-sign-on.ts";
import { ssoTroubleInWords } from "../../../../src/words/sso-troubles.ts";
import type { Parameters, Reply } from "../../../ask/ask.ts";
import { useSession } from "../../../ask/session.tsx";
import { useAsk, useDo } from "../../../ask/use-ask.ts";
import { DoButton } from "../../../ui/buttons.tsx";
import { changesBetween, type Draft, type Field } from "../../../ui/field.ts";
import { FieldInput } from "../../../ui/field-input.tsx";
import { blankOf } from "../../../ui/noun-form.ts";
import { Surface } from "../../../ui/page.tsx";
import { Asked } from "../../../ui/states.tsx";
import { useDraft } from "../../../ui/use-draft.ts";
import { useNoun } from "../../../ui/use-noun.ts";
import { useLanguage, useWords } from "../../../words/language.tsx";
import { general } from "../../../words/texts.ts";
import { texts } from "./texts.ts";

type Shown = Reply<"sso.show">;
type Changes = Parameters<"sso.update">["changes"];

export function SignOn() {
  const shown = useAsk("sso.show", {});
  return (
    <Asked query={shown}>
      {(reply) => (
        <Stack>
          <Addresses {...reply} />
          <SignOnForm {...reply} />
        </Stack>
      )}
    </Asked>
  );
}

/** What has to be told to the provider, and to the staff. */
function Addresses({ origin, callback, settings }: Shown) {
  const words = useWords(texts);
  const { exchange } = useSession();
  const here = origin ?? window.location.origin;
  const facts: [label: string, value: string][] = [
    [words.redirect, `${here}${callback}`],
    [words.afterLogOut, `${here}/console`],
    [words.signInAt, `${here}/console?exchange=${exchange.sipDomain}`],
  ];
  return (
    <Surface
      title={words.title}
      actions={
        <Badge color={settings?.active ? "teal" : "gray"} variant="light">
          {settings?.active ? words.on : words.off}
        </Badge>
      }
    >
      <Stack p="md" pt="xs" gap="xs">
        <Text size="sm" c="dimmed">
          {words.about} {words.register}
        </Text>
        {facts.map(([label, value]) => (
          <Address key={label} label={label} value={value} />
        ))}
      </Stack>
    </Surface>
  );
}

function Address({ label, value }: { label: string; value: string }) {
  const { copy: toCopy, copied: isCopied } = useWords(general);
  return (
    <Group justify="space-between" wrap="nowrap" gap="sm">
      <Stack gap={2} miw={0}>
        <Text size="sm" c="dimmed">
          {label}
        </Text>
        <Code fz="sm" style={{ overflowWrap: "anywhere" }}>
          {value}
        </Code>
      </Stack>
      <CopyButton value={value}>
        {({ copied, copy }) => (
          <Button size="xs" variant="light" onClick={copy} style={{ flexShrink: 0 }} aria-label={`${toCopy}: ${label}`}>
            {copied ? isCopied : toCopy}
          </Button>
        )}
      </CopyButton>
    </Group>
  );
}

function SignOnForm({ settings }: Shown) {
  const words = useWords(texts);
  const { save, saved } = useWords(general);
  const fields = useNoun(singleSignOn);
  const update = useDo("sso.update", saved);
  const off = useDo("sso.off", words.isOff);
  const before: Draft = { ...blankOf(singleSignOn), ...settings, client_secret: "" };
  const { draft, change, saved: isSaved } = useDraft(before);
  const own = Object.fromEntries(Object.entries(draft).filter(([name]) => Object.hasOwn(fields, name)));
  const changes = typed(changesBetween(settings ? before : {}, own)) as Changes; // the form has its fields
  const submit = () => update({ changes }).then((done) => done && isSaved(draft));
  return (
    <Stack>
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
        {groupsOf(fields).map(([title, group]) => (
          <Surface key={title} title={title}>
            <Stack gap="sm" p="md" pt="xs">
              {group.map(([name, field]) => (
                <FieldInput
                  key={name}
                  field={
                    name === "client_secret" && settings?.has_client_secret
                      ? { ...field, about: words.secretKept }
                      : field
                  }
                  value={draft[name]}
                  change={(next) => change(name, next)}
                />
              ))}
            </Stack>
          </Surface>
        ))}
      </SimpleGrid>
      <TryOut changes={changes} />
      <Group>
        <DoButton does="sso.update" loading={update.isBusy} act={() => void submit()}>
          {save}
        </DoButton>
        {settings?.active && (
          <DoButton does="sso.off" variant="default" loading={off.isBusy} act={() => void off({})}>
            {words.switchOff}
          </DoButton>
        )}
      </Group>
    </Stack>
  );
}

function groupsOf(fields: Record<string, Field>): [title: string, fields: [name: string, field: Field][]][] {
  const titles = [...new Set(Object.values(fields).map(({ under }) => under ?? ""))];
  return titles.map((title) => [title, Object.entries(fields).filter(([, { under }]) => (under ?? "") === title)]);
}

/** A secret that was not typed stays as it is. */
function typed({ client_secret, ...changes }: Draft): Draft {
  return client_secret ? { ...changes, client_secret } : changes;
}

function TryOut({ changes }: { changes: Changes }) {
  const words = useWords(texts);
  const { language } = useLanguage();
  const test = useDo("sso.test");
  const [tried, setTried] = useState<Reply<"sso.test">>();
  return (
    <Stack gap="xs">
      <DoButton
        does="sso.test"
        variant="light"
        loading={test.isBusy}
        act={() => void test({ changes }).then(setTried)}
        style={{ alignSelf: "flex-start" }}
      >
        {words.test}
      </DoButton>
      {tried?.ok && (
        <Alert color="teal" title={words.testOk} role="status">
          <Text size="sm">
            {tried.client === "known" ? words.clientKnown : words.clientUnsaid}{" "}
            {tried.logsOut ? words.logsOut : words.staysIn}
          </Text>
        </Alert>
      )}
      {tried?.ok === false && (
        <Alert color="red" title={words.testFailed} role="status">
          <Text size="sm">{ssoTroubleInWords(tried.why, language)}</Text>
        </Alert>
      )}
    </Stack>
  );
}
