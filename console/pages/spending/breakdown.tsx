// What calls to the outside have cost in a stretch of days: as a whole, by day, and by whatever one asks for.

import { Button, Group, SimpleGrid, Stack, Text, TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { SPENT_BY, type SpentBy, spentBy, spentOn } from "../../../src/nouns/spent.ts";
import { showAmount, showCount, showDate, showDay } from "../../../src/words/stamps.ts";
import type { Reply } from "../../ask/ask.ts";
import { useSession } from "../../ask/session.tsx";
import { useAsk } from "../../ask/use-ask.ts";
import { Bars } from "../../ui/bars.tsx";
import type { Days } from "../../ui/calls-behind.tsx";
import { Download } from "../../ui/download.tsx";
import { Surface } from "../../ui/page.tsx";
import { type Column, Rows } from "../../ui/rows.tsx";
import { Asked } from "../../ui/states.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { Change, type Compared } from "../reports/figures.tsx";
import { compared, FirstLines } from "../reports/report-tools.tsx";
import { daysBefore, stretchOf } from "../reports/stretch.ts";
import { PaidLegs } from "./paid-legs.tsx";
import { texts } from "./texts.ts";
import { callsOf, useWanted } from "./wanted.ts";

type Spent = Reply<"spending.breakdown">;
type Line = Spent["lines"][number];

export function Breakdown() {
  const words = useWords(texts);
  const { language } = useLanguage();
  const [wanted, change] = useWanted();
  const { days, by } = wanted;
  const day = (name: "from" | "to") => (
    <TextInput
      type="date"
      label={words[name]}
      value={days[name]}
      onChange={({ currentTarget: { value } }) => value && change({ [name]: value })}
    />
  );
  const inWords = ({ from, to }: Days) => `${showDate(from, language)} – ${showDate(to, language)}`;
  return (
    <>
      <Surface
        title={words.breakdown}
        actions={
          <Group gap="xs" align="flex-end" className="unprinted">
            {day("from")}
            {day("to")}
          </Group>
        }
      >
        <Stack gap="md">
          <Text size="sm" c="dimmed" px="md">
            {words.period(inWords(days), inWords(daysBefore(days)))}
          </Text>
          <Sums days={days} />
          <ByDay days={days} />
        </Stack>
      </Surface>
      <Lines days={days} by={by} choose={(by) => change({ by })} />
      <PaidLegs about={wanted} all={() => change({})} />
    </>
  );
}

function useBreakdown(days: Days, by: SpentBy) {
  return useAsk("spending.breakdown", { ...stretchOf(days, useSession().exchange.timeZone), by });
}

function Sums({ days }: { days: Days }) {
  const words = useWords(texts);
  const { language } = useLanguage();
  const before = useBreakdown(daysBefore(days), "kind").data?.sum;
  const figure = (label: string, shown: string, change: Compared) => (
    <div>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Text fw={650} size="xl">
        {shown}
      </Text>
      <Change {...change} />
    </div>
  );
  return (
    <Asked query={useBreakdown(days, "kind")}>
      {({ sum }) => (
        <SimpleGrid cols={{ base: 1, xs: 3 }} px="md">
          {figure(words.spent, showAmount(sum.amount, language, 4), {
            now: sum.amount,
            before: before?.amount,
            is: "amount",
          })}
          {figure(words.calls, showCount(sum.calls, language), { now: sum.calls, before: before?.calls })}
          {figure(words.minutes, showCount(sum.minutes, language), { now: sum.minutes, before: before?.minutes })}
        </SimpleGrid>
      )}
    </Asked>
  );
}

function ByDay({ days }: { days: Days }) {
  const words = useWords(texts);
  const { language } = useLanguage();
  return (
    <Asked query={useBreakdown(days, "day")}>
      {({ lines }) => (
        <Bars
          label={words.byDay}
          unit={words.spent}
          series={[{ name: words.spent, color: "var(--mantine-color-brand-6)" }]}
          bars={lines.map(({ which, amount }) => ({
            name: showDay(which ?? "", language),
            values: [amount],
            to: callsOf({ days, by: "day", which: which ?? "" }),
          }))}
        />
      )}
    </Asked>
  );
}

function Lines({ days, by, choose }: { days: Days; by: SpentBy; choose(by: SpentBy): void }) {
  const words = useWords(texts);
  const { language } = useLanguage();
  const wanted = { ...stretchOf(days, useSession().exchange.timeZone), by };
  return (
    <Surface
      title={words.by(spentBy[by][language])}
      actions={
        <Group gap="xs">
          <Download wanted={wanted} file="spending.csv" label="CSV" />
          <Download wanted={wanted} file="spending.xlsx" label={words.excel} />
        </Group>
      }
    >
      <Group px="md" py="xs" gap={4} className="unprinted">
        {SPENT_BY.map((other) => (
          <Button
            key={other}
            size="xs"
            variant={other === by ? "filled" : "default"}
            aria-pressed={other === by}
            onClick={() => choose(other)}
          >
            {spentBy[other][language]}
          </Button>
        ))}
      </Group>
      <Asked query={useBreakdown(days, by)}>
        {({ lines }) => <LineRows days={days} by={by} lines={lines.filter(({ amount }) => amount > 0)} />}
      </Asked>
    </Surface>
  );
}

/** Days are not compared line by line: the period before has others. */
function LineRows({ days, by, lines }: { days: Days; by: SpentBy; lines: Line[] }) {
  const words = useWords(texts);
  const { language } = useLanguage();
  const before = useBreakdown(daysBefore(days), by).data;
  const former = new Map(before?.lines.map((line) => [line.which, line]));
  const column = (
    title: string,
    of: (line: Line) => number,
    show: (value: number) => string,
    is: Compared["is"] = "count",
  ): Column<Line> => {
    const plain: Column<Line> = { title, end: true, show: (line) => show(of(line)) };
    if (by === "day") return plain;
    return compared(plain, (line) => {
      const was = former.get(line.which);
      return { now: of(line), before: before && (was ? of(was) : 0), is };
    });
  };
  const count = (value: number) => showCount(value, language);
  return (
    <FirstLines rows={lines}>
      {(shown) => (
        <Rows
          label={words.by(spentBy[by][language])}
          rows={shown}
          keyOf={({ which }) => which ?? "unnoted"}
          empty={{ icon: "chart", says: words.noneSpent }}
          columns={[
            { title: spentBy[by][language], show: (line) => <ToCalls days={days} by={by} line={line} /> },
            column(words.calls, ({ calls }) => calls, count),
            column(words.minutes, ({ minutes }) => minutes, count),
            column(
              words.spent,
              ({ amount }) => amount,
              (value) => showAmount(value, language, 4),
              "amount",
            ),
          ]}
        />
      )}
    </FirstLines>
  );
}

/** What is not noted is found by its kind alone. */
function ToCalls({ days, by, line: { which, name } }: { days: Days; by: SpentBy; line: Line }): ReactNode {
  const { language } = useLanguage();
  const to = which === null ? ({ days, by: "kind", which: "unnoted" } as const) : { days, by, which };
  return (
    <Link href={callsOf(to)}>
      <strong>{lineName({ by, which, name }, language)}</strong>
    </Link>
  );
}

function lineName(
  { by, which, name }: { by: SpentBy; which: string | null; name: string },
  language: Parameters<typeof spentOn>[2],
): string {
  if (by === "day" && which) return showDate(which, language);
  if (by === "campaign" && which && name) return name;
  return `${spentOn(by, which, language)} ${by === "extension" ? name : ""}`.trim();
}
