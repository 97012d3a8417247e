// What the reports share: counts that lead to their calls, and the table to take away or to have sent.

import { Group } from "@mantine/core";
import type { MailedReport } from "../../../src/nouns/report-plan.ts";
import { useSession } from "../../ask/session.tsx";
import { Download } from "../../ui/download.tsx";
import type { Column } from "../../ui/rows.tsx";
import { useWords } from "../../words/language.tsx";
import { MailButton } from "../report-mails/mail-button.tsx";
import { Count } from "./figures.tsx";
import { type Days, stretchOf } from "./stretch.ts";
import { texts } from "./texts.ts";

type LinedReport = Exclude<MailedReport, "response-times">;

/** A column of counts, each leading to its calls. */
export function counts<Row>(
  days: Days,
  title: string,
  countOf: (row: Row) => number,
  behind: (row: Row) => Record<string, string | number>,
): Column<Row> {
  return {
    title,
    end: true,
    show: (row) => <Count value={countOf(row)} label={title} days={days} behind={behind(row)} />,
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
