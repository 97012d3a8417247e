// Bodies of strangers that do not come on: they hold the room of strangers neither for long nor against anybody else.

import type { IncomingMessage } from "node:http";
import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import type { BodyRoom } from "../../src/http/door/body-room.ts";
import { type BodyRead, requestBodies } from "../../src/http/door/request-body.ts";
import { testClock } from "../ground/test-clock.ts";

const ROOM: BodyRoom = { all: 1_000_000, exchange: 600_000, strangers: 300_000, stranger: 100_000 };

/** Reads what somebody sends, who begins with so many bytes. */
function reader(room: BodyRoom = ROOM) {
  const clock = testClock();
  const bodies = requestBodies(clock, room);
  const come = (stranger: string, bytes: number) => {
    const stream = new PassThrough();
    const request = Object.assign(stream, {
      headers: { "transfer-encoding": "chunked" },
    }) as unknown as IncomingMessage;
    let said: BodyRead | undefined;
    const read = bodies.read(request, 1_000_000, { stranger }).then((it) => {
      said = it;
      return it;
    });
    stream.write(Buffer.alloc(bytes));
    return { stream, read, said: () => said };
  };
  return { clock, come };
}

const heard = () => new Promise((resolve) => setImmediate(resolve));

test("a body that stands still loses its place, and one that comes on at the pace of a slow line keeps it", async () => {
  const { clock, come } = reader({ ...ROOM, strangers: 500_000, stranger: 400_000 });
  const still = come("192.0.2.1", 80_000);
  const nothing = come("192.0.2.2", 0);
  const slow = come("192.0.2.3", 1_000);
  for (let second = 0; second < 60; second++) {
    clock.pass(1_000);
    slow.stream.write(Buffer.alloc(5_000));
    await heard();
  }
  expect([still.said(), nothing.said(), slow.said()]).toEqual([{ failed: "slow" }, { failed: "slow" }, undefined]);
  slow.stream.end();
  expect(await slow.read).toHaveProperty("body");
  clock.pass(60_000);
  expect(clock.waiting()).toBe(0);
});

test("where strangers have filled their room, the bodies that stand there longest go, and the next one is read", async () => {
  const { clock, come } = reader();
  const stopped = [1, 2, 3].map((at) => come(`192.0.2.${at}`, 99_000));
  await heard();
  clock.pass(3_000);
  const honest = come("198.51.100.1", 90_000);
  honest.stream.end();
  expect(await honest.read).toHaveProperty("body");
  expect(stopped.map((it) => it.said())).toEqual([{ failed: "busy" }, undefined, undefined]);
});

test("whoever has a network of IPv6 has the room of one, and makes it by his own bodies", async () => {
  const { come } = reader();
  const other = come("192.0.2.9", 99_000);
  await heard();
  const own = [1, 2, 3].map((at) => come(`2001:db8::${at}`, 60_000));
  await heard();
  expect(own.map((it) => it.said())).toEqual([{ failed: "busy" }, { failed: "busy" }, undefined]);
  expect(other.said()).toBeUndefined();
});
