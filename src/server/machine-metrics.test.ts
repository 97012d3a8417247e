import { Registry } from "prom-client";
import { expect, test } from "vitest";
import { silentLog } from "../log.ts";
import { countUnexpected } from "./machine-metrics.ts";

test("an input that a state does not expect is counted by machine, state and input, and said at debug", async () => {
  const registry = new Registry();
  const said: object[] = [];
  const report = countUnexpected(registry, { ...silentLog, debug: (facts) => void said.push(facts) });
  const what = { machine: "call", state: "over", input: "takeOver" };
  report(what);
  report(what);
  expect(await registry.metrics()).toContain(
    'santral_unexpected_inputs_total{machine="call",state="over",input="takeOver"} 2',
  );
  expect(said).toEqual([what, what]);
});
