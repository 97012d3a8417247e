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
  });
  await app.listen({ host: "127.0.0.1", port: 0 });
  ({ port } = app.server.address() as AddressInfo); // it listens
});
afterAll(() => app.close());

const staff = Promise.resolve({ exchangeId: 1, mustChangePassword: false, role: "standard" } as StaffSession);
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
