import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/ground/santral-process.ts";
import { testClock } from "../../test/ground/test-clock.ts";
import { whenOver } from "../../test/ground/when-over.ts";
import type { Config } from "../config.ts";
import { openControl } from "../exchange/signalling/trace/control.ts";
import { placesIn } from "../server/data-folder.ts";
import type { TurnView } from "../server/turn-watch.ts";
import { turns } from "./turns.ts";

const at = "2026-01-05T09:00:00.000Z";

test("a few long turns are told, and many or very long ones are a warning", async () => {
  const dataFolder = temporaryFolder();
  const clock = testClock();
  const patient = { config: { dataFolder } as Config, clock }; // as much of it as the check looks at
  let seen: TurnView = { long: 0, longestMs: 0 };
  expect(await turns.run(patient)).toMatchObject({ is: "ok", says: expect.stringContaining("no server") });
  const trace = { watch: () => undefined };
  const { control: path } = placesIn(dataFolder);
  const control = await openControl({ path, clock, trace, answers: { turns: () => seen } });
  whenOver(() => control.close());
  expect(await turns.run(patient)).toMatchObject({ is: "ok", says: expect.stringContaining("nothing kept") });
  seen = { long: 1, longestMs: 120, at };
  expect(await turns.run(patient)).toEqual({
    is: "ok",
    says: `1 turn of the first thread took more than 100 ms in the last hour, the longest 120 ms, the last at ${at}`,
  });
  seen = { long: 2, longestMs: 900, at };
  expect(await turns.run(patient)).toMatchObject({ is: "warn", says: expect.stringContaining("900 ms") });
  seen = { long: 60, longestMs: 120, at };
  expect(await turns.run(patient)).toMatchObject({ is: "warn" });
});
