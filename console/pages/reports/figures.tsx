// Small parts of reports: a count that leads to its calls, a share, and how it was the period before.

import { Anchor, Group, Progress, Text } from "@mantine/core";
import { Link } from "wouter";
import { showCount, showShare } from "../../../src/words/stamps.ts";
import { useHas } from "../../ask/session.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { callsBehind, type Days } from "./stretch.ts";
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
  behind: Record<string, string | number>;
}) {
  const { language } = useLanguage();
  const shown = showCount(value, language);
  const seesCalls = useHas("see-calls");
  if (value === 0 || !seesCalls) return shown;
  return (
    <Anchor component={Link} href={callsBehind(days, behind)} aria-label={`${label}: ${shown}`} inherit>
      {shown}
    </Anchor>
  );
}

export function Share({ share, label }: { share: number | null; label: string }) {
  const { language } = useLanguage();
  if (share === null) return "—";
  const color = share >= 0.8 ? "teal" : share >= 0.6 ? "yellow" : "red";
  return (
    <Group gap="xs" wrap="nowrap" miw={110}>
      <Progress value={share * 100} color={color} flex={1} aria-label={label} />
      <Text size="sm">{showShare(share, language)}</Text>
    </Group>
  );
}

/** By how much it is more or less than in the period before; shares in points. */
export function Change({
  now,
  before,
  isShare,
}: {
  now: number | null;
  before: number | null | undefined;
  isShare?: boolean;
}) {
  const words = useWords(texts);
  const { language } = useLanguage();
  if (now === null || before === null || before === undefined)
    return (
      <Text size="xs" c="dimmed">
        {words.noBefore}
      </Text>
    );
  const difference = isShare ? Math.round((now - before) * 100) : now - before;
  const sign = difference > 0 ? "+" : difference < 0 ? "−" : "±";
  const amount = showCount(Math.abs(difference), language);
  return (
    <Text size="xs" c="dimmed">
      {words.thanBefore(`${sign}${amount}${isShare ? ` ${words.points}` : ""}`)}
    </Text>
  );
}
