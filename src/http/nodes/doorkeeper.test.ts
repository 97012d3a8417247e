import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { testClock } from "../../../test/ground/test-clock.ts";
import { whenOver } from "../../../test/ground/when-over.ts";
import { rateLimit } from "../door/rate-limit.ts";
import { openDoorkeeper } from "./doorkeeper.ts";

const signatures = { sign: () => "signed" };
const NOWHERE = "http://127.0.0.1:1";

/** As the node `name` sees it, beside one other. */
function keeperAt(name: string, other: { name: string; url: string }) {
  const clock = testClock();
  const count = openDoorkeeper({ map: { name, others: () => [other] }, signatures, limit: rateLimit(clock), clock });
  return { clock, count };
}

const addresses = Array.from({ length: 20 }, (_, n) => `192.0.2.${n}`);

/** How many of so many tries may be made. */
async function allowed(count: ReturnType<typeof openDoorkeeper>, address: string, tries: number): Promise<number> {
  let passed = 0;
  for (let guess = 0; guess < tries; guess++) if ((await count("signIn", address)) === 0) passed += 1;
  return passed;
}

test("of two nodes one counts for an address, both agree which, and each has some", async () => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    response.end(JSON.stringify({ wait_ms: 30_000 }));
  }).listen(0, "127.0.0.1");
  await new Promise((listening) => server.once("listening", listening));
  whenOver(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const [one, two] = [keeperAt("one", { name: "two", url }), keeperAt("two", { name: "one", url })];
  const kept = async ({ count }: typeof one) => {
    const waits = await Promise.all(
      addresses.map(async (address) => ({ address, waitMs: await count("signIn", address) })),
    );
    return waits.filter(({ waitMs }) => waitMs === 0).map(({ address }) => address);
  };
  const [ofOne, ofTwo] = [await kept(one), await kept(two)];
  expect([...ofOne, ...ofTwo].toSorted()).toEqual(addresses.toSorted());
  expect(Math.min(ofOne.length, ofTwo.length)).toBeGreaterThan(0);
  // Who is to wait is not asked about again before his time is over.
  const before = asked.length;
  expect(before).toBe(addresses.length);
  expect(await one.count("signIn", ofTwo[0]!)).toBe(30_000);
  expect(asked).toHaveLength(before);
  one.clock.pass(30_001);
  await one.count("signIn", ofTwo[0]!);
  expect(asked).toHaveLength(before + 1);
});

test("while the one who counts is not reached, whoever is asked counts for itself", async () => {
  const { count } = keeperAt("one", { name: "two", url: NOWHERE });
  for (const address of addresses.slice(0, 4)) expect(await allowed(count, address, 30)).toBe(20);
});
