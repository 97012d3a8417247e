// What the reports share: counts that lead to their calls, and the table to take away or to have sent.

import { Group, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { type MailedReport, MOST_LINES_SHOWN } from "../../../src/nouns/report-plan.ts";
import { showCount } from "../../../src/words/stamps.ts";
import { useSession } from "../../ask/session.tsx";
import { useAsk } from "../../ask/use-ask.ts";
import type { Days, Narrowed } from "../../ui/calls-behind.tsx";
import { Download } from "../../ui/download.tsx";
import type { Column } from "../../ui/rows.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
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

/**
 * Columns with how the same line was in the period before below each figure; one that was not there had nought, and an
 * average of nothing is compared with nothing.
 */
export function besideFormer<Row>(
  former: ReadonlyMap<string | number, Row> | undefined,
  keyOf: (row: Row) => string | number,
) {
  return (column: Column<Row>, of: (row: Row) => number, is: "count" | "seconds" | "average" = "count") =>
    compared(column, (row) => {
      const was = former?.get(keyOf(row));
      const then = was && of(was);
      const before = is === "average" ? then || undefined : former && (then ?? 0);
      return { now: of(row), before, is: is === "count" ? is : "seconds" };
    });
}

/** The lines of a table that a page shows, and that there are more. */
export function FirstLines<Row>({
  rows,
  children,
}: {
  rows: readonly Row[];
  children(shown: readonly Row[]): ReactNode;
}) {
  const words = useWords(texts);
  const { language } = useLanguage();
  if (rows.length <= MOST_LINES_SHOWN) return children(rows);
  return (
    <>
      {children(rows.slice(0, MOST_LINES_SHOWN))}
      <Text size="sm" c="dimmed" px="md" py="sm">
        {words.firstLines(showCount(MOST_LINES_SHOWN, language))}
      </Text>
    </>
  );
}

/** What each line had in as many days right before: one question for all tables. */
export function useBefore(days: Days) {
  const before = useAsk("reports.before", useStretch(daysBefore(days))).data;
  return {
    queues: before && new Map(before.queues.map((queue) => [queue.queue, queue])),
    agents: before && new Map(before.agents.map((agent) => [agent.extension, agent])),
    numbers: before && new Map(before.numbers.map((number) => [number.number, number])),
    campaigns: before && new Map(before.campaigns.map((campaign) => [campaign.campaign, campaign])),
    tags: before && new Map(before.tags.map((tag) => [tag.which, tag])),
    dispositions: before && new Map(before.dispositions.map((disposition) => [disposition.which, disposition])),
    extensions: before && new Map(before.extensions.map((extension) => [extension.extension, extension])),
  };
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
