// From where on each queue calls for attention, seen and changed by whoever leads it.

import { queueAlarms } from "../../../src/nouns/queue.ts";
import { alarmWords } from "../../../src/words/alarms.ts";
import type { Parameters, Reply } from "../../ask/ask.ts";
import { useSaving } from "../../ask/use-action.ts";
import { useAsk } from "../../ask/use-ask.ts";
import type { Field } from "../../ui/field.ts";
import { ListSurface } from "../../ui/list-page.tsx";
import { useNoun } from "../../ui/use-noun.ts";
import { useLanguage, useWords } from "../../words/language.tsx";
import { texts } from "./texts.ts";

type Queue = Reply<"queues.list">[number];
type Changes = Parameters<"queues.setAlarms">["changes"];

export function Thresholds() {
  const words = useWords(texts);
  const { language } = useLanguage();
  const { figures } = alarmWords[language];
  const shown = (about: keyof typeof figures, threshold: number) =>
    threshold === 0 ? words.off : figures[about](threshold);
  return (
    <ListSurface<Queue>
      title={words.thresholds}
      icon="bell"
      empty={words.noQueues}
      rows={useAsk("queues.list", {})}
      keyOf={({ number }) => number}
      nameOf={({ number, name }) => `${number} ${name}`}
      fields={withoutHeading(useNoun(queueAlarms))}
      columns={[
        { title: words.queue, show: ({ number, name }) => `${number} ${name}` },
        { title: words.longestWait, show: (queue) => shown("longest-wait", queue.alarm_wait_seconds), end: true },
        { title: words.waiting, show: (queue) => shown("waiting", queue.alarm_waiting), end: true },
        { title: words.level, show: (queue) => shown("service-level", queue.alarm_level_percent), end: true },
      ]}
      change={useSaving("queues.setAlarms", ({ number }: Queue, changes: Changes) => ({ number, changes }))}
    />
  );
}

/** In the form of a queue they stand under one that opens; here they are all there is. */
function withoutHeading(fields: Record<string, Field>): Record<string, Field> {
  return Object.fromEntries(Object.entries(fields).map(([name, { under, ...field }]) => [name, field]));
}
