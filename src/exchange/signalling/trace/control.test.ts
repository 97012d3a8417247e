import { once } from "node:events";
import { connect } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../../test/ground/santral-process.ts";
import { testClock } from "../../../../test/ground/test-clock.ts";
import { openControl } from "./control.ts";

const MOST_OPEN = 16;

test("who asks nothing, or reads no answer, or stays after it, is closed in seconds; a stop waits for nobody", async () => {
  const clock = testClock();
  const path = join(temporaryFolder(), "control.sock");
  const answers = { big: () => "x".repeat(5_000_000), well: () => "well" };
  const door = await openControl({ path, clock, trace: { watch: () => undefined }, answers });
  const knock = async (said = "") => {
    const socket = connect({ path, allowHalfOpen: true });
    await once(socket, "connect");
    socket.on("error", () => undefined).write(said);
    return socket;
  };
  const answered = async () => {
    const socket = await knock('{"ask":"well"}\n');
    const told = await Promise.race([once(socket, "data"), once(socket, "end")]).catch(() => []);
    socket.destroy();
    return told.length === 0 ? "shut out" : String(told[0]);
  };
  const staying = [];
  for (let i = 0; i < MOST_OPEN / 2; i++) staying.push(await knock(), await knock('{"ask":"big"}\n'));
  expect(await answered()).toBe("shut out");
  await expect
    .poll(() => {
      clock.pass(5_000);
      return answered();
    })
    .toContain("well");
  for (const socket of staying) socket.destroy();

  const last = await knock();
  const ended = once(last.resume(), "end");
  await expect.poll(() => clock.waiting()).toBeGreaterThan(0);
  await door.close();
  await ended;
  await expect.poll(() => clock.waiting()).toBe(0);
  last.destroy();
});
