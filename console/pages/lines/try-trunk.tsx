// A trunk tried out: what the carrier says now, and a test call by it whose story is watched as it happens.

import { Alert, Button, Group, SegmentedControl, Stack, Text, TextInput, Title } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { answerInWords, testInWords, troubleInWords } from "../../../src/words/trunk-troubles.ts";
import type { Reply } from "../../ask/ask.ts";
import { useSession } from "../../ask/session.tsx";
import { useAsk, useDo } from "../../ask/use-ask.ts";
import { DoButton } from "../../ui/buttons.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Icon } from "../../ui/icon.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { Ladder } from "../calls/ladder.tsx";
import { Story } from "../calls/story.tsx";
import { texts } from "./texts.ts";

type Check = Reply<"trunks.check">;
type Asked = Check["alive"];

/** One watches each step. */
const LOOK_AGAIN_MS = 1_000;

export function TryTrunk({ name, isActive, close }: { name: string; isActive: boolean; close(): void }) {
  const words = useWords(texts);
  const [callUuid, watch] = useState<string>();
  return (
    <Dialog opened close={close} title={`${words.test}: ${name}`} size="xl">
      {isActive ? (
        <Stack gap="lg">
          <AskNow name={name} />
          <TestCall name={name} watch={watch} />
          {callUuid && <Watched key={callUuid} uuid={callUuid} />}
        </Stack>
      ) : (
        <Text>{words.notActive}</Text>
      )}
    </Dialog>
  );
}

function AskNow({ name }: { name: string }) {
  const words = useWords(texts);
  const { language } = useLanguage();
  const [said, hear] = useState<Check>();
  const check = useDo("trunks.check");
  return (
    <Stack gap="xs" align="flex-start">
      <Text size="sm" c="dimmed">
        {words.askAbout}
      </Text>
      <DoButton
        does="trunks.check"
        act={() => void check({ name }).then(hear)}
        loading={check.isBusy}
        variant="light"
        leftSection={<Icon name="refresh" />}
      >
        {words.ask}
      </DoButton>
      {said && (
        <Stack gap={4} role="status">
          {said.trouble && <Text c="red">{troubleInWords(said.trouble, language)}</Text>}
          <Answer label={words.alive} asked={said.alive} />
          {said.registered && <Answer label={words.login} asked={said.registered} />}
        </Stack>
      )}
    </Stack>
  );
}

/** To a sign of life any answer is a good one. */
function Answer({ label, asked: { answer, isWell, latencyMs } }: { label: string; asked: Asked }) {
  const words = useWords(texts);
  const { language } = useLanguage();
  const said = isWell ? `${words.well} (${answer}, ${latencyMs} ms)` : answerInWords(answer, language);
  return (
    <Group gap={6}>
      <Icon name={isWell ? "check" : "block"} />
      <Text size="sm">
        {label}: {said}
      </Text>
    </Group>
  );
}

const MINE = "mine";

function TestCall({ name, watch }: { name: string; watch(uuid: string): void }) {
  const words = useWords(texts);
  const { language } = useLanguage();
  const { extension } = useSession();
  const [number, setNumber] = useState("");
  const [who, choose] = useState("announcement");
  const begin = useDo("trunks.testCall");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (number.trim() === "") return;
    void begin({ name, number: number.trim(), ring: who === MINE, language }).then(
      (begun) => begun && watch(begun.callUuid),
    );
  };
  return (
    <Stack component="form" gap="xs" align="flex-start" onSubmit={submit}>
      <Title order={3} size="h5">
        {words.testCall}
      </Title>
      <Text size="sm" c="dimmed">
        {words.testAbout}
      </Text>
      <TextInput
        label={words.number}
        type="tel"
        value={number}
        maxLength={32}
        placeholder="02123205072"
        onChange={(event) => setNumber(event.currentTarget.value)}
      />
      {extension !== null && (
        <SegmentedControl
          aria-label={words.whoHears}
          value={who}
          onChange={choose}
          data={[
            { value: "announcement", label: words.sayIt },
            { value: MINE, label: words.ringMe(extension) },
          ]}
        />
      )}
      <Button type="submit" loading={begin.isBusy} leftSection={<Icon name="call" />}>
        {words.callNow}
      </Button>
    </Stack>
  );
}

/** Whatever is told of it last stays, also in the moment between its end and its record. */
function Watched({ uuid }: { uuid: string }) {
  const words = useWords(texts);
  const { language } = useLanguage();
  const { data } = useAsk("calls.show", { uuid }, { refetchMs: LOOK_AGAIN_MS });
  const tested = data?.story.find((line) => "is" in line && line.is === "trunk-tested");
  const result = tested && "is" in tested && tested.is === "trunk-tested" ? tested : undefined;
  const works = result?.how === "answered" || result?.how === "unanswered";
  return (
    <Stack gap="md">
      <Alert color={result ? (works ? "teal" : "red") : "blue"} role="status">
        {result ? `${result.trunk} ${testInWords(result, language)}` : words.isCalling}
      </Alert>
      {data && <Story story={data.story} />}
      {data && <Ladder uuid={uuid} ladder={data.ladder} rungs={data.rungs} />}
    </Stack>
  );
}
