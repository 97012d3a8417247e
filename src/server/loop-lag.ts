// How late the event loop is, under the names that dashboards know; looked at seldom enough for a server that rests.

import { type IntervalHistogram, monitorEventLoopDelay } from "node:perf_hooks";
import { Gauge, type Registry } from "prom-client";

/** Each look wakes a server that has nothing else to do; prom-client's own hundred a second cost more than idling itself. */
const LOOK_MS = 500;
/** Its own looks are never due. */
export const NEVER_LOOKS_MS = 2_147_483_647;

const told: Record<string, { help: string; read(lag: IntervalHistogram): number }> = {
  min: { help: "The minimum recorded event loop delay.", read: ({ min }) => min },
  max: { help: "The maximum recorded event loop delay.", read: ({ max }) => max },
  mean: { help: "The mean of the recorded event loop delays.", read: ({ mean }) => mean },
  p50: { help: "The 50th percentile of the recorded event loop delays.", read: (lag) => lag.percentile(50) },
  p90: { help: "The 90th percentile of the recorded event loop delays.", read: (lag) => lag.percentile(90) },
  p99: { help: "The 99th percentile of the recorded event loop delays.", read: (lag) => lag.percentile(99) },
};

/** Takes the place of what prom-client tells by these names. */
export function tellLoopLag(registry: Registry): void {
  const lag = monitorEventLoopDelay({ resolution: LOOK_MS });
  lag.enable();
  const gauges = Object.entries(told).map(([name, { help, read }]) => {
    const full = `nodejs_eventloop_lag_${name}_seconds`;
    registry.removeSingleMetric(full);
    return { gauge: new Gauge({ name: full, help, registers: [] }), read };
  });
  const stddev = "nodejs_eventloop_lag_stddev_seconds";
  registry.removeSingleMetric(stddev);
  const collect = () => {
    const isAny = lag.count > 0;
    // What is recorded is the time between two looks.
    const seconds = (ns: number) => (isAny ? Math.max(0, ns / 1e9 - LOOK_MS / 1_000) : 0);
    for (const { gauge, read } of gauges) gauge.set(seconds(read(lag)));
    first.set(isAny ? lag.stddev / 1e9 : 0);
    lag.reset();
  };
  // Asked first, it sets them all.
  const first = new Gauge({
    name: stddev,
    help: "The standard deviation of the recorded event loop delays.",
    registers: [registry],
    collect,
  });
  for (const { gauge } of gauges) registry.registerMetric(gauge);
}
