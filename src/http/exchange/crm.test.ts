import { expect, test } from "vitest";
import { httpTown } from "../../../test/town/http-town.ts";
import { sql } from "../../store/sql.ts";

const probed: string[] = [];
const { ask, db, ours } = await httpTown({
  probeUrl: async (url) => {
    probed.push(url);
    return !url.includes("dead");
  },
});

const save = (url: string) => ask(`POST /crm_integrations?ringing=off&notification_url=${encodeURIComponent(url)}`);
const saved = async () => JSON.parse((await ask("GET /crm_integrations")).text) as Record<string, string>;

test("a new URL is tried only where the exchange asks for it", async () => {
  expect((await save("https://dead.example.com/a")).text).toBe("OK");
  expect(probed).toEqual([]);
  await db.query(sql`update exchanges set crm_probe = true where id = $1`, [ours.id]);
  expect((await save("https://alive.example.com/b")).text).toBe("OK");
  expect(probed).toEqual(["https://alive.example.com/b"]);
});

test("a URL that does not answer is refused, and nothing else is changed with it", async () => {
  await ask("POST /crm_integrations?ringing=on");
  expect(await save("https://dead.example.com/c")).toMatchObject({
    status: 400,
    text: "notification_url did not return 200",
  });
  expect(await saved()).toMatchObject({ ringing: "on", notification_url: "https://alive.example.com/b" });
});

test("a URL that is already saved is not tried again", async () => {
  const before = probed.length;
  expect((await save("https://alive.example.com/b")).text).toBe("OK");
  expect(probed.length).toBe(before);
});

test("an exchange may limit its call lists to a month", async () => {
  const list = () => ask("GET /cdrs?start_stamp_from=2025-01-01&start_stamp_to=2025-03-01");
  expect((await list()).status).toBe(200);
  await db.query(sql`update exchanges set cdr_range_limit = true where id = $1`, [ours.id]);
  expect(await list()).toMatchObject({ status: 400, text: "date range cannot be longer than 31 days" });
});
