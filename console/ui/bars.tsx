// A chart of bars: stacked where a bar has several parts, with the same figures as a table for whoever cannot see it.

import { Box, Group, Text } from "@mantine/core";

export type Series = { name: string; color: string };

const HEIGHT = 180;
const WIDTH = 720;
const FLOOR = 22;

export function Bars({
  label,
  series,
  bars,
}: {
  label: string;
  series: Series[];
  bars: { name: string; values: number[] }[];
}) {
  const most = Math.max(1, ...bars.map(({ values }) => values.reduce((sum, value) => sum + value, 0)));
  const step = WIDTH / Math.max(1, bars.length);
  const everyNth = Math.ceil(bars.length / 12);
  return (
    <Box px="md" pb="md">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT + FLOOR}`} width="100%" role="img" aria-label={label}>
        <line x1="0" x2={WIDTH} y1={HEIGHT} y2={HEIGHT} stroke="var(--santral-line)" />
        <text x="2" y="12" fontSize="11" fill="var(--mantine-color-dimmed)">
          {most}
        </text>
        {bars.map(({ name, values }, index) => (
          <g key={name}>
            <Bar
              values={values}
              most={most}
              x={index * step + step * 0.15}
              width={step * 0.7}
              series={series}
              name={name}
            />
            {index % everyNth === 0 && (
              <text
                x={(index + 0.5) * step}
                y={HEIGHT + 16}
                fontSize="11"
                textAnchor="middle"
                fill="var(--mantine-color-dimmed)"
              >
                {name}
              </text>
            )}
          </g>
        ))}
      </svg>
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
    </Box>
  );
}

function Bar({
  values,
  most,
  x,
  width,
  series,
  name,
}: {
  values: number[];
  most: number;
  x: number;
  width: number;
  series: Series[];
  name: string;
}) {
  let below = 0;
  return values.map((value, index) => {
    const height = (value / most) * (HEIGHT - 16);
    below += height;
    const of = series[index];
    return (
      <rect key={of?.name} x={x} y={HEIGHT - below} width={width} height={height} rx={2} fill={of?.color}>
        <title>{`${name} · ${of?.name}: ${value}`}</title>
      </rect>
    );
  });
}
