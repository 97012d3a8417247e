// What calls to the outside have cost, by month and broken down, and what they cost by the minute.

import { Anchor, Progress, SimpleGrid, Stack, Text } from "@mantine/core";
import { Link } from "wouter";
import { spendingCauses, spendingFigure } from "../../../src/words/spending-alarms.ts";
import { showAmount, showMonth } from "../../../src/words/stamps.ts";
import type { Reply } from "../../ask/ask.ts";
import { useStamps } from "../../ask/stamps.ts";
import { useSaving } from "../../ask/use-action.ts";
import { useAsk, useDo } from "../../ask/use-ask.ts";
import { DeleteIcon } from "../../ui/buttons.tsx";
import type { Days } from "../../ui/calls-behind.tsx";
import type { Draft, Field } from "../../ui/field.ts";
import { MakeButton } from "../../ui/list-page.tsx";
import { PageFrame, Surface } from "../../ui/page.tsx";
import { Rows, useRowButtons } from "../../ui/rows.tsx";
import { Asked } from "../../ui/states.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { dayAfter } from "../../words/stamps.ts";
import { Breakdown } from "./breakdown.tsx";
import { texts } from "./texts.ts";
import { callsOf } from "./wanted.ts";

type Spent = Reply<"spending.show">;
type Rate = Spent["rates"][number];

export function Spending() {
  const words = useWords(texts);
  return (
    <PageFrame title={words.title} about={words.about}>
      <Asked query={useAsk("spending.show", {})}>
        {(spent) => (
          <>
            <Months spent={spent} />
            <Alarms spent={spent} />
            <Breakdown />
            <Rates rates={spent.rates} />
          </>
        )}
      </Asked>
    </PageFrame>
  );
}

/** As the language writes amounts; the exchange keeps its books in one currency. */
function useAmounts(): (amount: number) => string {
  const { language } = useLanguage();
  return (amount) => showAmount(amount, language, 4);
}

function Months({ spent: { spent, limit, months } }: { spent: Spent }) {
  const words = useWords(texts);
  const { language } = useLanguage();
  const { dateTime } = useStamps();
  const amount = useAmounts();
  const figures: [label: string, value: string][] = [
    [words.thisMonth, amount(spent)],
    [words.limit, limit === null ? words.noLimit : amount(limit)],
    ...(limit === null ? [] : ([[words.left, amount(Math.max(0, limit - spent))]] as [string, string][])),
  ];
  return (
    <Surface title={words.months}>
      <Stack p="md" pt="xs">
        <SimpleGrid cols={{ base: 1, xs: 3 }}>
          {figures.map(([label, value]) => (
            <div key={label}>
              <Text size="sm" c="dimmed">
                {label}
              </Text>
              <Text fw={650} size="xl">
                {value}
              </Text>
            </div>
          ))}
        </SimpleGrid>
        {limit !== null && limit > 0 && (
          <Progress
            value={Math.min(100, (spent / limit) * 100)}
            color={spent >= limit ? "red" : spent >= limit * 0.8 ? "yellow" : "teal"}
            aria-label={words.spent}
          />
        )}
      </Stack>
      <Rows
        label={words.months}
        rows={months}
        keyOf={({ month }) => month}
        empty={{ icon: "chart", says: words.noMonths }}
        columns={[
          {
            title: words.month,
            show: ({ month }) => (
              <Anchor component={Link} href={callsOf({ days: daysOf(month), by: "trunk", which: undefined })} fw={700}>
                {showMonth(month, language)}
              </Anchor>
            ),
          },
          { title: words.spent, end: true, show: (it) => amount(it.amount) },
          { title: words.reached, show: ({ limitReachedAt }) => (limitReachedAt ? dateTime(limitReachedAt) : "—") },
        ]}
      />
    </Surface>
  );
}

/** Of what was told last, with what the last hour has cost. */
function Alarms({ spent: { hour, hourlyLimit, alarms } }: { spent: Spent }) {
  const words = useWords(texts);
  const { language } = useLanguage();
  const { dateTime } = useStamps();
  const amount = useAmounts();
  const isStopped = hourlyLimit !== null && hour >= hourlyLimit;
  return (
    <Surface title={words.alarms}>
      <Text size="sm" px="md" pb="xs" c={isStopped ? "red" : "dimmed"}>
        {words.lastHour(amount(hour), hourlyLimit === null ? undefined : amount(hourlyLimit))}
      </Text>
      <Rows
        label={words.alarms}
        rows={alarms}
        keyOf={({ cause, extension }) => `${cause} ${extension}`}
        empty={{ icon: "chart", says: words.noAlarms }}
        columns={[
          { title: words.at, show: ({ at }) => dateTime(at) },
          { title: words.alarmAbout, show: ({ cause }) => spendingCauses[language][cause] },
          { title: words.alarmOf, show: ({ extension }) => extension || words.wholeExchange },
          { title: words.alarmValue, end: true, show: ({ cause, value }) => spendingFigure(cause, value, language) },
          {
            title: words.alarmSet,
            end: true,
            show: ({ cause, threshold }) => spendingFigure(cause, threshold, language),
          },
        ]}
      />
    </Surface>
  );
}

/** `month` as YYYY-MM; its last day is the one before the first of the next. */
function daysOf(month: string): Days {
  const next = dayAfter(`${month}-28`, 4).slice(0, 7);
  return { from: `${month}-01`, to: dayAfter(`${next}-01`, -1) };
}

const rateOf = ({ prefix, minutePrice }: Draft) => ({
  prefix: String(prefix ?? "").trim(),
  minutePrice: String(minutePrice ?? "")
    .trim()
    .replace(",", "."),
});

function Rates({ rates }: { rates: Rate[] }) {
  const words = useWords(texts);
  const amount = useAmounts();
  const remove = useDo("rates.delete");
  const fields: Record<string, Field> = {
    prefix: { is: "digits", label: words.prefix, about: words.prefixAbout, longest: 15 },
    minutePrice: { is: "text", label: words.price, about: words.priceAbout, longest: 11, required: true },
  };
  const set = useSaving("rates.set", rateOf);
  const nameOf = ({ prefix }: Rate) => prefix || words.others;
  const buttons = useRowButtons<Rate>((rate) => (
    <DeleteIcon does="rates.delete" what={nameOf(rate)} act={() => remove({ prefix: rate.prefix })} />
  ));
  return (
    <Surface
      title={words.rates}
      actions={
        <MakeButton fields={fields} make={{ ...set, title: words.add, blank: { prefix: "", minutePrice: "" } }} />
      }
    >
      <Rows
        label={words.rates}
        rows={rates}
        keyOf={({ prefix }) => prefix || "all"}
        empty={{ icon: "chart", says: words.noRates }}
        columns={[
          { title: words.prefix, show: (rate) => <strong>{nameOf(rate)}</strong> },
          { title: words.price, end: true, show: ({ minutePrice }) => amount(minutePrice) },
          buttons,
        ]}
      />
    </Surface>
  );
}
