import { request } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { eventually } from "../../../test/ground/eventually.ts";
import { whenOver } from "../../../test/ground/when-over.ts";
import { asTicks, type Clock, pause, realClock } from "../../clock.ts";
import { silentLog } from "../../log.ts";
import type { Db } from "../../store/db.ts";
import { clientAddressBehind } from "../door/client-address.ts";
import { openFastify } from "../door/listener.ts";
import { rateLimit } from "../door/rate-limit.ts";
import { requestBodies } from "../door/request-body.ts";
import { nodeFront } from "./front.ts";
import type { NodeMap } from "./questions.ts";

type Where = ReturnType<NodeMap["where"]>;

/** A node alone, that knows one exchange and is told where that lives. */
async function openNode(clock: Clock) {
  const state: { where: Where; looks: number; done: string[] } = { where: { is: "nowhere" }, looks: 0, done: [] };
  const app = openFastify(silentLog);
  const front = nodeFront({
    map: {
      name: "one",
      own: () => ({ node: "one", url: "", sip: "" }),
      acts: () => true,
      where: () => {
        state.looks++;
        return state.where;
      },
      exchangeOf: () => undefined,
      others: () => [],
    },
    db: { query: async () => [{ id: 1 }] } as unknown as Db, // whatever is shown is that exchange's
    secret: "a secret of thirty-two letters or more",
    facts: () => ({ since_ms: 0, calls: 0, late_renewals: 0, taken_over: 0, keys: "", files: "" }),
    longestBody: () => 1_000,
    isOwnFile: (url) => url === "/console/assets/main.js",
    limit: rateLimit(clock),
    clock,
    log: silentLog,
    clientAddress: clientAddressBehind([]),
    bodies: requestBodies(clock),
    shownWithin: 100_000,
  });
  await app.register(front.plugin);
  app.all("/*", async ({ originalUrl }) => {
    state.done.push(originalUrl);
    return "done";
  });
  await app.listen({ host: "127.0.0.1", port: 0 });
  whenOver(() => app.close());
  const { port } = app.server.address() as AddressInfo;
  return { state, app, port, base: `http://127.0.0.1:${port}` };
}

/** Nobody's patience is ever over. */
const patient: Clock = { ...realClock, ticks: () => asTicks(0) };
/** Seconds go by in moments. */
const hasty: Clock = {
  ...realClock,
  ticks: () => asTicks((realClock.ticks() as unknown as number) * 20),
  after: (ms, act) => realClock.after(ms / 20, act),
};

const KEY = "key=K12345678-1234-5678-4321-123456789012";

test("a request whose exchange nobody has waits for its owner, and is carried out once somebody has it", async () => {
  const { state, base } = await openNode(patient);
  const asked = fetch(`${base}/queues?${KEY}`);
  expect(
    await (await fetch(`${base}/console/assets/main.js`, { headers: { cookie: "santral_session=x" } })).text(),
  ).toBe("done");
  expect(state.done).toEqual(["/console/assets/main.js"]);
  state.where = { is: "here" };
  expect((await asked).status).toBe(200);
  expect(state.done).toHaveLength(2);
});

test("for a client that has left meanwhile nothing is done", async () => {
  const { state, port, base, app } = await openNode(patient);
  const leaving = request({ port, method: "POST", path: `/originate?${KEY}` });
  leaving.on("error", () => undefined);
  leaving.end();
  const connections = () => new Promise<number>((tell) => app.server.getConnections((_, count) => tell(count)));
  await eventually("it waits", async () => state.looks > 1);
  leaving.destroy();
  await eventually("it has left", async () => (await connections()) === 0);
  state.where = { is: "here" };
  expect((await fetch(`${base}/queues?${KEY}`)).status).toBe(200);
  await pause(realClock, 500); // it would have looked again by then
  expect(state.done).toEqual([`/queues?${KEY}`]);
});

test("who waits for too long is told when to come again, and people are shown a page that does so", async () => {
  const { base } = await openNode(hasty);
  const said = async (accept: string) => {
    const headers = { accept, cookie: "santral_session=x", "accept-language": "tr-TR,en" };
    const answer = await fetch(`${base}/console/nodes`, { headers });
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "2"]);
    return answer.text();
  };
  const page = await said("text/html,*/*");
  expect(page).toContain('<html lang="tr">');
  expect(page).toContain('<meta http-equiv="refresh" content="2">');
  expect(await said("application/json")).toBe("Service Unavailable");
});
