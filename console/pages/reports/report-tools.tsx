// What the reports share: counts that lead to their calls, and the table to take away or to have sent.

import { Group } from "@mantine/core";
import type { MailedReport } from "../../../src/nouns/report-plan.ts";
import { useSession } from "../../ask/session.tsx";
import { useAsk } from "../../ask/use-ask.ts";
import type { Days, Narrowed } from "../../ui/calls-behind.tsx";
import { Download } from "../../ui/download.tsx";
import type { Column } from "../../ui/rows.tsx";
import { useWords } from "../../words/language.tsx";
import { MailButton } from "../report-mails/mail-button.tsx";
import { type Compared, Count, Lasting, ShortChange } from "./figures.tsx";
import { daysBefore, stretchOf } from "./stretch.ts";
import { texts } from "./texts.ts";

type LinedReport = Exclude<MailedReport, "response-times">;

export const called = (number: string, name: string) => <strong>{`${number} ${name}`.trim()}</strong>;

/** A column with how it was in the period before below each figure, once that is known. */
export function compared<Row>(column: Column<Row>, of: (row: Row) => Compared): Column<Row> {
  return {
    ...column,
    show: (row) => (
      <>
        {column.show(row)}
        <ShortChange {...of(row)} />
      </>
    ),
  };
}

/** A column of counts, each leading to its calls. */
export function counts<Row>(
  days: Days,
  title: string,
  countOf: (row: Row) => number,
  behind: (row: Row) => Narrowed,
): Column<Row> {
  return {
    title,
    end: true,
    show: (row) => <Count value={countOf(row)} label={title} days={days} behind={behind(row)} />,
  };
}

/** A column of seconds, likewise. */
export function lasting<Row>(
  days: Days,
  title: string,
  secondsOf: (row: Row) => number,
  behind: (row: Row) => Narrowed,
): Column<Row> {
  return {
    title,
    end: true,
    show: (row) => <Lasting seconds={secondsOf(row)} label={title} days={days} behind={behind(row)} />,
  };
}

/** What queues and agents had in as many days right before: one question for both tables. */
export function useBefore(days: Days) {
  const before = useAsk("reports.before", useStretch(daysBefore(days))).data;
  const queues = before && new Map(before.queues.map((queue) => [queue.queue, queue]));
  const agents = before && new Map(before.agents.map((agent) => [agent.extension, agent]));
  return { queues, agents };
}

export function useStretch(days: Days) {
  return stretchOf(days, useSession().exchange.timeZone);
}

/** The same to take away. */
export function Tables({ what, days }: { days: Days } & { what: LinedReport }) {
  const words = useWords(texts);
  const stretch = useStretch(days);
  return (
    <Group gap="xs">
      <Download wanted={stretch} file={`report-${what}.csv`} label="CSV" />
      <Download wanted={stretch} file={`report-${what}.xlsx`} label={words.excel} />
      <MailButton report={what} />
    </Group>
  );
}
