// Reports about a stretch of days: the calls as a whole, queues, agents, numbers, campaigns, what agents wrote, and extensions.

import { Button, Group, TextInput } from "@mantine/core";
import { useSearchParams } from "wouter";
import { showDate } from "../../../src/words/stamps.ts";
import { useSession } from "../../ask/session.tsx";
import type { Days } from "../../ui/calls-behind.tsx";
import { PageFrame } from "../../ui/page.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { dayAgo } from "../../words/stamps.ts";
import { AgentReport } from "./agent-report.tsx";
import { CallCharts, SummaryFigures } from "./call-charts.tsx";
import { NotedReport } from "./noted-report.tsx";
import { QueueReport } from "./queue-report.tsx";
import { dayIn, daysBefore } from "./stretch.ts";
import { CampaignReport, ExtensionReport, NumberReport } from "./tables.tsx";
import { texts } from "./texts.ts";

export function Reports() {
  const words = useWords(texts);
  const { language } = useLanguage();
  const { exchange } = useSession();
  const [query, setQuery] = useSearchParams();
  const from = dayIn(query.get("from")) ?? dayAgo(6, exchange.timeZone);
  const to = dayIn(query.get("to")) ?? dayAgo(0, exchange.timeZone);
  const days = { from, to };
  const inWords = ({ from, to }: Days) => `${showDate(from, language)} – ${showDate(to, language)}`;
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
      about={words.period(inWords(days), inWords(daysBefore(days)))}
      actions={
        <Group gap="xs" align="flex-end" className="unprinted">
          {day("from", from)}
          {day("to", to)}
          <Button variant="light" onClick={() => window.print()}>
            {words.print}
          </Button>
        </Group>
      }
    >
      <SummaryFigures days={days} />
      <CallCharts days={days} />
      <QueueReport days={days} />
      <AgentReport days={days} />
      <NumberReport days={days} />
      <CampaignReport days={days} />
      <NotedReport days={days} of="disposition" />
      <NotedReport days={days} of="tag" />
      <ExtensionReport days={days} />
    </PageFrame>
  );
}
