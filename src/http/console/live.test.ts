import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WebSocket } from "ws";
import { testClock } from "../../../test/ground/test-clock.ts";
import type { Panel } from "../../exchange/panel.ts";
import { silentLog } from "../../log.ts";
import type { StaffSession } from "../../store/staff-sessions.ts";
import { openFastify } from "../door/listener.ts";
import { attachLive } from "./live.ts";

const clock = testClock();
const app = openFastify(silentLog);
const panel = { watch: () => ({ take: async () => [], stop: () => undefined }) } as unknown as Panel;
let session: Promise<StaffSession | undefined>;
let asked = 0;
let port: number;

beforeAll(async () => {
  const sessionOf = () => {
    asked += 1;
    return session;
  };
  const gate = () => ({ address: "127.0.0.1", admitted: true });
  attachLive(app, {
    panel,
    gate,
    sessionOf,
    scopeOf: async () => "everything",
    clock,
    log: silentLog,
    publicUrl: undefined,
    places: { all: 5, ofExchange: 3, ofOne: 2 },
  });
  await app.listen({ host: "127.0.0.1", port: 0 });
  ({ port } = app.server.address() as AddressInfo); // it listens
});
afterAll(() => app.close());

const staff = Promise.resolve({ exchangeId: 1, id: 7, mustChangePassword: false, role: "standard" } as StaffSession);
const view = (options: { autoPong?: boolean } = {}) => new WebSocket(`ws://127.0.0.1:${port}/console/live`, options);
const open = () => new Promise<number>((tell) => app.server.getConnections((_error, count) => tell(count)));

test("a viewer that gives no sign of life is let go, and one that does stays", async () => {
  session = staff;
  const [frozen, alive] = [view({ autoPong: false }), view()];
  await Promise.all([once(frozen, "open"), once(alive, "open")]);
  const closed = once(frozen, "close");
  const pinged = [once(frozen, "ping"), once(alive, "ping")];
  clock.pass(30_000);
  await Promise.all(pinged);
  const heard = once(alive, "pong"); // and its own pong before it
  alive.ping();
  await heard;
  const again = once(alive, "ping");
  clock.pass(30_000);
  await Promise.all([closed, again]);
  alive.terminate();
  await expect.poll(open).toBe(0);
});

test("who may not watch the board is not let in", async () => {
  session = Promise.resolve({ ...(await staff), role: "viewer" });
  const refused = view();
  const [, answer] = (await once(refused, "unexpected-response")) as [unknown, { statusCode: number }];
  expect(answer.statusCode).toBe(401);
  refused.on("error", () => undefined).terminate();
  await expect.poll(open).toBe(0);
});

test("whoever has the board open in many windows leaves places to his colleagues, and they to other exchanges", async () => {
  const watch = async (exchangeId: number, id: number) => {
    session = Promise.resolve({ ...(await staff), exchangeId, id });
    const viewer = view().on("error", () => undefined);
    const said = await Promise.race([
      once(viewer, "open").then(() => "shown"),
      once(viewer, "unexpected-response").then(([, answer]) => (answer as { statusCode: number }).statusCode),
    ]);
    return { viewer, said };
  };
  const first = await watch(1, 7);
  const others = [await watch(1, 7), await watch(1, 7), await watch(1, 8), await watch(1, 9), await watch(2, 1)];
  expect([first, ...others].map(({ said }) => said)).toEqual(["shown", "shown", 503, "shown", 503, "shown"]);
  first.viewer.terminate();
  await expect.poll(open).toBe(3);
  const again = await watch(1, 9);
  expect(again.said).toBe("shown");
  for (const { viewer } of [again, ...others]) viewer.terminate();
  await expect.poll(open).toBe(0);
});

test("who breaks off while we look who he is harms nobody, and when we cannot look he is told so", async () => {
  let look: (staff: StaffSession | undefined) => void = () => undefined;
  session = new Promise((resolve) => {
    look = resolve;
  });
  const before = asked;
  const socket = connect(port, "127.0.0.1").on("error", () => undefined);
  socket.write(
    "GET /console/live HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n" +
      "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
  );
  while (asked === before) await new Promise(setImmediate);
  socket.resetAndDestroy();
  await expect.poll(open).toBe(0);
  look(await staff);

  session = Promise.reject(new Error("the database is away"));
  session.catch(() => undefined);
  const refused = view();
  const [, answer] = (await once(refused, "unexpected-response")) as [unknown, { statusCode: number }];
  expect(answer.statusCode).toBe(503);
  refused.on("error", () => undefined).terminate();
  await expect.poll(open).toBe(0);
});
