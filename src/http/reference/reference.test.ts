import { expect, test } from "vitest";
import { httpTown } from "../../../test/town/http-town.ts";
import { everyOperation } from "../every-operation.ts";
import { wholeReference } from "../whole-reference.ts";
import { openApiOf } from "./openapi.ts";

const { ask } = await httpTown();
const documented = everyOperation.filter((it) => it.group !== undefined);

test("the reference for programs is OpenAPI 3.1 and knows every operation", async () => {
  const { type, text } = await ask("GET /openapi.json", { key: null });
  expect(type).toBe("application/json; charset=utf-8");
  const document = JSON.parse(text) as ReturnType<typeof openApiOf>;
  expect(document.openapi).toBe("3.1.0");
  for (const { paths, methods, shownPath } of documented.filter(({ needs }) => !needs))
    for (const path of shownPath ? [shownPath] : paths)
      for (const method of methods)
        expect(
          document.paths[path.replace(/:(\w+)/g, "{$1}")]?.[method.toLowerCase()],
          `${method} ${path}`,
        ).toBeDefined();
  expect(document.paths["/v2/send"]?.get?.summary).toBeDefined();
});

test("its operations have names of their own", () => {
  const ids = Object.values(openApiOf(everyOperation).paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  );
  expect(new Set(ids).size).toBe(ids.length);
});

test("a schema says the same in the reference as at the door", () => {
  const operation = openApiOf(everyOperation).paths["/contacts"]?.post;
  const find = (name: string) => operation?.parameters.find((it) => it.name === name);
  expect(find("name")).toMatchObject({ required: true, in: "query", schema: { type: "string", maxLength: 255 } });
  expect(find("monthly_sms_day")).toMatchObject({ required: false, schema: { minimum: 1, maximum: 31 } });
  expect(operation?.responses["400"]?.content).toMatchObject({
    "text/plain": { examples: { 1: { value: "name can't be blank" } } },
  });
});

test("the page for people stands alone", async () => {
  const { type, text, headers } = await ask("GET /docs", { key: null });
  expect(type).toBe("text/html; charset=utf-8");
  expect(headers.get("content-security-policy")).toContain("default-src 'none'");
  expect(text).toContain("Sound file should have one of these extensions");
  expect(text).not.toMatch(/(src|href)="(https?:)?\/\//);
  expect(text).not.toContain("<script");
});

test("the written reference has a section for every operation", () => {
  const written = wholeReference();
  for (const { summary } of documented) expect(written).toContain(`### ${summary}`);
  expect(written).toContain("### ");
});
