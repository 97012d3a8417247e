import { expect, test } from "vitest";

type Slot = { key: string } | { column: string };
type Station = { kind: string; number: string; name: string; ways: { slot: Slot; target: string }[]; free: Slot[] };
type Drawn = { station: Station; isAgain: boolean; isReached: boolean; ways: { next?: Drawn }[] };

// A file of the browser's, which the server's compiler does not read.
const { stationsOf, drawFlow, changesFor, mayRemove } = (await import(
  "../../console/pages/menus/flow-graph.ts" as string
)) as {
  stationsOf(lists: Record<string, unknown[]>): Station[];
  drawFlow(stations: Station[]): Drawn[];
  changesFor(station: Station, slot: Slot, target: string | null): unknown;
  mayRemove(slot: Slot): boolean;
};

const menu = (number: string, keys: Record<string, string>, timeout: string | null = null) => ({
  number,
  name: `Menü ${number}`,
  key_targets: keys,
  timeout_target: timeout,
  invalid_target: null,
});

const stations = stationsOf({
  numbers: [{ number: "908505320000", description: "Ana hat", target: "ivr/10", closed_target: null }],
  menus: [
    menu("10", { "1": "queue/200", "2": "ivr/11" }),
    menu("11", { "1": "ivr/10" }),
    menu("12", { "5": "user/1001" }),
  ],
  queues: [{ number: "200", name: "Destek", overflow_target: "ivr/12" }],
  groups: [{ number: "700", name: "Satış", no_answer_target: null }],
});
const [number, ten] = stations as [Station, Station];

test("the flow is followed from the numbers, through menus and full queues, and never in circles", () => {
  const drawn = drawFlow(stations);
  expect(drawn.map(({ station }) => station.number)).toEqual(["908505320000"]);
  const menus = drawn[0]?.ways[0]?.next;
  expect(menus?.ways.map(({ next }) => next?.station.number)).toEqual(["200", "11"]);
  const [queue, eleven] = menus?.ways.map(({ next }) => next) ?? [];
  expect(queue?.ways[0]?.next).toMatchObject({ station: { number: "12" }, isAgain: false });
  expect(eleven?.ways[0]?.next).toMatchObject({ station: { number: "10" }, isAgain: true, ways: [] });
});

test("a menu that no number leads to is drawn as well, and says so", () => {
  const alone = stations.filter(({ kind }) => kind === "ivr");
  expect(drawFlow(alone)).toMatchObject([
    { station: { number: "10" }, isReached: false },
    { station: { number: "12" }, isReached: false },
  ]);
});

test("a key is set, changed and taken out without touching the others", () => {
  expect(changesFor(ten, { key: "1" }, "group/700")).toEqual({ key_targets: { "1": "group/700", "2": "ivr/11" } });
  expect(changesFor(ten, { key: "9" }, "user/1000")).toEqual({
    key_targets: { "1": "queue/200", "2": "ivr/11", "9": "user/1000" },
  });
  expect(changesFor(ten, { key: "1" }, null)).toEqual({ key_targets: { "2": "ivr/11" } });
  expect(changesFor(ten, { column: "timeout_target" }, "restart")).toEqual({ timeout_target: "restart" });
  expect(ten.free).toHaveLength(12);
});

test("a number always leads somewhere; outside office hours it need not lead elsewhere", () => {
  expect(number.ways.map(({ slot }) => mayRemove(slot))).toEqual([false]);
  expect(number.free).toEqual([{ column: "closed_target" }]);
  expect(mayRemove({ column: "closed_target" })).toBe(true);
});
