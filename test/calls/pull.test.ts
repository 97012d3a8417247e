import { expect, test } from "vitest";
import { townWith } from "../town/town.ts";

const desks = { "1000": {}, "1001": {}, "1002": {} };

/** Two wait, and the queue's only agent talks. */
async function twoWait() {
  const town = await townWith({ desks, target: "queue/200", queues: { "200": { members: ["1001"] } } });
  const agent = town.phone("1001");
  const [busy, first, second] = ["905321000001", "905321000002", "905321000003"].map((it) => town.phone(it));
  await busy!.calls("08505320000");
  await agent.answers();
  await town.talksWith(busy!, agent);
  for (const caller of [first!, second!]) {
    const before = town.exchange.waiting(town.exchangeId).length;
    await caller.calls("08505320000");
    await town.until("waits", () => town.exchange.waiting(town.exchangeId).length === before + 1);
  }
  const line = () => town.exchange.waiting(town.exchangeId).map(({ id }) => id);
  return { town, agent, busy: busy!, first: first!, second: second!, line };
}

test("a supervisor pulls the second in line to his own phone, and the first waits on", async () => {
  const { town, busy, first, second, line } = await twoWait();
  const boss = town.phone("1000");
  const [firstId, secondId] = line();
  const pulled = { waiting: secondId!, extension: "1000" };
  expect(await town.exchange.pull(town.exchangeId, pulled)).toBe("done");
  await boss.rings();
  expect(await town.exchange.pull(town.exchangeId, pulled)).toBe("done"); // his phone rings once
  await boss.answers();
  await town.talksWith(second, boss);
  expect(line()).toEqual([firstId]);
  expect(await town.exchange.pull(town.exchangeId, pulled)).toEqual({ refused: "no-such-call" });
  for (const phone of [busy, second, first]) await phone.hangsUp();
  await town.isQuiet();
});

test("whoever is pulled to somebody who does not answer stands in line where he stood", async () => {
  const { town, busy, first, second, line } = await twoWait();
  const before = line();
  const other = town.phone("1002");
  expect(await town.exchange.pull(town.exchangeId, { waiting: before[0]!, extension: "1002" })).toBe("done");
  await other.rings();
  await other.refuses("rejects");
  await town.until(
    "waits again",
    () =>
      !town.board.queues
        .open(town.exchangeId)!
        .waiting()
        .some((it) => it.offered),
  );
  expect(line()).toEqual(before);
  for (const phone of [busy, second, first]) await phone.hangsUp();
  await town.isQuiet();
});

test("nobody is pulled to who talks, is not there, or wants no calls; nor across exchanges", async () => {
  const { town, busy, first, second, line } = await twoWait();
  const [waiting] = line();
  const pull = (extension: string, exchangeId = town.exchangeId) =>
    town.exchange.pull(exchangeId, { waiting: waiting!, extension });
  expect(await pull("1001")).toEqual({ refused: "call-failed", cause: "USER_BUSY" });
  expect(await pull("1777")).toEqual({ refused: "extension-not-found", extension: "1777" });
  expect(await pull("1000", town.exchangeId + 1)).toEqual({ refused: "extension-not-found", extension: "1000" });
  for (const phone of [busy, second, first]) await phone.hangsUp();
  await town.isQuiet();
});

test("a call is sent from the board to any place, and stays where it is when nobody would take it there", async () => {
  const { town, agent, busy, first, second, line } = await twoWait();
  const uuid = town.board.live.of(town.exchangeId, "1001")[0]!.facts.uuid;
  const send = (number: string) => town.exchange.send(town.exchangeId, uuid, { to: "user", number });
  expect(await send("1777")).toEqual({ refused: "extension-not-found", extension: "1777" });
  await town.talksWith(busy, agent);
  expect(await town.exchange.send(town.exchangeId, uuid, { to: "queue", number: "200" })).toBe("done");
  await town.until("leaves the agent", () => agent.seen.at(-1) !== "changed" && line().length === 3);
  for (const phone of [second, first, busy]) await phone.hangsUp();
  await town.isQuiet();
});
