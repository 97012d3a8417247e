// The tables of the reports: a line a queue, agent, number, campaign and extension.

import { Text } from "@mantine/core";
import { showDuration, showShare } from "../../../src/words/stamps.ts";
import type { Reply } from "../../ask/ask.ts";
import { useAsk } from "../../ask/use-ask.ts";
import { Surface } from "../../ui/page.tsx";
import { type Column, Rows } from "../../ui/rows.tsx";
import { Asked } from "../../ui/states.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { Share } from "./figures.tsx";
import { counts, Tables, useStretch } from "./report-tools.tsx";
import type { Days } from "./stretch.ts";
import { texts } from "./texts.ts";

type OfDays = { days: Days };
type Agent = Reply<"reports.agents">["agents"][number];
type Campaign = Reply<"reports.campaigns">[number];
type Extension = Reply<"reports.extensions">[number];

const called = (number: string, name: string) => <strong>{`${number} ${name}`.trim()}</strong>;

export function QueueReport({ days }: OfDays) {
  const words = useWords(texts);
  const report = useAsk("reports.queues", useStretch(days));
  type Row = Reply<"reports.queues">["queues"][number];
  const count = (title: string, of: (row: Row) => number, more: (row: Row) => Record<string, string | number>) =>
    counts<Row>(days, title, of, (row) => ({ queue: row.queue, ...more(row) }));
  return (
    <Surface title={words.queues} actions={<Tables what="queues" days={days} />}>
      <Asked query={report}>
        {({ queues }) => (
          <Rows
            label={words.table(words.queues)}
            rows={queues}
            keyOf={({ queue }) => queue}
            empty={{ icon: "queue", says: words.noQueues }}
            columns={[
              { title: words.queue, show: ({ queue, name }) => called(queue, name) },
              count(
                words.calls,
                ({ calls }) => calls,
                () => ({}),
              ),
              count(
                words.answered,
                ({ answered }) => answered,
                () => ({ result: "taken" }),
              ),
              count(
                words.abandoned,
                ({ abandoned }) => abandoned,
                () => ({ result: "untaken" }),
              ),
              count(
                words.inTime,
                ({ inTime }) => inTime,
                ({ promisedSeconds }) => ({ result: "taken", queueWaitedUpTo: promisedSeconds }),
              ),
              {
                title: words.serviceLevel,
                show: ({ serviceLevel, promisedSeconds }) => (
                  <>
                    <Share share={serviceLevel} label={words.serviceLevel} />
                    <Text size="xs" c="dimmed">
                      {words.within(promisedSeconds)}
                    </Text>
                  </>
                ),
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

export function AgentReport({ days }: OfDays) {
  const words = useWords(texts);
  const { language } = useLanguage();
  const report = useAsk("reports.agents", useStretch(days));
  const lasting = (title: string, of: (agent: Agent) => number): Column<Agent> => ({
    title,
    end: true,
    show: (agent) => showDuration(of(agent)),
  });
  return (
    <Surface title={words.agents} actions={<Tables what="agents" days={days} />}>
      <Asked query={report}>
        {({ agents, survey }) => (
          <Rows
            label={words.table(words.agents)}
            rows={agents}
            keyOf={({ extension }) => extension}
            empty={{ icon: "people", says: words.noAgents }}
            columns={[
              { title: words.agent, show: ({ extension, name }) => called(extension, name) },
              counts<Agent>(
                days,
                words.offered,
                ({ offered }) => offered,
                ({ extension }) => ({ offeredTo: extension }),
              ),
              counts<Agent>(
                days,
                words.answered,
                ({ answered }) => answered,
                ({ extension }) => ({ answeredBy: extension }),
              ),
              counts<Agent>(
                days,
                words.agentMissed,
                ({ missed }) => missed,
                ({ extension }) => ({ letPassBy: extension }),
              ),
              lasting(words.agentTalk, ({ talkSeconds }) => talkSeconds),
              lasting(words.wrapUp, ({ wrapUpSeconds }) => wrapUpSeconds),
              lasting(words.available, ({ availableSeconds }) => availableSeconds),
              { title: words.breaks, show: (agent) => <Breaks agent={agent} />, end: true },
              { title: words.occupancy, show: ({ occupancy }) => showShare(occupancy, language), end: true },
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

/** In all, and each by its name. */
function Breaks({ agent: { breakSeconds, breaks } }: { agent: Agent }) {
  return (
    <>
      {showDuration(breakSeconds)}
      {breaks.map(({ description, seconds }) => (
        <Text key={description} size="xs" c="dimmed">
          {`${description || "…"} ${showDuration(seconds)}`}
        </Text>
      ))}
    </>
  );
}

const scoreOf = (survey: { average: number; answers: number } | undefined) =>
  survey ? `${survey.average.toFixed(1)} (${survey.answers})` : "—";

export function NumberReport({ days }: OfDays) {
  const words = useWords(texts);
  const report = useAsk("reports.numbers", useStretch(days));
  type Row = Reply<"reports.numbers">[number];
  const incoming = (title: string, of: (row: Row) => number, more: Record<string, string>) =>
    counts<Row>(days, title, of, ({ number }) => ({ direction: "inbound", ownNumber: number, ...more }));
  return (
    <Surface title={words.numbers} actions={<Tables what="numbers" days={days} />}>
      <Asked query={report}>
        {(rows) => (
          <Rows
            label={words.table(words.numbers)}
            rows={rows}
            keyOf={({ number }) => number}
            empty={{ icon: "phone", says: words.noNumbers }}
            columns={[
              { title: words.number, show: ({ number }) => <strong>{number || "—"}</strong> },
              incoming(words.inbound, (row) => row.incoming, {}),
              incoming(words.answered, ({ answered }) => answered, { result: "taken" }),
              incoming(words.missed, ({ missed }) => missed, { result: "missed" }),
              counts<Row>(
                days,
                words.outbound,
                ({ outgoing }) => outgoing,
                ({ number }) => ({ direction: "outbound", ownNumber: number }),
              ),
              { title: words.talk, show: ({ talk }) => showDuration(talk), end: true },
            ]}
          />
        )}
      </Asked>
    </Surface>
  );
}

export function CampaignReport({ days }: OfDays) {
  const words = useWords(texts);
  const report = useAsk("reports.campaigns", useStretch(days));
  return (
    <Surface title={words.campaigns} actions={<Tables what="campaigns" days={days} />}>
      <Asked query={report}>
        {(rows) => (
          <Rows
            label={words.table(words.campaigns)}
            rows={rows}
            keyOf={({ campaign }) => campaign}
            empty={{ icon: "call", says: words.noCampaigns }}
            columns={[
              { title: words.campaign, show: ({ name }) => <strong>{name}</strong> },
              counts<Campaign>(
                days,
                words.calls,
                ({ calls }) => calls,
                ({ campaign }) => ({ campaign }),
              ),
              counts<Campaign>(
                days,
                words.answered,
                ({ answered }) => answered,
                ({ campaign }) => ({ campaign, result: "taken" }),
              ),
              { title: words.talk, show: ({ talk }) => showDuration(talk), end: true },
            ]}
          />
        )}
      </Asked>
    </Surface>
  );
}

export function ExtensionReport({ days }: OfDays) {
  const words = useWords(texts);
  const report = useAsk("reports.extensions", useStretch(days));
  return (
    <Surface title={words.extensions} actions={<Tables what="extensions" days={days} />}>
      <Asked query={report}>
        {(rows) => (
          <Rows
            label={words.table(words.extensions)}
            rows={rows}
            keyOf={({ extension }) => extension}
            empty={{ icon: "phone" }}
            columns={[
              { title: words.extension, show: ({ extension, name }) => called(extension, name) },
              counts<Extension>(
                days,
                words.made,
                ({ made }) => made,
                ({ extension }) => ({ madeBy: extension }),
              ),
              counts<Extension>(
                days,
                words.taken,
                ({ taken }) => taken,
                ({ extension }) => ({ takenBy: extension }),
              ),
              counts<Extension>(
                days,
                words.missed,
                ({ missed }) => missed,
                ({ extension }) => ({ unansweredBy: extension }),
              ),
              { title: words.talk, show: ({ talk }) => showDuration(talk), end: true },
              { title: words.averageTalk, show: ({ averageTalk }) => showDuration(averageTalk), end: true },
            ]}
          />
        )}
      </Asked>
    </Surface>
  );
}
