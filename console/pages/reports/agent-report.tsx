// A line an agent: what he was offered and what became of it, his times, and how it was in the period before.

import { Text } from "@mantine/core";
import { showCount, showDuration, showShare, showTenths } from "../../../src/words/stamps.ts";
import type { Reply } from "../../ask/ask.ts";
import { useAsk } from "../../ask/use-ask.ts";
import { CallsBehind, type Days, type Narrowed } from "../../ui/calls-behind.tsx";
import { Surface } from "../../ui/page.tsx";
import { type Column, Rows } from "../../ui/rows.tsx";
import { Asked } from "../../ui/states.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { called, compared, counts, lasting, Tables, useBefore, useStretch } from "./report-tools.tsx";
import { texts } from "./texts.ts";

type Agent = Reply<"reports.agents">["agents"][number];
type Survey = Reply<"reports.agents">["survey"];

export function AgentReport({ days }: { days: Days }) {
  const words = useWords(texts);
  const report = useAsk("reports.agents", useStretch(days));
  const called = useCallColumns(days);
  return (
    <Surface title={words.agents} actions={<Tables what="agents" days={days} />}>
      <Asked query={report}>
        {({ agents, survey }) => (
          <Rows
            label={words.table(words.agents)}
            rows={agents}
            keyOf={({ extension }) => extension}
            empty={{ icon: "people", says: words.noAgents }}
            columns={[...called, ...ownTimes(words), ...ofSurvey(survey, words, days)]}
          />
        )}
      </Asked>
    </Surface>
  );
}

function useCallColumns(days: Days): Column<Agent>[] {
  const words = useWords(texts);
  const former = useBefore(days).agents;
  const count = (name: "offered" | "answered" | "missed", title: string, behind: (extension: string) => Narrowed) =>
    compared(
      counts<Agent>(
        days,
        title,
        (agent) => agent[name],
        ({ extension }) => behind(extension),
      ),
      (agent) => ({ now: agent[name], before: former && (former.get(agent.extension)?.[name] ?? 0) }),
    );
  return [
    { title: words.agent, show: ({ extension, name }) => called(extension, name) },
    count("offered", words.offered, (offeredTo) => ({ offeredTo })),
    count("answered", words.answered, (answeredBy) => ({ answeredBy })),
    count("missed", words.agentMissed, (letPassBy) => ({ letPassBy })),
    compared(
      lasting<Agent>(
        days,
        words.agentTalk,
        ({ talkSeconds }) => talkSeconds,
        ({ extension }) => ({ answeredBy: extension }),
      ),
      ({ extension, talkSeconds }) => ({
        now: talkSeconds,
        before: former && (former.get(extension)?.talk ?? 0),
        is: "seconds",
      }),
    ),
  ];
}

type Titles = Record<"wrapUp" | "available" | "breaks" | "occupancy" | "score", string>;

/** Times of his own, with no calls behind them. */
function ownTimes(words: Titles): Column<Agent>[] {
  return [
    { title: words.wrapUp, show: ({ wrapUpSeconds }) => showDuration(wrapUpSeconds), end: true },
    { title: words.available, show: ({ availableSeconds }) => showDuration(availableSeconds), end: true },
    { title: words.breaks, show: (agent) => <Breaks agent={agent} />, end: true },
    { title: words.occupancy, show: (agent) => <Occupancy agent={agent} />, end: true },
  ];
}

function Occupancy({ agent: { occupancy } }: { agent: Agent }) {
  return showShare(occupancy, useLanguage().language);
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

function ofSurvey(survey: Survey, words: Titles, days: Days): Column<Agent>[] {
  const of = new Map(survey.map((one) => [one.extension, one]));
  const title = words.score;
  return [
    { title, show: ({ extension }) => <Score survey={of.get(extension)} label={title} days={days} />, end: true },
  ];
}

type ScoreProps = { survey: Survey[number] | undefined; label: string; days: Days };

function Score({ survey, ...link }: ScoreProps) {
  const { language } = useLanguage();
  if (!survey) return "—";
  const shown = `${showTenths(survey.average, language)} (${showCount(survey.answers, language)})`;
  return <CallsBehind {...link} shown={shown} behind={{ surveyOf: survey.extension }} />;
}
