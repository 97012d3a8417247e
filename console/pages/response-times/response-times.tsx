// How long callers waited until a person took the call. Every figure leads to the calls behind it.

import { Anchor, Group, Progress, SimpleGrid, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { showCount, showDay, showDuration, showShare } from "../../../src/words/stamps.ts";
import type { Reply } from "../../ask/ask.ts";
import { useHas, useSession } from "../../ask/session.tsx";
import { useAsk } from "../../ask/use-ask.ts";
import { Bars } from "../../ui/bars.tsx";
import { Download } from "../../ui/download.tsx";
import { Figure, PageFrame, Surface } from "../../ui/page.tsx";
import { type Column, Rows } from "../../ui/rows.tsx";
import { Asked as AskedFor } from "../../ui/states.tsx";
import { useFilters } from "../../ui/use-filters.ts";
import { useLanguage, useWords } from "../../words/language.tsx";
import { MailButton } from "../report-mails/mail-button.tsx";
import { type Asked, askedOf, Filters, wantedOf } from "./filters.tsx";
import { texts } from "./texts.ts";

type Report = Reply<"reports.responseTimes">;
type Figures = Report["whole"];

/** What narrows the list of calls down to those behind a figure. */
type Behind = {
  result: "answered" | "missed";
  waitedOver?: number | null;
  waitedUpTo?: number | null;
  hour?: number;
  day?: string;
};

export function ResponseTimes() {
  const words = useWords(texts);
  const { exchange } = useSession();
  const [query, change] = useFilters();
  const asked = askedOf(query, exchange.timeZone);
  const wanted = wantedOf(asked, exchange.timeZone);
  const { from: _, to: __, ...filter } = asked;
  const report = useAsk("reports.responseTimes", wanted);
  return (
    <PageFrame
      title={words.title}
      about={words.about}
      actions={
        <>
          <Download wanted={wanted} file="response-times.csv" label={words.csv} />
          <Download wanted={wanted} file="response-times.xlsx" label={words.excel} />
          <MailButton report="response-times" filter={filter} />
        </>
      }
    >
      <Filters asked={asked} change={change} />
      <AskedFor query={report}>
        {(shown) => (
          <>
            <Whole asked={asked} report={shown} />
            <Bands asked={asked} report={shown} />
            <ByHour asked={asked} report={shown} />
            <ByDay asked={asked} report={shown} />
          </>
        )}
      </AskedFor>
    </PageFrame>
  );
}

function hrefOf({ from, to, promisedSeconds: _, ...asked }: Asked, { day, result, ...behind }: Behind): string {
  // What the other side did not answer is no call that we missed.
  const isOurs = result === "missed" && asked.direction === "internal";
  const search = { from: day ?? from, to: day ?? to, ...asked, ...behind, result: isOurs ? "unanswered" : result };
  const given = Object.entries(search).filter(([, value]) => value !== null && value !== undefined);
  return `/calls?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
}

function Calls({ asked, behind, children }: { asked: Asked; behind: Behind; children: ReactNode }) {
  if (!useHas("see-calls")) return children;
  return (
    <Anchor component={Link} href={hrefOf(asked, behind)} inherit>
      {children}
    </Anchor>
  );
}

const shareOf = (part: number, whole: number) => (whole === 0 ? 0 : part / whole);
const wait = (seconds: number | null) => (seconds === null ? "—" : showDuration(Math.round(seconds)));

/** The calls that waited longest: those of that second. */
const longestOf = (seconds: number | null) => ({
  waitedOver: seconds === null || seconds === 0 ? null : seconds - 1,
  waitedUpTo: seconds,
});

type Shown = { asked: Asked; report: Report };

function Whole({ asked, report: { whole, promisedSeconds } }: Shown) {
  const words = useWords(texts);
  const { language } = useLanguage();
  const figure = (label: string, value: ReactNode, behind: Behind) => (
    <Figure
      label={label}
      value={
        <Calls asked={asked} behind={behind}>
          {value}
        </Calls>
      }
    />
  );
  const taken: Behind = { result: "answered" };
  const missed: Behind = { result: "missed" };
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 5 }} spacing="sm">
      {figure(words.answered, showCount(whole.answered, language), taken)}
      {figure(words.within(promisedSeconds), showShare(shareOf(whole.inTime, whole.answered), language), {
        ...taken,
        waitedUpTo: promisedSeconds,
      })}
      {figure(words.average, wait(whole.average), taken)}
      {figure(words.median, wait(whole.median), { ...taken, waitedUpTo: whole.median })}
      {figure(words.ninetieth, wait(whole.ninetieth), { ...taken, waitedUpTo: whole.ninetieth })}
      {figure(words.longest, wait(whole.longest), { ...taken, ...longestOf(whole.longest) })}
      {figure(words.unanswered, showCount(whole.unanswered, language), missed)}
      {figure(words.averageGone, wait(whole.averageGone), missed)}
      {figure(words.medianGone, wait(whole.medianGone), { ...missed, waitedUpTo: whole.medianGone })}
      {figure(words.longestGone, wait(whole.longestGone), { ...missed, ...longestOf(whole.longestGone) })}
    </SimpleGrid>
  );
}

function Bands({ asked, report: { bands, whole } }: Shown) {
  const words = useWords(texts);
  const { language } = useLanguage();
  const within = ({ over, upTo }: Report["bands"][number]) => ({ waitedOver: over, waitedUpTo: upTo });
  return (
    <Surface title={words.bands}>
      <Rows
        label={words.bands}
        rows={bands}
        keyOf={({ over }) => over ?? 0}
        empty={{ icon: "clock" }}
        columns={[
          {
            title: words.band,
            show: ({ over, upTo }) => (upTo === null ? words.over(over ?? 0) : words.upTo(over ?? 0, upTo)),
          },
          {
            title: words.answered,
            show: (band) => (
              <Calls asked={asked} behind={{ result: "answered", ...within(band) }}>
                {showCount(band.answered, language)}
              </Calls>
            ),
            end: true,
          },
          { title: words.share, show: ({ answered }) => <Share share={shareOf(answered, whole.answered)} /> },
          {
            title: words.unanswered,
            show: (band) => (
              <Calls asked={asked} behind={{ result: "missed", ...within(band) }}>
                {showCount(band.unanswered, language)}
              </Calls>
            ),
            end: true,
          },
        ]}
      />
    </Surface>
  );
}

function Share({ share }: { share: number }) {
  const shown = showShare(share, useLanguage().language);
  return (
    <Group gap="xs" wrap="nowrap" miw={110}>
      <Progress value={share * 100} flex={1} aria-label={shown} />
      <Text size="sm">{shown}</Text>
    </Group>
  );
}

function ByHour({ asked, report: { hours, promisedSeconds } }: Shown) {
  const words = useWords(texts);
  const name = (hour: number) => `${String(hour).padStart(2, "0")}:00`;
  const columns = useFigures<Report["hours"][number]>(asked, promisedSeconds, ({ hour }) => ({ hour }));
  return (
    <Surface title={words.byHour}>
      <Chart
        label={words.byHour}
        lines={hours.map((it) => ({ name: name(it.hour), ...it }))}
        within={promisedSeconds}
      />
      <Rows
        label={words.byHour}
        rows={hours.filter(hasCalls)}
        keyOf={({ hour }) => hour}
        empty={{ icon: "clock", says: words.noCalls }}
        columns={[{ title: words.hour, show: ({ hour }) => name(hour) }, ...columns]}
      />
    </Surface>
  );
}

function ByDay({ asked, report: { days, promisedSeconds } }: Shown) {
  const words = useWords(texts);
  const { language } = useLanguage();
  const columns = useFigures<Report["days"][number]>(asked, promisedSeconds, ({ day }) => ({ day }));
  const lines = days.map((it) => ({ name: showDay(it.day, language), ...it }));
  return (
    <Surface title={words.byDay}>
      <Chart label={words.byDay} lines={lines} within={promisedSeconds} />
      <Rows
        label={words.byDay}
        rows={days.filter(hasCalls)}
        keyOf={({ day }) => day}
        empty={{ icon: "clock", says: words.noCalls }}
        columns={[{ title: words.day, show: ({ day }) => showDay(day, language) }, ...columns]}
      />
    </Surface>
  );
}

const hasCalls = ({ answered, unanswered }: Figures) => answered + unanswered > 0;

function Chart({ label, lines, within }: { label: string; lines: (Figures & { name: string })[]; within: number }) {
  const words = useWords(texts);
  const series = [
    { name: words.within(within), color: "var(--mantine-color-teal-6)" },
    { name: words.later, color: "var(--mantine-color-yellow-6)" },
    { name: words.unanswered, color: "var(--mantine-color-red-6)" },
  ];
  const bars = lines.map(({ name, inTime, answered, unanswered }) => ({
    name,
    values: [inTime, answered - inTime, unanswered],
  }));
  return <Bars label={label} unit={words.unit} series={series} bars={bars} />;
}

/** The figures of an hour or a day, each leading to its calls. */
function useFigures<Line extends Figures>(
  asked: Asked,
  promisedSeconds: number,
  whichOf: (line: Line) => Pick<Behind, "hour" | "day">,
): Column<Line>[] {
  const words = useWords(texts);
  const { language } = useLanguage();
  const column = (title: string, show: (line: Line) => ReactNode, behind: (line: Line) => Behind): Column<Line> => ({
    title,
    end: true,
    show: (line) => (
      <Calls asked={asked} behind={{ ...behind(line), ...whichOf(line) }}>
        {show(line)}
      </Calls>
    ),
  });
  const taken = (): Behind => ({ result: "answered" });
  const missed = (): Behind => ({ result: "missed" });
  return [
    column(words.answered, ({ answered }) => showCount(answered, language), taken),
    column(
      words.within(promisedSeconds),
      ({ inTime, answered }) => showShare(shareOf(inTime, answered), language),
      () => ({ result: "answered", waitedUpTo: promisedSeconds }),
    ),
    column(words.average, ({ average }) => wait(average), taken),
    column(
      words.median,
      ({ median }) => wait(median),
      ({ median }) => ({ result: "answered", waitedUpTo: median }),
    ),
    column(
      words.ninetieth,
      ({ ninetieth }) => wait(ninetieth),
      ({ ninetieth }) => ({ result: "answered", waitedUpTo: ninetieth }),
    ),
    column(
      words.longest,
      ({ longest }) => wait(longest),
      ({ longest }) => ({ result: "answered", ...longestOf(longest) }),
    ),
    column(words.unanswered, ({ unanswered }) => showCount(unanswered, language), missed),
    column(words.averageGone, ({ averageGone }) => wait(averageGone), missed),
  ];
}
