// Reports about a stretch of days: calls by hour and day, queues, agents and extensions.

import { Group, Progress, SimpleGrid, Text, TextInput } from "@mantine/core";
import { useSearchParams } from "wouter";
import { useSession } from "../../ask/session.tsx";
import { useAsk } from "../../ask/use-ask.ts";
import { Bars, type Series } from "../../ui/bars.tsx";
import { PageFrame, Surface } from "../../ui/page.tsx";
import { Rows } from "../../ui/rows.tsx";
import { Asked } from "../../ui/states.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { dayAgo, dayBegins, showDay, showDuration } from "../../words/stamps.ts";
import { directions } from "../../words/texts.ts";
import { texts } from "./texts.ts";

type Stretch = { from: string; before: string };

export function Reports() {
  const words = useWords(texts);
  const { exchange } = useSession();
  const [query, setQuery] = useSearchParams();
  const from = query.get("from") ?? dayAgo(6, exchange.timeZone);
  const to = query.get("to") ?? dayAgo(0, exchange.timeZone);
  const stretch = { from: dayBegins(from, exchange.timeZone), before: dayBegins(to, exchange.timeZone, 1) };
  const day = (name: "from" | "to", value: string) => (
    <TextInput
      type="date"
      label={words[name]}
      value={value}
      onChange={(event) => event.currentTarget.value && setQuery({ from, to, [name]: event.currentTarget.value })}
    />
  );
  return (
    <PageFrame
      title={words.title}
      actions={
        <Group gap="xs">
          {day("from", from)}
          {day("to", to)}
        </Group>
      }
    >
      <CallCharts stretch={stretch} />
      <QueueReport stretch={stretch} />
      <AgentReport stretch={stretch} />
      <ExtensionReport stretch={stretch} />
    </PageFrame>
  );
}

function CallCharts({ stretch }: { stretch: Stretch }) {
  const words = useWords(texts);
  const { language } = useLanguage();
  const report = useAsk("reports.calls", stretch);
  const series: Series[] = [
    { name: directions.inbound?.[language] ?? "", color: "var(--mantine-color-brand-6)" },
    { name: directions.outbound?.[language] ?? "", color: "var(--mantine-color-teal-6)" },
    { name: directions.internal?.[language] ?? "", color: "var(--mantine-color-gray-5)" },
  ];
  return (
    <Asked query={report}>
      {({ hours, days }) => (
        <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
          <Surface title={words.byHour}>
            <Bars
              label={words.byHour}
              series={series}
              bars={hours.map(({ hour, inbound, outbound, internal }) => ({
                name: `${String(hour).padStart(2, "0")}`,
                values: [inbound, outbound, internal],
              }))}
            />
          </Surface>
          <Surface title={words.byDay}>
            <Bars
              label={words.byDay}
              series={series}
              bars={days.map(({ day, inbound, outbound, internal }) => ({
                name: showDay(day, language),
                values: [inbound, outbound, internal],
              }))}
            />
          </Surface>
        </SimpleGrid>
      )}
    </Asked>
  );
}

function QueueReport({ stretch }: { stretch: Stretch }) {
  const words = useWords(texts);
  const report = useAsk("reports.queues", stretch);
  return (
    <Surface title={words.queues}>
      <Asked query={report}>
        {({ queues, promisedSeconds }) => (
          <Rows
            label={words.queues}
            rows={queues}
            keyOf={({ queue }) => queue}
            empty={{ icon: "queue", says: words.noQueues }}
            columns={[
              { title: words.queue, show: ({ queue, name }) => <strong>{`${queue} ${name}`.trim()}</strong> },
              { title: words.calls, show: ({ calls }) => calls, end: true },
              { title: words.answered, show: ({ answered }) => answered, end: true },
              {
                title: words.abandoned,
                show: ({ abandoned, calls }) => `${abandoned} (${percent(abandoned, calls)} %)`,
                end: true,
              },
              {
                title: words.service(promisedSeconds),
                show: ({ inTime, calls }) => <Share share={percent(inTime, calls)} />,
              },
              { title: words.averageWait, show: ({ averageWait }) => showDuration(averageWait), end: true },
              { title: words.longestWait, show: ({ longestWait }) => showDuration(longestWait), end: true },
              { title: words.averageTalk, show: ({ averageTalk }) => showDuration(averageTalk), end: true },
            ]}
          />
        )}
      </Asked>
    </Surface>
  );
}

const percent = (part: number, whole: number) => (whole === 0 ? 0 : Math.round((part / whole) * 100));

function Share({ share }: { share: number }) {
  return (
    <Group gap="xs" wrap="nowrap" miw={110}>
      <Progress
        value={share}
        color={share >= 80 ? "teal" : share >= 60 ? "yellow" : "red"}
        flex={1}
        aria-label={`${share} %`}
      />
      <Text size="sm">{share} %</Text>
    </Group>
  );
}

function AgentReport({ stretch }: { stretch: Stretch }) {
  const words = useWords(texts);
  const report = useAsk("reports.agents", stretch);
  return (
    <Surface title={words.agents}>
      <Asked query={report}>
        {({ agents, survey }) => (
          <Rows
            label={words.agents}
            rows={agents}
            keyOf={({ extension }) => extension}
            empty={{ icon: "people", says: words.noAgents }}
            columns={[
              { title: words.agent, show: ({ extension, name }) => <strong>{`${extension} ${name}`.trim()}</strong> },
              { title: words.logIns, show: ({ logIns }) => logIns, end: true },
              { title: words.available, show: ({ availableSeconds }) => showDuration(availableSeconds), end: true },
              { title: words.breaks, show: ({ breakSeconds }) => showDuration(breakSeconds), end: true },
              {
                title: words.which,
                show: ({ breaks }) =>
                  breaks
                    .map(({ description, seconds }) => `${description || "…"} ${showDuration(seconds)}`)
                    .join(", ") || "—",
              },
              {
                title: words.score,
                show: ({ extension }) => scoreOf(survey.find((it) => it.extension === extension)),
                end: true,
              },
            ]}
          />
        )}
      </Asked>
    </Surface>
  );
}

const scoreOf = (survey: { average: number; answers: number } | undefined) =>
  survey ? `${survey.average.toFixed(1)} (${survey.answers})` : "—";

function ExtensionReport({ stretch }: { stretch: Stretch }) {
  const words = useWords(texts);
  const report = useAsk("reports.extensions", stretch);
  return (
    <Surface title={words.extensions}>
      <Asked query={report}>
        {(rows) => (
          <Rows
            label={words.extensions}
            rows={rows}
            keyOf={({ extension }) => extension}
            empty={{ icon: "phone" }}
            columns={[
              {
                title: words.extension,
                show: ({ extension, name }) => <strong>{`${extension} ${name}`.trim()}</strong>,
              },
              { title: words.made, show: ({ made }) => made, end: true },
              { title: words.taken, show: ({ taken }) => taken, end: true },
              { title: words.missed, show: ({ missed }) => missed, end: true },
              { title: words.talk, show: ({ talk }) => showDuration(talk), end: true },
              { title: words.averageTalk, show: ({ averageTalk }) => showDuration(averageTalk), end: true },
            ]}
          />
        )}
      </Asked>
    </Surface>
  );
}
