import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { WebSocket } from "ws";
import { testClock } from "../../../test/ground/test-clock.ts";
import { whenOver } from "../../../test/ground/when-over.ts";
import { consoleTown } from "../../../test/town/console-town.ts";
import type { Panel, PanelChange } from "../../exchange/panel.ts";
import { silentLog } from "../../log.ts";
import type { WallTile } from "../../nouns/wall-board.ts";
import { sql } from "../../store/sql.ts";
import { openFastify } from "../door/listener.ts";
import { rateLimit } from "../door/rate-limit.ts";
import type { Face } from "./face.ts";
import { attachScreens } from "./screens.ts";
import { PROTOCOL, WALL_LIVE } from "./token.ts";

const { db, ours, theirs, member, server, visitor } = await consoleTown();
const boss = await member("administrator");
const stranger = await member("administrator", theirs.id);

const CALLER = "905321234567";

/** A queue with somebody in line, an agent and an alarm, and another queue that is nobody's business. */
function things(nowMs: number): PanelChange[] {
  const waiting = { id: "w", call: "u", caller: CALLER, callerName: "Çiğdem", joinedMs: nowMs - 75_000 };
  const agent = {
    number: "1000",
    name: "Ayşe",
    status: "on-break",
    break: "Yemek",
    calls: 3,
    idleSinceMs: 0,
    free: false,
  };
  const queue = (number: string, name: string) => ({ number, name, members: ["1000"], averageWaitMs: null });
  const alarm = {
    id: 7,
    queue: "200",
    queueName: "Satış",
    about: "longest-wait",
    threshold: 60,
    value: 61,
    beganMs: 0,
  };
  const line = [{ ...waiting, offered: false, callback: false }];
  return [
    { what: "queue", id: "200", now: { ...queue("200", "Satış"), waiting: line } },
    { what: "queue", id: "201", now: { ...queue("201", "Gizli"), waiting: [...line, ...line] } },
    { what: "agent", id: "1000", now: agent as never },
    { what: "alarm", id: "7", now: alarm as never },
    { what: "call", id: "u", now: { caller: CALLER } as never },
  ];
}

async function openWall() {
  const clock = testClock();
  const app = openFastify(silentLog);
  const panel = {
    watch: () => ({ take: async () => things(clock.wall()), stop: () => undefined }),
  } as unknown as Panel;
  const gate = () => ({ address: "192.0.2.1", admitted: true });
  const countGuess = rateLimit(clock).take;
  attachScreens(app, { panel, db, gate, countGuess, clock, log: silentLog, publicUrl: undefined });
  await app.listen({ host: "127.0.0.1", port: 0 });
  whenOver(() => app.close());
  const { port } = app.server.address() as AddressInfo; // it listens
  const lit: WebSocket[] = [];
  const light = (token: string, path = WALL_LIVE) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, token === "" ? [PROTOCOL] : [PROTOCOL, token]);
    const heard: string[] = [];
    lit.push(socket);
    socket.on("message", (data) => heard.push(String(data)));
    const closed = once(socket, "close").then(([code]) => code as number);
    return { socket, heard, closed };
  };
  /** Each second when the look before is over. */
  const pass = async (seconds: number) => {
    for (let second = 0; second < seconds; second++) {
      await expect
        .poll(() => clock.waiting() > 0 || lit.every(({ readyState }) => readyState === WebSocket.CLOSED))
        .toBe(true);
      clock.pass(1_000);
    }
  };
  return { pass, light };
}

async function board(tiles: WallTile[], who = boss): Promise<{ id: number; token: string }> {
  const { id } = await who.ask("walls.create", { name: `Pano ${tiles.join()}`, changes: { tiles, queues: ["200"] } });
  return { id, token: await tokenOf(id, who) };
}

async function tokenOf(id: number, who = boss): Promise<string> {
  const { path } = await who.ask("walls.link", { id });
  return path.replace("/wall#", "");
}

const faceIn = (heard: readonly string[]): Face => JSON.parse(heard[0] ?? "{}").face;

test("a screen is told the figures of its tiles, and nobody's number or name", async () => {
  const { light } = await openWall();
  const { token } = await board(["waiting", "longest-wait", "agents-break", "service-level", "alarms", "queues"]);
  const { socket, heard } = light(token);
  await expect.poll(() => heard.length).toBe(1);
  expect(faceIn(heard).tiles).toEqual([
    { is: "waiting", unit: "count", value: 1, tone: "attention" },
    { is: "longest-wait", unit: "seconds", value: 75, tone: "alarm" },
    { is: "agents-break", unit: "count", value: 1, tone: "calm" },
    { is: "service-level", unit: "percent", value: null, tone: "calm" },
    {
      is: "alarms",
      tone: "alarm",
      rows: [{ id: 7, queue: "200", queueName: "Satış", about: "longest-wait", value: 61, threshold: 60 }],
    },
    { is: "queues", rows: [{ number: "200", name: "Satış", waiting: 1, seconds: 75, tone: "alarm" }] },
  ]);
  for (const secret of [CALLER, "Çiğdem", "Ayşe", "Yemek", "Gizli", "201", '"u"'])
    expect(heard.join()).not.toContain(secret);
  socket.terminate();
});

