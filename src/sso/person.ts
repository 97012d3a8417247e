// Who somebody is by what his provider says of him: his address, if it is verified, and his role.

import { roleChoices, type StaffRole } from "../nouns/role.ts";
import type { SignOnSettings } from "../store/single-sign-on.ts";
import type { Known } from "../store/sso-accounts.ts";
import type { Claims } from "./provider.ts";
import { SsoFailed } from "./trouble.ts";

const EMAIL = /^[^\s@<>"]{1,64}@[^\s@<>"]{1,190}$/;
const LONGEST_SUBJECT = 255;
const LONGEST_NAME = 200;

type Settings = Pick<
  SignOnSettings,
  "issuer" | "accounts" | "domains" | "trust_email" | "role_claim" | "roles" | "default_role"
>;

/** The claims that are needed to tell. */
export function wantedClaims({ role_claim }: Pick<Settings, "role_claim">): string[] {
  return ["email", ...(role_claim === "" ? [] : [role_claim.split(".")[0] ?? ""])];
}

export function personOf(claims: Claims, settings: Settings): Omit<Known, "exchangeId"> {
  const { issuer, accounts, default_role } = settings;
  const subject = claims.sub;
  if (typeof subject !== "string" || subject === "" || subject.length > LONGEST_SUBJECT)
    throw new SsoFailed("untrusted", "sub");
  const email = emailIn(claims, settings);
  const domain = email?.slice(email.lastIndexOf("@") + 1) ?? "";
  const { domains } = settings;
  if (domains.length > 0 && !domains.some((it) => it.toLowerCase() === domain))
    throw new SsoFailed(email === null ? "no-email" : "other-domain", domain);
  const name = typeof claims.name === "string" ? claims.name.trim().slice(0, LONGEST_NAME) : "";
  const role = settings.role_claim === "" ? undefined : (mappedRole(claims, settings) ?? default_role);
  return { issuer, subject, email, name, role, firstRole: default_role, makes: accounts === "made" };
}

/** An address that anybody can write into his own profile proves nothing. */
function emailIn({ email, email_verified }: Claims, { trust_email }: Settings): string | null {
  // Some providers write the word instead of the value.
  const isVerified = trust_email || email_verified === true || email_verified === "true";
  return isVerified && typeof email === "string" && EMAIL.test(email) ? email.toLowerCase() : null;
}

/** In the order of the setting: the first that fits holds. */
function mappedRole(claims: Claims, { role_claim, roles }: Settings): StaffRole | undefined {
  const held = valuesAt(claims, role_claim);
  return roles.map(readRoleRule).find((rule) => rule && held.includes(rule.value))?.role;
}

/** `value:role`; a value may have colons of its own. */
export function readRoleRule(text: string): { value: string; role: StaffRole } | undefined {
  const colon = text.lastIndexOf(":");
  const [value, role] = [text.slice(0, colon).trim(), text.slice(colon + 1).trim()];
  return colon > 0 && value !== "" && Object.hasOwn(roleChoices, role) ? { value, role: role as StaffRole } : undefined;
}

/** A claim of that very name, or else the way to one inside: `realm_access.roles`. */
function valuesAt(claims: Claims, path: string): string[] {
  const inside = (from: unknown, name: string): unknown =>
    typeof from === "object" && from !== null && Object.hasOwn(from, name)
      ? (from as Record<string, unknown>)[name]
      : undefined;
  const found = inside(claims, path) ?? path.split(".").reduce(inside, claims as unknown);
  return (Array.isArray(found) ? found : [found]).filter((it): it is string => typeof it === "string");
}
