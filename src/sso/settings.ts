// Setting the exchange's provider: what fits together, to whom a secret goes, and who still comes in by a password.

import { valueUnlessSet } from "../nouns/field.ts";
import { singleSignOn } from "../nouns/single-sign-on.ts";
import type { Secrets } from "../secrets/secrets.ts";
import type { Db } from "../store/db.ts";
import {
  keepSingleSignOn,
  readClientSecret,
  readSingleSignOn,
  type SignOnChanges,
  type SignOnRow,
  type SignOnSettings,
} from "../store/single-sign-on.ts";
import { isAdministrator } from "../store/staff.ts";
import { checkUrl, isPublicAddress } from "../webhooks/guard.ts";
import { readRoleRule } from "./person.ts";

export type SignOnRefusal =
  | { refused: "blank" | "malformed"; field: string }
  | { refused: "secret-unreadable" }
  /** Passwords go only when an administrator is named who keeps his. */
  | { refused: "no-break-glass" };

type Where = { db: Db; secrets: Secrets; exchangeId: number };
export type Wanted = { settings: SignOnSettings; secret: string | null };

export async function setSingleSignOn(where: Where, changes: SignOnChanges): Promise<SignOnRefusal | undefined> {
  const { db, secrets, exchangeId } = where;
  const wanted = await signOnWith(where, changes);
  if ("refused" in wanted) return wanted;
  const { settings, secret } = wanted;
  if (!settings.passwords && !(await isAdministrator(db, exchangeId, settings.break_glass)))
    return { refused: "no-break-glass" };
  await keepSingleSignOn(db, secrets, { exchangeId, settings, secret });
  return undefined;
}

/** As it would be with these changes, for a trial before they are kept. */
export async function signOnWith(where: Where, changes: SignOnChanges): Promise<Wanted | SignOnRefusal> {
  const before = await readSingleSignOn(where.db, where.exchangeId);
  const settings = tidy({ ...(before ? settingsOf(before) : unset()), ...given(changes) });
  const refused = misfit(settings);
  if (refused) return refused;
  const secret = await secretFor(where, { before, settings, typed: changes.client_secret });
  return secret !== null && typeof secret === "object" ? secret : { settings, secret };
}

type Asking = { before: SignOnRow | undefined; settings: SignOnSettings; typed: string | null | undefined };

/** A secret goes only to whom it was typed in for: another provider has to be given it anew. */
async function secretFor(
  { db, secrets, exchangeId }: Where,
  { before, settings, typed }: Asking,
): Promise<string | null | SignOnRefusal> {
  if (typed || typed === null) return typed;
  if (!before?.has_client_secret) return null;
  if (new URL(before.issuer).origin !== new URL(settings.issuer).origin)
    return { refused: "blank", field: "client_secret" };
  const stored = await readClientSecret(db, secrets, exchangeId);
  return stored === null || typeof stored === "string" ? stored : { refused: "secret-unreadable" };
}

const names = Object.keys(singleSignOn.fields).filter((name) => name !== "client_secret") as (keyof SignOnSettings)[];

const settingsOf = (row: SignOnRow) => Object.fromEntries(names.map((name) => [name, row[name]])) as SignOnSettings; // each
const unset = () =>
  Object.fromEntries(names.map((name) => [name, valueUnlessSet(singleSignOn.fields[name])])) as SignOnSettings; // each

function given({ client_secret: _secret, ...changes }: SignOnChanges): Partial<SignOnSettings> {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
}

function tidy(settings: SignOnSettings): SignOnSettings {
  const words = (list: readonly string[]) => list.map((it) => it.trim()).filter((it) => it !== "");
  return {
    ...settings,
    issuer: settings.issuer.trim(),
    client_id: settings.client_id.trim(),
    label: settings.label.trim(),
    scopes: settings.scopes.trim(),
    role_claim: settings.role_claim.trim(),
    roles: words(settings.roles),
    domains: words(settings.domains).map((it) => it.toLowerCase().replace(/^@/, "")),
    default_role: settings.default_role || null,
    break_glass: settings.break_glass?.trim().toLowerCase() || null,
  };
}

/** Providers at which anybody can have an account. */
const EVERYBODYS = ["accounts.google.com", "login.microsoftonline.com", "appleid.apple.com"];
const COMMON_TENANT = /^\/(common|consumers|organizations)\b/;

function misfit(settings: SignOnSettings): SignOnRefusal | undefined {
  const { issuer, client_id, scopes, roles, domains, accounts } = settings;
  const blank = (["issuer", "client_id"] as const).find((field) => settings[field] === "");
  if (blank) return { refused: "blank", field: blank };
  const wrong: [field: string, isWrong: boolean][] = [
    ["issuer", !isIssuer(issuer)],
    ["client_id", !/^[\x21-\x7e]+$/.test(client_id)],
    ["scopes", !/^[\x21\x23-\x5b\x5d-\x7e ]*$/.test(scopes)],
    ["roles", !roles.every(readRoleRule)],
    ["domains", !domains.every((it) => /^[a-z0-9.-]{1,190}$/.test(it))],
  ];
  const field = wrong.find(([, isWrong]) => isWrong)?.[0];
  if (field !== undefined) return { refused: "malformed", field };
  // Otherwise the whole world could make accounts here.
  const isOpen = accounts === "made" && domains.length === 0 && isEverybodys(new URL(issuer));
  return isOpen ? { refused: "blank", field: "domains" } : undefined;
}

function isEverybodys({ hostname, pathname }: URL): boolean {
  if (!EVERYBODYS.includes(hostname)) return false;
  return hostname !== "login.microsoftonline.com" || COMMON_TENANT.test(pathname);
}

/** TLS, but for an address of one's own network; whether that may be called is seen when it is. */
function isIssuer(text: string): boolean {
  const checked = checkUrl(text, { privateAllowed: true });
  if ("refused" in checked || checked.url.search !== "" || checked.url.hash !== "") return false;
  const { protocol, hostname } = checked.url;
  const host = hostname.replace(/^\[|\]$/g, "");
  const isNear = host === "localhost" || (/^[\d.]+$|:/.test(host) && !isPublicAddress(host));
  return protocol === "https:" || isNear;
}
