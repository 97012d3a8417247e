import { expect, test } from "vitest";
import { personOf, wantedClaims } from "./person.ts";

const settings = {
  issuer: "https://id.example.com",
  accounts: "made",
  domains: [],
  trust_email: false,
  role_claim: "realm_access.roles",
  roles: ["urn:a:chefs:administrator", "staff:standard"],
  default_role: null,
} as const;
const claims = { sub: "1", email: "Ann@Example.com", email_verified: true, name: " Ann " };

test("a role is found inside a claim, by the first rule that fits, and a value may have colons", () => {
  const roleOf = (roles: unknown) => personOf({ ...claims, realm_access: { roles } }, settings).role;
  expect(roleOf(["staff", "urn:a:chefs"])).toBe("administrator");
  expect(roleOf("staff")).toBe("standard");
  expect([roleOf([]), roleOf(undefined), roleOf([{ staff: true }, 1])]).toEqual([null, null, null]);
  const other = (more: object) =>
    personOf({ ...claims, "realm_access.roles": ["staff"] }, { ...settings, ...more }).role;
  expect(other({})).toBe("standard");
  expect(other({ roles: [], default_role: "read-only" })).toBe("read-only");
  expect(other({ role_claim: "" })).toBeUndefined();
  expect(other({ role_claim: "__proto__.constructor.name", roles: ["Object:administrator"] })).toBeNull();
  expect(wantedClaims(settings)).toEqual(["email", "realm_access"]);
});

test("an address counts only when it is verified, or when the provider is trusted with addresses", () => {
  const emailOf = (more: object, set: object = {}) => personOf({ ...claims, ...more }, { ...settings, ...set }).email;
  expect(emailOf({})).toBe("ann@example.com");
  expect(emailOf({ email_verified: "true" })).toBe("ann@example.com");
  for (const email_verified of [false, undefined, "yes", 1]) expect(emailOf({ email_verified })).toBeNull();
  expect(emailOf({ email_verified: undefined }, { trust_email: true })).toBe("ann@example.com");
  expect(emailOf({ email: "a b@example.com" })).toBeNull();
  expect(() => emailOf({}, { domains: ["ample.com"] })).toThrow("example.com");
  expect(emailOf({}, { domains: ["EXAMPLE.com"] })).toBe("ann@example.com");
});
