// The calls behind a figure of what was spent: one line a call that was paid for, the newest first.

import { Anchor, Button, Group } from "@mantine/core";
import { Link } from "wouter";
import { paidKinds, spentBy, spentOn } from "../../../src/nouns/spent.ts";
import { showAmount, showCount, showDate } from "../../../src/words/stamps.ts";
import type { Reply } from "../../ask/ask.ts";
import { useHas, useSession } from "../../ask/session.tsx";
import { useStamps } from "../../ask/stamps.ts";
import { usePaged } from "../../ask/use-paged.ts";
import { Download } from "../../ui/download.tsx";
import { Surface } from "../../ui/page.tsx";
import { type Column, PagedRows } from "../../ui/rows.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { called } from "../reports/report-tools.tsx";
import { stretchOf } from "../reports/stretch.ts";
import { texts } from "./texts.ts";
import type { Wanted } from "./wanted.ts";

type PaidLeg = Reply<"spending.legs">["rows"][number];

export function PaidLegs({ about: { days, by, which }, all }: { about: Wanted; all(): void }) {
  const words = useWords(texts);
  const { language } = useLanguage();
  const { exchange } = useSession();
  const wanted = { ...stretchOf(days, exchange.timeZone), ...(which !== undefined && { by, which }) };
  const pages = usePaged("spending.legs", wanted);
  const expected = pages.query.data?.total;
  const line = which && by === "day" ? showDate(which, language) : spentOn(by, which ?? null, language);
  const title = which === undefined ? words.paidCalls : words.callsOf(spentBy[by][language], line);
  return (
    <Surface
      title={title}
      actions={
        <Group gap="xs">
          {which !== undefined && (
            <Button variant="subtle" onClick={all} className="unprinted">
              {words.allCalls}
            </Button>
          )}
          <Download wanted={wanted} file="spending-calls.csv" label="CSV" expected={expected} />
          <Download wanted={wanted} file="spending-calls.xlsx" label={words.excel} expected={expected} />
        </Group>
      }
    >
      <PagedRows
        pages={pages}
        label={title}
        keyOf={({ leg, at }) => `${leg} ${at}`}
        empty={{ icon: "chart", says: words.noneSpent }}
        columns={useColumns()}
      />
    </Surface>
  );
}

function useColumns(): Column<PaidLeg>[] {
  const words = useWords(texts);
  const { language } = useLanguage();
  const { dateTime } = useStamps();
  const seesCalls = useHas("see-calls");
  const when = ({ at, callUuid }: PaidLeg) =>
    seesCalls && callUuid !== null ? (
      <Anchor component={Link} href={`/calls/${callUuid}`} inherit>
        {dateTime(at)}
      </Anchor>
    ) : (
      dateTime(at)
    );
  return [
    { title: words.at, show: when },
    { title: spentBy.kind[language], show: ({ kind }) => paidKinds[kind][language] },
    { title: words.number, show: ({ number }) => number || "—" },
    {
      title: spentBy.price[language],
      show: ({ prefix }) => (prefix === null ? "—" : spentOn("price", prefix, language)),
    },
    {
      title: spentBy.trunk[language],
      show: ({ kind, trunk }) => (kind === "unnoted" ? "—" : spentOn("trunk", trunk ?? "", language)),
    },
    {
      title: spentBy.extension[language],
      show: ({ extension, extensionName }) => (extension ? called(extension, extensionName) : "—"),
    },
    { title: spentBy.campaign[language], show: ({ campaign }) => campaign || "—" },
    { title: words.minutes, end: true, show: ({ minutes }) => showCount(minutes, language) },
    { title: words.spent, end: true, show: ({ amount }) => showAmount(amount, language, 4) },
  ];
}
