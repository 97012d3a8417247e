// CRM events: which are told, where, and a button that tries it out.

import { Alert, Group, Stack, Switch, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { EVENT_SWITCHES, type EventSwitch, eventSwitches } from "../../../src/nouns/exchange.ts";
import type { Reply } from "../../ask/ask.ts";
import { useAsk, useDo } from "../../ask/use-ask.ts";
import { DoButton, ShownOnce } from "../../ui/buttons.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Surface } from "../../ui/page.tsx";
import { Asked } from "../../ui/states.tsx";
import { useDraft } from "../../ui/use-draft.ts";
import { useLanguage, useWords } from "../../words/language.tsx";
import { general } from "../../words/texts.ts";
import { FormLines } from "./form-lines.tsx";
import { texts } from "./texts.ts";

type Wanted = Record<EventSwitch, boolean>;

export function Events() {
  const settings = useAsk("settings.show", {});
  return <Asked query={settings}>{(shown) => <EventsForm settings={shown} />}</Asked>;
}

function EventsForm({ settings }: { settings: Reply<"settings.show"> }) {
  const words = useWords(texts);
  const { save, saved } = useWords(general);
  const update = useDo("crm.update", saved);
  const { language } = useLanguage();
  const wanted = Object.fromEntries(EVENT_SWITCHES.map((event) => [event, settings[`crm_${event}`]]));
  const { draft, change, saved: isSaved } = useDraft({ url: settings.crm_url ?? "", ...wanted });
  const submit = async () => {
    const { url, ...events } = draft as Wanted & { url: string }; // as above
    const done = await update({ ...events, ...(url === (settings.crm_url ?? "") ? {} : { notification_url: url }) });
    if (done) isSaved(draft);
  };
  return (
    <Surface title={words.tabEvents}>
      <Stack p="md" pt="xs" maw={720}>
        <Text size="sm" c="dimmed">
          {words.eventsAbout}
        </Text>
        <TextInput
          label={words.url}
          type="url"
          placeholder="https://crm.example.com/calls"
          value={String(draft.url)}
          onChange={(event) => change("url", event.currentTarget.value)}
        />
        <Group>
          {EVENT_SWITCHES.map((event) => (
            <Switch
              key={event}
              label={eventSwitches[event].label[language]}
              checked={draft[event] === true}
              onChange={({ currentTarget: { checked } }) => change(event, checked)}
            />
          ))}
        </Group>
        <Group>
          <DoButton does="crm.update" loading={update.isBusy} act={() => void submit()}>
            {save}
          </DoButton>
          <Secret />
        </Group>
        <TryOut />
      </Stack>
    </Surface>
  );
}

function Secret() {
  const words = useWords(texts);
  const show = useDo("crm.secret");
  const [secret, tell] = useState<string>();
  return (
    <>
      <DoButton does="crm.secret" variant="default" act={() => void show({}).then((shown) => tell(shown?.secret))}>
        {words.secret}
      </DoButton>
      {secret && (
        <ShownOnce title={words.secretTitle} facts={[["X-Santral-Signature", secret]]} close={() => tell(undefined)} />
      )}
    </>
  );
}

function TryOut() {
  const words = useWords(texts);
  const test = useDo("crm.test");
  const [tried, setTried] = useState<Reply<"crm.test">>();
  const status = tried && "status" in tried.answer ? tried.answer.status : undefined;
  const isGood = status !== undefined && status >= 200 && status < 300;
  return (
    <Stack gap="xs">
      <DoButton
        does="crm.test"
        variant="light"
        leftSection={<Icon name="out" />}
        loading={test.isBusy}
        act={() => void test({}).then(setTried)}
        style={{ alignSelf: "flex-start" }}
      >
        {words.test}
      </DoButton>
      {tried && (
        <Alert color={isGood ? "teal" : "red"} title={isGood ? words.testOk : words.testFailed} role="status">
          <Text size="sm">
            {"status" in tried.answer ? `HTTP ${tried.answer.status}` : tried.answer.failed} · {tried.tookMs} ms
          </Text>
          <FormLines body={tried.body} mt="xs" />
        </Alert>
      )}
    </Stack>
  );
}
