// What calls to the outside cost: this month beside its limit, the months before, and the prices.

import { Group, Text } from "@mantine/core";
import type { Reply } from "../../ask/ask.ts";
import { useAsk } from "../../ask/use-ask.ts";
import { PageFrame, Surface } from "../../ui/page.tsx";
import { type Column, Rows } from "../../ui/rows.tsx";
import { Asked } from "../../ui/states.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { texts } from "./texts.ts";

type Spent = Reply<"spending.show">;

export function Spending() {
  const words = useWords(texts);
  return (
    <PageFrame title={words.title} about={words.about}>
      <Asked query={useAsk("spending.show", {})}>{(spent) => <Figures spent={spent} />}</Asked>
    </PageFrame>
  );
}

function Figures({ spent }: { spent: Spent }) {
  const words = useWords(texts);
  const { language } = useLanguage();
  const money = (amount: number, most = 2) =>
    amount.toLocaleString(language, { minimumFractionDigits: 2, maximumFractionDigits: most });
  const months: Column<Spent["months"][number]>[] = [
    { title: words.month, show: ({ month }) => month },
    { title: words.amount, show: ({ amount }) => money(amount) },
  ];
  const rates: Column<Spent["rates"][number]>[] = [
    { title: words.prefix, show: ({ prefix }) => prefix || words.all },
    { title: words.price, show: ({ minutePrice }) => money(minutePrice, 4) },
  ];
  return (
    <>
      <Surface title={words.thisMonth}>
        <Group p="md" gap="xl">
          <Figure name={words.amount} value={money(spent.spent)} />
          <Figure name={words.limit} value={spent.limit === null ? words.noLimit : money(spent.limit)} />
        </Group>
      </Surface>
      <Surface title={words.months}>
        <Rows
          label={words.months}
          rows={spent.months}
          keyOf={({ month }) => month}
          columns={months}
          empty={{ icon: "coins", says: words.nothingSpent }}
        />
      </Surface>
      <Surface title={words.rates}>
        <Rows
          label={words.rates}
          rows={spent.rates}
          keyOf={({ prefix }) => prefix}
          columns={rates}
          empty={{ icon: "coins", says: words.noRates }}
        />
      </Surface>
    </>
  );
}

function Figure({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <Text size="sm" c="dimmed">
        {name}
      </Text>
      <Text fw={700} size="xl">
        {value}
      </Text>
    </div>
  );
}
