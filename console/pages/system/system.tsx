// The machine: its version, how it is, and its backups with their plan.

import { Alert, Badge, Code, SimpleGrid, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { showCount } from "../../../src/words/stamps.ts";
import type { Reply } from "../../ask/ask.ts";
import { useStamps } from "../../ask/stamps.ts";
import { useAsk } from "../../ask/use-ask.ts";
import { PageFrame, Surface } from "../../ui/page.tsx";
import { Asked, Empty } from "../../ui/states.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { Refused } from "../../words/refused.ts";
import { Backups } from "./backups.tsx";
import { useBytes } from "./bytes.ts";
import { texts } from "./texts.ts";

const LOOK_AGAIN_MS = 5_000;

export function System() {
  const words = useWords(texts);
  const query = useAsk("system.show", {}, { refetchMs: LOOK_AGAIN_MS });
  const isForeign = query.error instanceof Refused && query.error.refusal.refused === "not-operator";
  return (
    <PageFrame title={words.title} about={words.about}>
      {isForeign ? (
        <Surface>
          <Empty icon="block" says={words.notYours} />
        </Surface>
      ) : (
        <Asked query={query}>
          {({ facts }) => (
            <>
              <Health facts={facts} />
              <Backups />
            </>
          )}
        </Asked>
      )}
    </PageFrame>
  );
}

function Health({ facts }: { facts: Reply<"system.show">["facts"] }) {
  const words = useWords(texts);
  const { language } = useLanguage();
  const { dateTime } = useStamps();
  const bytes = useBytes();
  const isFull = facts.diskFreeBytes < facts.diskBytes * 0.1;
  const shown: [label: string, value: ReactNode][] = [
    [
      words.state,
      <Badge key="state" color={facts.notReady === null ? "teal" : "red"} variant="light" size="lg">
        {facts.notReady === null ? words.ready : words.notReady}
      </Badge>,
    ],
    [words.version, `${facts.version} (Node ${facts.node})`],
    [words.started, dateTime(facts.startedMs)],
    [
      words.disk,
      <Text key="disk" c={isFull ? "red" : undefined} fw={600}>
        {words.of(bytes(facts.diskFreeBytes), bytes(facts.diskBytes))}
      </Text>,
    ],
    [words.database, bytes(facts.databaseBytes)],
    [words.jobs, showCount(facts.jobs.waiting, language)],
    [words.dead, showCount(facts.jobs.dead, language)],
    [words.owed, showCount(facts.owed, language)],
  ];
  return (
    <Surface title={words.health}>
      <Stack p="md" pt="xs">
        {facts.notReady !== null && (
          <Alert color="red">
            <Code>{facts.notReady}</Code>
          </Alert>
        )}
        <SimpleGrid cols={{ base: 2, sm: 4 }}>
          {shown.map(([label, value]) => (
            <div key={label}>
              <Text size="sm" c="dimmed">
                {label}
              </Text>
              <Text fw={600} component="div">
                {value}
              </Text>
            </div>
          ))}
        </SimpleGrid>
      </Stack>
    </Surface>
  );
}
