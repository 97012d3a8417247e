// The calls of the period as a whole: figures beside those of the period before, by hour, by day, and over the week.

import { Paper, SimpleGrid, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { showCount, showDay, showShare } from "../../../src/words/stamps.ts";
import type { Reply } from "../../ask/ask.ts";
import { useHas, useSession } from "../../ask/session.tsx";
import { useAsk } from "../../ask/use-ask.ts";
import { Bars, type Series } from "../../ui/bars.tsx";
import { CallsBehind, callsBehind, type Days } from "../../ui/calls-behind.tsx";
import { Surface } from "../../ui/page.tsx";
import { Scroller } from "../../ui/scroller.tsx";
import { Asked } from "../../ui/states.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { directions } from "../../words/texts.ts";
import { Change, Count, Lasting } from "./figures.tsx";
import { Tables } from "./report-tools.tsx";
import { daysBefore, stretchOf } from "./stretch.ts";
import { texts } from "./texts.ts";

type Summary = Reply<"reports.summary">;
type Hour = Reply<"reports.calls">["week"][number];

export function SummaryFigures({ days }: { days: Days }) {
  const { exchange } = useSession();
  const now = useAsk("reports.summary", stretchOf(days, exchange.timeZone));
  const before = useAsk("reports.summary", stretchOf(daysBefore(days), exchange.timeZone));
  return <Asked query={now}>{(summary) => <Tiles days={days} now={summary} before={before.data} />}</Asked>;
}

function Tiles({ days, now, before }: { days: Days; now: Summary; before: Summary | undefined }) {
  const words = useWords(texts);
  const { language } = useLanguage();
  const count = (name: "inbound" | "answered" | "missed" | "outbound", behind: Record<string, string>) => (
    <Tile label={words[name]} change={<Change now={now[name]} before={before?.[name]} />}>
      <Count value={now[name]} label={words[name]} days={days} behind={behind} />
    </Tile>
  );
  const share = (name: "answerRate" | "serviceLevel", behind: Record<string, string>) => (
    <Tile label={words[name]} change={<Change now={now[name]} before={before?.[name]} is="share" />}>
      <CallsBehind
        label={words[name]}
        shown={showShare(now[name], language)}
        days={days}
        behind={behind}
        isNone={now[name] === null}
      />
    </Tile>
  );
  return (
    <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="sm">
      {count("inbound", { direction: "inbound" })}
      {count("answered", { direction: "inbound", result: "answered" })}
      {count("missed", { direction: "inbound", result: "missed" })}
      {share("answerRate", { direction: "inbound", result: "wanted-person" })}
      {share("serviceLevel", { queued: "yes" })}
      <Tile label={words.abandoned} change={<Change now={now.abandoned} before={before?.abandoned} />}>
        <Count
          value={now.abandoned}
          label={words.abandoned}
          days={days}
          behind={{ queued: "yes", became: "abandoned" }}
        />
      </Tile>
      {count("outbound", { direction: "outbound" })}
      <Tile label={words.talk} change={<Change now={now.talk} before={before?.talk} is="seconds" />}>
        <Lasting seconds={now.talk} label={words.talk} days={days} behind={{ talked: "yes" }} />
      </Tile>
    </SimpleGrid>
  );
}

function Tile({ label, change, children }: { label: string; change: ReactNode; children: ReactNode }) {
  return (
    <Paper className="surface" p="md">
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Text className="figure" component="p" my={4}>
        {children}
      </Text>
      {change}
    </Paper>
  );
}

export function CallCharts({ days }: { days: Days }) {
  const words = useWords(texts);
  const { language } = useLanguage();
  const { exchange } = useSession();
  const seesCalls = useHas("see-calls");
  const report = useAsk("reports.calls", stretchOf(days, exchange.timeZone));
  const series: Series[] = [
    { name: directions.inbound?.[language] ?? "", color: "var(--mantine-color-brand-6)" },
    { name: directions.outbound?.[language] ?? "", color: "var(--mantine-color-teal-6)" },
    { name: directions.internal?.[language] ?? "", color: "var(--mantine-color-gray-5)" },
  ];
  return (
    <Asked query={report}>
      {({ week, days: byDay }) => (
        <>
          <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
            <Surface title={words.byHour}>
              <Bars
                label={words.byHour}
                unit={words.unit}
                series={series}
                bars={hoursOf(week, days).map((bar) => (seesCalls ? bar : { ...bar, to: undefined }))}
              />
            </Surface>
            <Surface title={words.byDay} actions={<Tables what="days" days={days} />}>
              <Bars
                label={words.byDay}
                unit={words.unit}
                series={series}
                bars={byDay.map(({ day, inbound, outbound, internal }) => ({
                  name: showDay(day, language),
                  values: [inbound, outbound, internal],
                  to: seesCalls ? callsBehind({ from: day, to: day }, {}) : undefined,
                }))}
              />
            </Surface>
          </SimpleGrid>
          <HeatMap week={week} days={days} />
        </>
      )}
    </Asked>
  );
}

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);
const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7];
const two = (hour: number) => String(hour).padStart(2, "0");

function hoursOf(week: readonly Hour[], days: Days) {
  return HOURS.map((hour) => {
    const those = week.filter((it) => it.hour === hour);
    const sum = (of: "inbound" | "outbound" | "internal") => those.reduce((all, it) => all + it[of], 0);
    const values = [sum("inbound"), sum("outbound"), sum("internal")];
    return { name: two(hour), values, to: callsBehind(days, { hour }) };
  });
}

/** Incoming calls: the darker, the more. */
function HeatMap({ week, days }: { week: readonly Hour[]; days: Days }) {
  const words = useWords(texts);
  const { language } = useLanguage();
  const seesCalls = useHas("see-calls");
  const most = Math.max(1, ...week.map(({ inbound }) => inbound));
  const at = new Map(week.map((it) => [`${it.weekday} ${it.hour}`, it.inbound]));
  return (
    <Surface title={words.heatMap}>
      <Scroller className="heat" label={words.table(words.heatMap)}>
        <table>
          <thead>
            <tr>
              <th scope="col" className="heat-name">
                {words.hour}
              </th>
              {HOURS.map((hour) => (
                <th key={hour} scope="col" className="heat-name">
                  {two(hour)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {WEEKDAYS.map((weekday) => (
              <tr key={weekday}>
                <th scope="row" className="heat-name">
                  {words.weekday(weekday)}
                </th>
                {HOURS.map((hour) => {
                  const calls = at.get(`${weekday} ${hour}`) ?? 0;
                  const shown = showCount(calls, language);
                  const shade = calls === 0 ? 0 : 10 + Math.round((calls / most) * 45);
                  return (
                    <td
                      key={hour}
                      className="heat-cell"
                      style={{ background: `color-mix(in srgb, var(--mantine-color-brand-5) ${shade}%, transparent)` }}
                    >
                      {calls > 0 && !seesCalls && <span className="heat-calls">{shown}</span>}
                      {calls > 0 && seesCalls && (
                        <Link
                          className="heat-calls"
                          href={callsBehind(days, { direction: "inbound", weekday, hour })}
                          aria-label={`${words.weekday(weekday)} ${two(hour)}: ${shown}`}
                        >
                          {shown}
                        </Link>
                      )}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroller>
    </Surface>
  );
}
