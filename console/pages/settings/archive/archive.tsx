// Where recordings are put outside: its fields by kind, a trial before anything is kept, and how far it has got.

import { Alert, Group, SimpleGrid, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { archive as archiveNoun } from "../../../../src/nouns/archive.ts";
import { archiveTroubleInWords, probeInWords } from "../../../../src/words/archive-troubles.ts";
import type { Parameters, Reply } from "../../../ask/ask.ts";
import { useStamps } from "../../../ask/stamps.ts";
import { useAsk, useDo } from "../../../ask/use-ask.ts";
import { DeleteIcon, DoButton } from "../../../ui/buttons.tsx";
import { changesBetween, type Draft } from "../../../ui/field.ts";
import { FieldInput } from "../../../ui/field-input.tsx";
import { blankOf } from "../../../ui/noun-form.ts";
import { Surface } from "../../../ui/page.tsx";
import { Rows, useRowButtons } from "../../../ui/rows.tsx";
import { Asked } from "../../../ui/states.tsx";
import { useDraft } from "../../../ui/use-draft.ts";
import { useNoun } from "../../../ui/use-noun.ts";
import { useLanguage, useWords } from "../../../words/language.tsx";
import { general } from "../../../words/texts.ts";
import { texts } from "./texts.ts";

type Shown = Reply<"archive.show">;
type Changes = Parameters<"archive.update">["changes"];

/** What else each kind asks for; the rest they have in common. */
const asked: Record<string, readonly string[]> = {
  s3: ["url", "region", "bucket", "addressing", "prefix", "user"],
  webdav: ["url", "prefix", "user"],
  "google-drive": ["folder"],
};
const always = ["kind", "secret", "after_days", "local_days"];

export function Archive() {
  const shown = useAsk("archive.show", {});
  return (
    <Asked query={shown}>
      {(reply) => (
        <Stack>
          <ArchiveForm {...reply} />
          <Progress {...reply} />
          {reply.places.length > 0 && <Places {...reply} />}
        </Stack>
      )}
    </Asked>
  );
}

function ArchiveForm({ settings }: Shown) {
  const words = useWords(texts);
  const { save, saved } = useWords(general);
  const fields = useNoun(archiveNoun);
  const update = useDo("archive.update", saved);
  const off = useDo("archive.off", words.isOff);
  const before: Draft = settings ? { ...settings, secret: "" } : { ...blankOf(archiveNoun), secret: "" };
  const { draft, change, saved: isSaved } = useDraft(before);
  const kept = settings ? before : blankOf(archiveNoun);
  const own = Object.fromEntries(Object.entries(draft).filter(([name]) => Object.hasOwn(fields, name)));
  const changes = { ...typed(changesBetween(kept, own)), ...(settings ? {} : { kind: draft.kind }) } as Changes; // the form has its fields
  const submit = () => update({ changes }).then((done) => done && isSaved(draft));
  const isAsked = (name: string) => always.includes(name) || (asked[String(draft.kind)] ?? []).includes(name);
  return (
    <Surface title={words.title}>
      <Stack p="md" pt="xs">
        <Text size="sm" c="dimmed">
          {words.about}
        </Text>
        <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="sm">
          {Object.entries(fields)
            .filter(([name]) => isAsked(name))
            .map(([name, field]) => (
              <FieldInput
                key={name}
                field={name === "secret" && settings?.has_secret ? { ...field, about: words.secretKept } : field}
                value={draft[name]}
                change={(next) => change(name, next)}
              />
            ))}
        </SimpleGrid>
        <Group>
          <DoButton does="archive.update" loading={update.isBusy} act={() => void submit()}>
            {settings?.active === false ? words.switchOn : save}
          </DoButton>
          {settings?.active && (
            <DoButton does="archive.off" variant="default" loading={off.isBusy} act={() => void off({})}>
              {words.switchOff}
            </DoButton>
          )}
        </Group>
        <TryOut changes={changes} />
      </Stack>
    </Surface>
  );
}

/** A secret that was not typed stays as it is. */
function typed({ secret, ...changes }: Draft): Draft {
  return secret ? { ...changes, secret } : changes;
}

function TryOut({ changes }: { changes: Changes }) {
  const words = useWords(texts);
  const { language } = useLanguage();
  const test = useDo("archive.test");
  const [tried, setTried] = useState<Reply<"archive.test">>();
  return (
    <Stack gap="xs">
      <DoButton
        does="archive.test"
        variant="light"
        loading={test.isBusy}
        act={() => void test({ changes }).then(setTried)}
        style={{ alignSelf: "flex-start" }}
      >
        {words.test}
      </DoButton>
      {tried && (
        <Alert color={tried.ok ? "teal" : "red"} title={tried.ok ? words.testOk : words.testFailed} role="status">
          <Text size="sm">{tried.ok ? words.testOkAbout : probeInWords(tried, language)}</Text>
        </Alert>
      )}
    </Stack>
  );
}

function Progress({ settings, counts }: Shown) {
  const words = useWords(texts);
  const { language } = useLanguage();
  const { dateTime } = useStamps();
  if (!settings) return null;
  const trouble = settings.trouble && archiveTroubleInWords(settings.trouble, language);
  return (
    <Surface title={words.progress}>
      <Stack p="md" pt="xs" gap="xs">
        <Text size="sm">{settings.active ? words.goesTo(settings.place) : words.isOff}</Text>
        <Text size="sm">{words.counts(counts)}</Text>
        {trouble && (
          <Alert color="red" title={words.failing} role="alert">
            <Text size="sm">
              {trouble} · {settings.troubleSince && words.since(dateTime(settings.troubleSince))}
            </Text>
          </Alert>
        )}
      </Stack>
    </Surface>
  );
}

function Places({ places }: Shown) {
  const words = useWords(texts);
  const { removed } = useWords(general);
  const { language } = useLanguage();
  const forget = useDo("archive.delete", removed);
  const buttons = useRowButtons<Shown["places"][number]>(({ id, place }) => (
    <DeleteIcon does="archive.delete" what={place} act={() => forget({ id })} />
  ));
  return (
    <Surface title={words.earlier}>
      <Text c="dimmed" size="sm" px="md" pb="xs">
        {words.earlierAbout}
      </Text>
      <Rows
        label={words.earlier}
        rows={places}
        keyOf={({ id }) => id}
        empty={{ icon: "out", says: "" }}
        columns={[
          { title: words.place, show: ({ place }) => place },
          { title: words.recordings, show: ({ recordings }) => String(recordings) },
          { title: words.state, show: ({ trouble }) => (trouble ? archiveTroubleInWords(trouble, language) : "—") },
          buttons,
        ]}
      />
    </Surface>
  );
}
