// A chart of bars: stacked where a bar has several parts, with an axis that says how many of what. As wide as its place,
// so that its letters are as large on a phone.

import { Box, Group, Text } from "@mantine/core";
import { useElementSize } from "@mantine/hooks";
import { Link } from "wouter";
import { showCount } from "../../src/words/stamps.ts";
import { useLanguage } from "../words/language.tsx";

export type Series = { name: string; color: string };
export type OneBar = {
  name: string;
  values: number[];
  /** Where its calls are. */
  to?: string | undefined;
};

const HEIGHT = 180;
const USUAL_WIDTH = 720;
const FLOOR = 22;
const TOP = 22;
const LEFT = 44;
/** Room that the name of a bar takes. */
const NAME_WIDTH = 52;

export function Bars({ label, unit, series, bars }: { label: string; unit: string; series: Series[]; bars: OneBar[] }) {
  const { language } = useLanguage();
  const { ref, width: measured } = useElementSize();
  const width = measured > 0 ? measured : USUAL_WIDTH;
  const ticks = ticksUpTo(Math.max(1, ...bars.map(({ values }) => total(values))));
  const most = ticks.at(-1) ?? 1;
  const step = (width - LEFT) / Math.max(1, bars.length);
  const everyNth = Math.max(1, Math.ceil(NAME_WIDTH / step));
  const height = (value: number) => (value / most) * (HEIGHT - TOP);
  return (
    <Box px="md" pb="md">
      <Box ref={ref}>
        {/* biome-ignore lint/a11y/useSemanticElements: a drawing is no set of fields */}
        <svg viewBox={`0 0 ${width} ${HEIGHT + FLOOR}`} width="100%" role="group" aria-label={label} className="chart">
          <text x="0" y="11" fontSize="11" fill="var(--mantine-color-dimmed)">
            {unit}
          </text>
          {ticks.map((tick) => (
            <g key={tick} aria-hidden>
              <line
                x1={LEFT}
                x2={width}
                y1={HEIGHT - height(tick)}
                y2={HEIGHT - height(tick)}
                stroke="var(--santral-line)"
              />
              <text
                x={LEFT - 6}
                y={HEIGHT - height(tick) + 4}
                fontSize="11"
                textAnchor="end"
                fill="var(--mantine-color-dimmed)"
              >
                {showCount(tick, language)}
              </text>
            </g>
          ))}
          {bars.map((bar, index) => {
            const x = LEFT + index * step;
            const drawn = <Bar bar={bar} x={x + step * 0.15} width={step * 0.7} series={series} height={height} />;
            return (
              <g key={bar.name}>
                {bar.to && total(bar.values) > 0 ? (
                  <Link href={bar.to} aria-label={`${bar.name}: ${showCount(total(bar.values), language)} ${unit}`}>
                    {drawn}
                  </Link>
                ) : (
                  drawn
                )}
                {index % everyNth === 0 && x + step / 2 + NAME_WIDTH / 2 <= width + NAME_WIDTH / 4 && (
                  <text
                    x={x + step / 2}
                    y={HEIGHT + 16}
                    fontSize="11"
                    textAnchor="middle"
                    fill="var(--mantine-color-dimmed)"
                  >
                    {bar.name}
                  </text>
                )}
              </g>
            );
          })}
        </svg>
      </Box>
      <Legend series={series} />
    </Box>
  );
}

function Legend({ series }: { series: Series[] }) {
  return (
    <Group gap="md" mt={4}>
      {series.map(({ name, color }) => (
        <Group key={name} gap={6}>
          <Box w={10} h={10} style={{ borderRadius: 3, background: color }} />
          <Text size="xs" c="dimmed">
            {name}
          </Text>
        </Group>
      ))}
    </Group>
  );
}

function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/** Nought, and a few round numbers up to one that is not below the most. */
function ticksUpTo(most: number): number[] {
  const rough = most / 4;
  const power = 10 ** Math.floor(Math.log10(Math.max(1, rough)));
  const step = Math.max(1, [1, 2, 5, 10].map((times) => times * power).find((it) => it >= rough) ?? 10 * power);
  return Array.from({ length: Math.ceil(most / step) + 1 }, (_, index) => index * step);
}

function Bar({
  bar: { name, values },
  x,
  width,
  series,
  height,
}: {
  bar: OneBar;
  x: number;
  width: number;
  series: Series[];
  height(value: number): number;
}) {
  const { language } = useLanguage();
  let below = 0;
  return values.map((value, index) => {
    below += height(value);
    const of = series[index];
    return (
      <rect key={of?.name} x={x} y={HEIGHT - below} width={width} height={height(value)} rx={2} fill={of?.color}>
        <title>{`${name} · ${of?.name}: ${showCount(value, language)}`}</title>
      </rect>
    );
  });
}
