import { expect, test } from "vitest";
import { Ports } from "./ports.ts";
import { Stock } from "./stock.ts";

const SECOND = 1000;

/** Ports 10000 to 10000 + 2 * pairs - 1, on a wire that is none. */
function portsOf(pairs: number, taken: number[] = [], leftBehind: number[] = []) {
  const bound = new Map<number, number>();
  let lastSocket = 10;
  const wire = {
    bind(_ip: number, port: number) {
      if (taken.includes(port) || [...bound.values()].includes(port)) return undefined;
      bound.set(++lastSocket, port);
      return lastSocket;
    },
    portOf: (socket: number) => bound.get(socket) ?? 0,
    close: (socket: number) => void bound.delete(socket),
  };
  const sockets = new Int32Array(65_536);
  const range: [number, number] = [10_000, 10_000 + 2 * pairs - 1];
  const ports = new Ports({ wire, ip: 0, range, place: 0, threads: 1, sockets, leftBehind });
  const open = () => [...sockets.entries()].filter(([, socket]) => socket > 0).map(([port]) => port);
  return { ports, wire, bound, open };
}

test("a port that was given back rests, and after its rest the next stream gets its very sockets", () => {
  const { ports } = portsOf(8);
  const first = ports.take(0)!;
  ports.giveBack(first, 0);
  expect(ports.take(2 * SECOND)!.port).not.toBe(first.port);
  expect(ports.take(4 * SECOND)).toMatchObject(first);
});

test("whoever still sends to a port keeps it from the next stream, and is shut out when he does not stop", () => {
  const { ports, bound } = portsOf(8);
  const first = ports.take(0)!;
  ports.giveBack(first, 0);
  ports.stray(first.rtp, 2 * SECOND);
  ports.stray(first.rtcp, 2.5 * SECOND);
  expect(ports.take(4 * SECOND)!.port).not.toBe(first.port);
  expect(bound.has(first.rtp)).toBe(true);
  for (let packet = 0; packet < 60; packet++) ports.stray(first.rtp, 4 * SECOND + packet);
  expect(bound.has(first.rtp)).toBe(false);
  expect(bound.has(first.rtcp)).toBe(false);
});

test("when all are taken, one that has not rested is better than none", () => {
  const { ports } = portsOf(2, [10_003]);
  const only = ports.take(0)!;
  expect(only.port).toBe(10_000);
  expect(ports.take(0)).toBeUndefined();
  ports.giveBack(only, 0);
  expect(ports.takeSpare(10)).toBeUndefined();
  expect(ports.take(10)).toMatchObject(only);
});

test("ports that nobody wants any more go back to the system, a few at a time", () => {
  const { ports, bound, open } = portsOf(40);
  const taken = Array.from({ length: 20 }, () => ports.take(0)!);
  for (const pair of taken) ports.giveBack(pair, 0);
  ports.tidy(9 * SECOND);
  expect(bound.size).toBe(40);
  ports.tidy(11 * SECOND);
  expect(bound.size).toBe(24);
  ports.tidy(11 * SECOND);
  ports.tidy(11 * SECOND);
  expect(bound.size).toBe(0);
  expect(open()).toEqual([]);
});

test("every open socket stands in the table that outlives the thread, and none that was closed or has moved on", () => {
  const { ports, open } = portsOf(4);
  const [one, two] = [ports.take(0)!, ports.take(0)!];
  expect(open()).toEqual([10_000, 10_001, 10_002, 10_003]);
  ports.release(one);
  ports.giveBack(two, 0);
  expect(open()).toEqual([10_002, 10_003]);
  ports.closeAll();
  expect(open()).toEqual([]);
});

test("the stock is filled up again when half of it is gone, and a port is handed out once", () => {
  const { ports } = portsOf(100);
  const stock = new Stock(ports, 1);
  const ready = [...stock.fill(0), ...stock.fill(0)];
  expect(new Set(ready).size).toBe(32);
  expect(stock.fill(0)).toEqual([]);
  for (const port of ready.slice(0, 16)) expect(stock.take(port).port).toBe(port);
  expect(stock.fill(0)).toHaveLength(16);
  expect(() => stock.take(ready[0]!)).toThrow();
});

test("a stock that finds nothing says so", () => {
  const { ports } = portsOf(1);
  const stock = new Stock(ports, 1);
  expect(stock.find(0)).toEqual([10_000]);
  expect(stock.find(0)).toEqual([]);
});

test("ports of streams that were left behind are held for them and given to nobody else until they are let go", () => {
  const { ports, bound, open } = portsOf(2, [], [10_000]);
  expect(ports.hold(10_000)).toBe(true);
  expect(ports.take(0)).toMatchObject({ port: 10_002 });
  expect(ports.take(0)).toBeUndefined();
  expect(open()).toEqual([10_000, 10_001, 10_002, 10_003]);
  ports.letGo();
  expect([...bound.values()]).toEqual([10_002, 10_003]);
  expect(ports.take(0)).toMatchObject({ port: 10_000 });
});

test("a port of another thread's stream is left alone although nobody holds it here, and one taken by others is not held", () => {
  const { ports } = portsOf(2, [10_002], [10_000, 10_002]);
  expect(ports.hold(10_002)).toBe(false);
  expect(ports.takeHeld(10_002)).toBeUndefined();
  expect(ports.take(0)).toBeUndefined();
});

test("whoever goes on with a stream gets its very sockets, and only once", () => {
  const { ports, bound } = portsOf(2, [], [10_002]);
  ports.hold(10_002);
  const pair = ports.takeHeld(10_002)!;
  expect(bound.get(pair.rtp)).toBe(10_002);
  expect(ports.takeHeld(10_002)).toBeUndefined();
  ports.letGo();
  expect(bound.get(pair.rtcp)).toBe(10_003);
});
