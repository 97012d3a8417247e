import { expect, test } from "vitest";
import { readConfig } from "./config.ts";

const shared = {
  SANTRAL_CLUSTER: "on",
  DATABASE_URL: "postgres://server@db/santral",
  SANTRAL_DATABASE_TENANT_URL: "postgres://tenant@db/santral",
  SANTRAL_NODE_SECRET: "x".repeat(32),
};

function problemsIn(environment: Record<string, string>): string[] {
  const config = readConfig(environment);
  return "problems" in config ? config.problems : [];
}

test("without a word about nodes a server is alone", () => {
  expect(readConfig({})).toMatchObject({ cluster: false, nodeSecret: undefined });
});

test("a node needs a database that can be shared, a role for tenants and a secret, and is told which is missing", () => {
  expect(problemsIn(shared)).toEqual([]);
  expect(problemsIn({ ...shared, DATABASE_URL: "" })).toEqual([expect.stringContaining("needs DATABASE_URL")]);
  expect(problemsIn({ ...shared, SANTRAL_TENANT_WALLS: "off" })).toEqual([expect.stringContaining("TENANT_WALLS")]);
  expect(problemsIn({ ...shared, SANTRAL_NODE_SECRET: "" })).toEqual([expect.stringContaining("NODE_SECRET")]);
  expect(problemsIn({ ...shared, SANTRAL_NODE: "a b" })).toEqual([expect.stringContaining("SANTRAL_NODE should be")]);
});

test("a secret that is too short is not shown, and neither is a good one", () => {
  const [problem = ""] = problemsIn({ ...shared, SANTRAL_NODE_SECRET: "geheim" });
  expect(problem).toContain("32 characters");
  expect(problem).not.toContain("geheim");
  const config = readConfig(shared);
  expect(JSON.stringify(config)).not.toContain("xxx");
});
