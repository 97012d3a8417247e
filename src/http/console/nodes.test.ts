import { expect, test } from "vitest";
import { secrets } from "../../../test/ground/secrets.ts";
import { consoleTown } from "../../../test/town/console-town.ts";
import type { Wanted } from "../../store/nodes.ts";
import { sql } from "../../store/sql.ts";
import type { NodeOffice } from "./operation/node-office.ts";

const told: [string, Wanted][] = [];
const office: NodeOffice = {
  operators: -1,
  list: async () => ({ nodes: [], exchanges: [{ id: 1, name: "somebody's", node: "one", epoch: 1, calls: 0 }] }),
  async tell(name, wanted) {
    if (name === "one") told.push([name, wanted]);
    return name === "one";
  },
};
const { db, ours, theirs, member } = await consoleTown({
  console: { from: [], pages: undefined, running: undefined, secrets, nodes: office },
});
office.operators = ours.id;

test("administrators of the operators' exchange see the nodes and tell them what to do, with a line in the audit trail", async () => {
  const boss = await member("administrator");
  expect(await boss.ask("session.show", {})).toMatchObject({ operates: true });
  expect((await boss.ask("nodes.list", {})).exchanges).toMatchObject([{ node: "one" }]);
  await boss.ask("nodes.drain", { name: "one" });
  await boss.ask("nodes.resume", { name: "one" });
  expect(told).toEqual([
    ["one", { state: "draining", hasty: false }],
    ["one", { state: "up", hasty: false }],
  ]);
  expect(await boss.refused("nodes.drain", { name: "none" })).toMatchObject({ status: 404, refused: "no-such-node" });
  const lines = await db.query<{ did: string }>(
    sql`select did from audit_lines where exchange_id = $1 and did like 'nodes.%' order by id`,
    [ours.id],
  );
  expect(lines.map(({ did }) => did)).toEqual(["nodes.drain", "nodes.resume"]);
});

test("nobody else does: other roles there, and administrators of other exchanges", async () => {
  told.length = 0;
  const stranger = await member("administrator", theirs.id);
  const worker = await member("standard");
  expect(await stranger.ask("session.show", {})).toMatchObject({ operates: false });
  expect((await stranger.ask("session.show", {})).may.filter((it) => it.startsWith("nodes."))).toEqual([]);
  expect(await worker.ask("session.show", {})).toMatchObject({ operates: false });
  for (const name of ["nodes.drain", "nodes.resume"] as const) {
    expect(await stranger.refused(name, { name: "one" })).toMatchObject({ status: 403, refused: "not-operator" });
    expect(await worker.refused(name, { name: "one" })).toMatchObject({ status: 403, refused: "not-your-role" });
  }
  expect(await stranger.refused("nodes.list", {})).toEqual({ status: 403, refused: "not-operator" });
  expect(await worker.refused("nodes.list", {})).toMatchObject({ refused: "not-your-role" });
  expect(told).toEqual([]);
});