test("agents are named where the board has the tile that names them, and its own thresholds go before the queue's", async () => {
  const { light } = await openWall();
  const { id, token } = await board(["agents", "longest-wait", "waiting"]);
  await boss.ask("walls.update", {
    id,
    changes: { warn_wait_seconds: 80, warn_waiting: 1, language: "en", look: "dark" },
  });
  const { socket, heard } = light(token);
  await expect.poll(() => heard.length).toBe(1);
  expect(faceIn(heard)).toMatchObject({ language: "en", look: "dark" });
  expect(faceIn(heard).tiles).toEqual([
    { is: "agents", rows: [{ name: "Ayşe", status: "on-break", free: false, break: "Yemek" }] },
    { is: "longest-wait", unit: "seconds", value: 75, tone: "attention" },
    { is: "waiting", unit: "count", value: 1, tone: "alarm" },
  ]);
  socket.terminate();
});

test("a link that is taken back, renewed or deleted goes dark within seconds, and a change is seen", async () => {
  const { pass, light } = await openWall();
  const { id, token } = await board(["waiting"]);
  const first = light(token);
  await expect.poll(() => first.heard.length).toBe(1);
  await boss.ask("walls.update", { id, changes: { name: "Başka ad" } });
  await pass(3);
  await expect.poll(() => first.heard.at(-1)).toContain("Başka ad");
  const renewed = await tokenOf(id);
  await pass(3);
  expect(await first.closed).toBe(4410);
  expect(await light(token).closed).toBe(4410);
  const second = light(renewed);
  await expect.poll(() => second.heard.length).toBe(1);
  await boss.ask("walls.unlink", { id });
  await pass(3);
  expect(await second.closed).toBe(4410);
  expect((await boss.refused("walls.unlink", { id })).refused).toBe("not-found");
  const third = light(await tokenOf(id));
  await expect.poll(() => third.heard.length).toBe(1);
  await boss.ask("walls.delete", { id });
  await pass(3);
  expect(await third.closed).toBe(4410);
});

test("who guesses sees nothing, and soon may not guess any more, with a good link either", async () => {
  const { light } = await openWall();
  const { token } = await board(["calls-today"]);
  const guesses = [
    "",
    "B",
    token.slice(0, -1),
    `${token}A`,
    token.toLowerCase(),
    `B${"A".repeat(43)}`,
    "x".repeat(4_000),
  ];
  for (const guess of guesses) expect([guess, await light(guess).closed]).toEqual([guess, 4410]);
  expect(await light("", `${WALL_LIVE}?token=${token}`).closed).toBe(4410);
  for (let tries = guesses.length + 1; tries < 100; tries++) void light("B").closed;
  await expect.poll(() => light("B").closed).toBe(4429);
  expect(await light(token).closed).toBe(4429);
});

test("the boards of others are not there, and a board's link opens nothing of the console or the interface", async () => {
  const { id, token } = await board(["answered-today"]);
  expect(await stranger.ask("walls.list", {})).toEqual([]);
  for (const name of ["walls.link", "walls.unlink", "walls.delete"] as const)
    expect((await stranger.refused(name, { id })).refused).toBe("not-found");
  expect((await stranger.refused("walls.update", { id, changes: { name: "x" } })).refused).toBe("not-found");
  const listed = (await boss.ask("walls.list", {})).find((board) => board.id === id);
  expect(JSON.stringify(listed)).not.toContain(token);

  const thief = visitor(`santral_session=${token}`);
  for (const name of ["session.show", "walls.list", "reports.today"] as const)
    expect((await thief.refused(name, {})).refused).toBe("signed-out");
  const base = `http://${server.address}`;
  const bearer = { authorization: `Bearer ${token}` };
  const basic = { authorization: `Basic ${Buffer.from(`${token}:${token}`).toString("base64")}` };
  for (const [path, headers] of [
    ["/console/panel", bearer],
    ["/console/panel", basic],
    [`/queues?key=${token}`, {}],
    [`/extensions?key=${token}`, bearer],
    [`/webphone?token=${token}`, {}],
  ] as const) {
    const answer = await fetch(base + path, { headers });
    expect([path, answer.ok, answer.headers.get("set-cookie")]).toEqual([path, false, null]);
  }
  expect((await fetch(`${base}/wall`)).headers.get("set-cookie")).toBe(null);
  const [kept] = await db.query<{ text: string }>(
    sql`select wall_boards::text as text from wall_boards where id = $1`,
    [id],
  );
  expect(kept?.text).not.toContain(token);
  expect(ours.id).not.toBe(theirs.id);
});
