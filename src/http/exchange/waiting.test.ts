import { expect, test } from "vitest";
import { testClock } from "../../../test/ground/test-clock.ts";
import { httpTown } from "../../../test/town/http-town.ts";
import type { Exchange } from "../../exchange/exchange.ts";
import { rates } from "../door/rate-limit.ts";

const clock = testClock();
const entry = {
  id: "5a6c6a5c-fd86-11e5-87a3-157d41a07454",
  queue: "200",
  callUuid: "358c20bc-fd86-11e5-87a2-157d41a07454",
  caller: "05321234567",
  joinedMs: clock.wall() - 42_500,
  waitedMs: () => 42_500,
};
const askedFor: number[] = [];
const waiting = (exchangeId: number) => {
  askedFor.push(exchangeId);
  return [entry];
};
// Only what this operation asks of it.
const exchange = { waiting } as unknown as Exchange;
const { ask, ours } = await httpTown({ clock, rates, exchange });

test("callers who wait are listed with the very fields clients read, ten times a minute", async () => {
  const answer = await ask("GET /queues/pending");
  expect(answer).toMatchObject({ status: 200, type: "application/json; charset=utf-8" });
  expect(answer.text).toBe(
    JSON.stringify([
      {
        queue_number: "200",
        uuid: entry.id,
        call_uuid: entry.callUuid,
        caller_id: "905321234567",
        joined_at: String(Math.floor(entry.joinedMs / 1_000)),
        wait_time: 42,
      },
    ]),
  );
  expect(askedFor).toEqual([ours.id]);
  for (let count = 1; count < 10; count++) expect((await ask("GET /queues/pending")).status).toBe(200);
  expect(await ask("GET /queues/pending")).toMatchObject({ status: 429, text: "Too Many Requests" });
  clock.pass(6_000);
  expect((await ask("GET /queues/pending")).status).toBe(200);
  expect((await ask("GET /queues/pending", { key: "K-nobody" })).status).toBe(401);
});
