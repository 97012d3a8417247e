// Small parts of reports: a count that leads to its calls, a share, and how it was the period before.

import { Group, Progress, Text } from "@mantine/core";
import { showAmount, showCount, showDuration, showShare } from "../../../src/words/stamps.ts";
import { CallsBehind, type Days, type Narrowed } from "../../ui/calls-behind.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { texts } from "./texts.ts";

export function Count({
  value,
  label,
  days,
  behind,
}: {
  value: number;
  /** What is counted, for whoever hears the link alone. */
  label: string;
  days: Days;
  behind: Narrowed;
}) {
  const { language } = useLanguage();
  const shown = showCount(value, language);
  return <CallsBehind label={label} shown={shown} days={days} behind={behind} isNone={value === 0} />;
}

/** Of seconds: those of the calls behind it together, on the average, or of the one that waited longest. */
export function Lasting({ seconds, ...link }: { seconds: number; label: string; days: Days; behind: Narrowed }) {
  return <CallsBehind {...link} shown={showDuration(seconds)} isNone={seconds === 0} />;
}

/** It leads to the calls it is a share of. */
export function Share({ share, ...link }: { share: number | null; label: string; days: Days; behind: Narrowed }) {
  const { language } = useLanguage();
  if (share === null) return "—";
  const color = share >= 0.8 ? "teal" : share >= 0.6 ? "yellow" : "red";
  return (
    <Group gap="xs" wrap="nowrap" miw={110}>
      <Progress value={share * 100} color={color} flex={1} aria-label={link.label} />
      <Text size="sm">
        <CallsBehind {...link} shown={showShare(share, language)} />
      </Text>
    </Group>
  );
}

export type Compared = {
  now: number | null;
  before: number | null | undefined;
  /** Shares differ in points. */
  is?: "count" | "share" | "seconds" | "amount";
};

/** With its sign; undefined where one of them is not known. */
function useChange({ now, before, is = "count" }: Compared): string | undefined {
  const words = useWords(texts);
  const { language } = useLanguage();
  if (now === null || before === null || before === undefined) return undefined;
  const difference = is === "share" ? Math.round((now - before) * 100) : now - before;
  const sign = difference > 0 ? "+" : difference < 0 ? "−" : "±";
  const amount = Math.abs(difference);
  if (is === "seconds") return `${sign}${showDuration(amount)}`;
  if (is === "amount") return `${sign}${showAmount(amount, language, 4)}`;
  return `${sign}${showCount(amount, language)}${is === "share" ? ` ${words.points}` : ""}`;
}

/** By how much it is more or less than in the period before. */
export function Change(compared: Compared) {
  const words = useWords(texts);
  const change = useChange(compared);
  return (
    <Text size="xs" c="dimmed">
      {change === undefined ? words.noBefore : words.thanBefore(change)}
    </Text>
  );
}

/** The same in a table, where many stand below each other: nothing is said of what was not there. */
export function ShortChange(compared: Compared) {
  const words = useWords(texts);
  const change = useChange(compared);
  if (change === undefined) return null;
  return (
    <Text size="xs" c="dimmed" className="change" title={words.thanBefore(change)}>
      {change}
    </Text>
  );
}
