// How often each choice of a form was taken: a small table with bars for each field that has choices.

import { Group, Progress, SimpleGrid, Text } from "@mantine/core";
import { yesNo } from "../../../src/words/form-words.ts";
import { showCount, showShare } from "../../../src/words/stamps.ts";
import type { Parameters, Reply } from "../../ask/ask.ts";
import { useAsk } from "../../ask/use-ask.ts";
import { Surface } from "../../ui/page.tsx";
import { Rows } from "../../ui/rows.tsx";
import { Asked } from "../../ui/states.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { reportTexts } from "./texts.ts";

type Counted = Reply<"reports.formChoices">[number];

export function ChoiceCounts({ wanted }: { wanted: Parameters<"reports.formChoices"> }) {
  const report = useAsk("reports.formChoices", wanted);
  return (
    <Asked query={report}>
      {(fields) => (
        <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
          {fields.map((field) => (
            <Counts key={field.id} field={field} />
          ))}
        </SimpleGrid>
      )}
    </Asked>
  );
}

function Counts({ field: { is, label, choices } }: { field: Counted }) {
  const words = useWords(reportTexts);
  const { language } = useLanguage();
  const most = Math.max(1, ...choices.map(({ count }) => count));
  const total = choices.reduce((sum, { count }) => sum + count, 0);
  const named = (choice: string) => (is === "yes-no" ? yesNo[language][choice === "true" ? "yes" : "no"] : choice);
  return (
    <Surface title={label}>
      <Rows
        label={`${words.counts}: ${label}`}
        rows={choices}
        keyOf={({ choice }) => choice}
        empty={{ icon: "chart" }}
        columns={[
          { title: words.choice, show: ({ choice }) => named(choice) },
          { title: words.count, show: ({ count }) => showCount(count, language), end: true },
          {
            title: words.share,
            show: ({ choice, count }) => {
              const share = showShare(total === 0 ? 0 : count / total, language);
              return (
                <Group gap="xs" wrap="nowrap" miw={120}>
                  <Progress value={(count / most) * 100} flex={1} aria-label={`${named(choice)}: ${share}`} />
                  <Text size="sm">{share}</Text>
                </Group>
              );
            },
          },
        ]}
      />
    </Surface>
  );
}
