import { expect, test } from "vitest";
import { httpTown } from "../../test/town/http-town.ts";

const town = await httpTown();

test("the first contact of an exchange is created and listed", async () => {
  const created = await town.ask("POST /contacts?name=Ali&surname=Veli&phone=05531234567");
  expect(created).toMatchObject({ status: 200, type: "text/plain; charset=utf-8" });
  const listed = await town.ask("GET /contacts");
  expect(listed.type).toBe("application/json; charset=utf-8");
  expect(JSON.parse(listed.text)).toMatchObject({
    contacts: [{ id: Number(created.text), name: "Ali", group_ids: [] }],
    pagination: { page: 1, total_count: 1, total_pages: 1, limit: 10 },
  });
});

test("the exchange's own numbers are listed", async () => {
  expect(JSON.parse((await town.ask("GET /caller_ids")).text)).toEqual(town.ours.callerIds);
});

test("a wrong key is told so", async () => {
  const key = "K12345678-1234-5678-4321-123456789012";
  expect(await town.ask("GET /caller_ids", { key })).toMatchObject({ status: 401, text: `Gecersiz anahtar: ${key}` });
  expect(await town.ask("GET /caller_ids", { key: null })).toMatchObject({ status: 401, text: "Gecersiz anahtar: " });
});
