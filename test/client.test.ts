import { readFileSync } from "node:fs";
import { transform } from "esbuild";
import { expect, test } from "vitest";
import { Refused, Santral } from "../client/santral.ts";
import { wholeClient } from "../src/http/whole-reference.ts";
import { httpTown } from "./town/http-town.ts";

const town = await httpTown();
const santral = new Santral({ url: `http://${town.server.address}`, key: town.ours.key });

test("the client says what the OpenAPI document says; if not: npm run client", async () => {
  const written = wholeClient(readFileSync("src/http/reference/client-requests.ts", "utf8"));
  expect(readFileSync("client/santral.ts", "utf8")).toBe(written);
  const { code } = await transform(written, { loader: "ts", target: "es2022" });
  expect(readFileSync("client/santral.js", "utf8")).toBe(code);
});

test("a program makes, reads, changes and deletes with it, and is told why not", async () => {
  expect((await santral.getExtensions()).map(({ number }) => number)).toContain("1000");
  const id = await santral.postContacts({ name: "Ayşe", surname: "Yılmaz", phone: "05321234567" });
  expect(id).toMatch(/^\d+$/);
  await santral.patchContactsId({ id, surname: "Demir" });
  expect(await santral.getContacts()).toMatchObject({ contacts: [{ name: "Ayşe", surname: "Demir" }] });
  await santral.deleteContactsId({ id });
  const gone = await santral.deleteContactsId({ id }).catch((refused: unknown) => refused);
  expect(gone).toBeInstanceOf(Refused);
  expect(gone).toMatchObject({ status: 400 });
  const stranger = new Santral({ url: `http://${town.server.address}`, key: "K00000000-0000-4000-8000-000000000000" });
  await expect(stranger.getExtensions()).rejects.toMatchObject({ status: 401 });
});
