import { expect, test } from "vitest";
import { sql } from "../../src/store/sql.ts";
import { eventually } from "../ground/eventually.ts";
import { nodeTown } from "../ground/nodes.ts";

test("walk", async () => {
  const town = await nodeTown();
  const one = await town.start("one");
  console.log(one.output());
  const two = await town.start("two");
  for (const n of ["a", "b", "c"]) console.log(await town.command("exchange", "create", n).catch(String));
  await eventually("all owned", async () => {
    const rows = await town.root.query<{ n: number }>(sql`select count(*) as n from exchange_owners`);
    return rows[0]!.n >= 2;
  });
  await new Promise((r) => setTimeout(r, 4000));
  console.log(await town.command("node", "list"));
  await one.end("SIGKILL");
  const began = Date.now();
  await eventually("taken", async () => {
    const rows = await town.root.query<{ n: number }>(
      sql`select count(*) as n from exchange_owners where node = 'one'`,
    );
    return rows[0]!.n === 0;
  });
  console.log("taken after", Date.now() - began, await town.command("node", "list"));
  await new Promise((r) => setTimeout(r, 2000));
  console.log(two.output());
}, 300_000);
