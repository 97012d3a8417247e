// A line a queue: what came, what became of it, how soon, and how that was in the period before.

import { Text } from "@mantine/core";
import type { Reply } from "../../ask/ask.ts";
import { useAsk } from "../../ask/use-ask.ts";
import type { Days, Narrowed } from "../../ui/calls-behind.tsx";
import { Surface } from "../../ui/page.tsx";
import { type Column, Rows } from "../../ui/rows.tsx";
import { Asked } from "../../ui/states.tsx";
import { useWords } from "../../words/language.tsx";
import { Share, ShortChange } from "./figures.tsx";
import { called, compared, counts, lasting, Tables, useBefore, useStretch } from "./report-tools.tsx";
import { texts } from "./texts.ts";

type Row = Reply<"reports.queues">["queues"][number];
type Counted = "calls" | "answered" | "abandoned" | "passedOn" | "inTime";

export function QueueReport({ days }: { days: Days }) {
  const words = useWords(texts);
  const report = useAsk("reports.queues", useStretch(days));
  const columns = useColumns(days);
  return (
    <Surface title={words.queues} actions={<Tables what="queues" days={days} />}>
      <Asked query={report}>
        {({ queues }) => (
          <Rows
            label={words.table(words.queues)}
            rows={queues}
            keyOf={({ queue }) => queue}
            empty={{ icon: "queue", says: words.noQueues }}
            columns={columns}
          />
        )}
      </Asked>
    </Surface>
  );
}

function useColumns(days: Days): Column<Row>[] {
  const words = useWords(texts);
  const former = useBefore(days).queues;
  const count = (name: Counted, more: (row: Row) => Narrowed) =>
    compared(
      counts<Row>(
        days,
        words[name],
        (row) => row[name],
        (row) => ({ queue: row.queue, ...more(row) }),
      ),
      (row) => ({ now: row[name], before: former && (former.get(row.queue)?.[name] ?? 0) }),
    );
  const lasts = (name: "averageWait" | "longestWait" | "averageTalk", more: (row: Row) => Narrowed) =>
    compared(
      lasting<Row>(
        days,
        words[name],
        (row) => row[name],
        (row) => ({ queue: row.queue, ...more(row) }),
      ),
      (row) => ({ now: row[name], before: former?.get(row.queue)?.[name], is: "seconds" }),
    );
  return [
    { title: words.queue, show: ({ queue, name }) => called(queue, name) },
    count("calls", () => ({})),
    count("answered", () => ({ became: "answered" })),
    count("abandoned", () => ({ became: "abandoned" })),
    count("passedOn", () => ({ became: "passed-on" })),
    count("inTime", ({ promisedSeconds }) => ({ became: "answered", queueWaitedUpTo: promisedSeconds })),
    {
      title: words.serviceLevel,
      show: ({ queue, serviceLevel, promisedSeconds }) => (
        <>
          <Share share={serviceLevel} label={words.serviceLevel} days={days} behind={{ queue }} />
          <Text size="xs" c="dimmed">
            {words.within(promisedSeconds)}
          </Text>
          <ShortChange now={serviceLevel} before={former?.get(queue)?.serviceLevel} is="share" />
        </>
      ),
    },
    lasts("averageWait", () => ({})),
    lasts("longestWait", ({ longestWait }) => ({ queueWaitedOver: longestWait - 1 })),
    lasts("averageTalk", () => ({ became: "answered" })),
  ];
}
