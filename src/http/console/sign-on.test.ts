import { expect, test } from "vitest";
import { CLIENT, openIdentityProvider, walkThrough } from "../../../test/customer/identity-provider.ts";
import { type Lies, openLyingProvider } from "../../../test/customer/lying-provider.ts";
import { secrets } from "../../../test/ground/secrets.ts";
import { whenOver } from "../../../test/ground/when-over.ts";
import { consoleTown, PASSWORD, type Visitor } from "../../../test/town/console-town.ts";
import { realClock } from "../../clock.ts";
import type { StaffRole } from "../../nouns/role.ts";
import { listAuditLines } from "../../store/audit.ts";
import { sql } from "../../store/sql.ts";
import { openRequester } from "../../webhooks/requester.ts";
import type { Running } from "./operation/operation.ts";

const requester = openRequester({ clock: realClock, privateAllowed: true });
whenOver(async () => requester.close());
const running = { requester } as Running; // nothing else of it is asked here
const options = { from: [], pages: undefined, running, secrets };
const { db, server, ours, theirs, member, visitor } = await consoleTown({ console: options });
const boss = await member("administrator");
const base = `http://${server.address}`;
const provider = await openIdentityProvider(`${base}/console`, ours.id);
const liar = await openLyingProvider(CLIENT.id);
whenOver(async () => Promise.all([provider.close(), liar.close()]));

type Changes = Parameters<typeof boss.ask<"sso.update">>[1]["changes"];

const usual: Changes = {
  issuer: provider.issuer,
  client_id: CLIENT.id,
  client_secret: CLIENT.secret,
  accounts: "made",
  role_claim: "groups",
  roles: ["chefs:administrator", "staff:standard"],
  default_role: null,
};

const set = (changes: Changes = {}) => boss.ask("sso.update", { changes: { ...usual, ...changes } });

async function begin(guest: Visitor, { exchange = ours.id, back = "" } = {}): Promise<string> {
  const response = await guest.post(`/console/sso/${exchange}/begin`, { back });
  return ((await response.json()) as { url: string }).url;
}

type Came = { to: string | null; guest: Visitor };

async function comeBack(guest: Visitor, url: string): Promise<Came> {
  const response = await guest.get(url.replace(base, ""));
  const session = response.headers.getSetCookie().find((it) => it.startsWith("santral_session="));
  return { to: response.headers.get("location"), guest: visitor(session?.split(";")[0] ?? "") };
}

/** The whole way, as a browser goes it. */
async function signOn(login: string): Promise<Came> {
  const guest = visitor();
  return comeBack(guest, await walkThrough(await begin(guest), login));
}

const person = (email: string, groups: string[], verified = true) => ({
  ...{ email, email_verified: verified, name: email.split("@")[0] ?? "", groups },
});

async function lastLine(): Promise<unknown> {
  const [line] = await listAuditLines(db, ours.id, { limit: 1 });
  return line;
}

test("an account is made at the first sign-in, has the role of its group, and the next one when that has changed", async () => {
  await set();
  provider.people.ayla = person("ayla@example.org", ["other", "staff"]);
  const first = await signOn("ayla");
  expect(first.to).toBe("/console");
  const seen = { email: "ayla@example.org", name: "ayla", role: "standard", door: "oidc", isLinked: true };
  expect(await first.guest.ask("session.show", {})).toMatchObject(seen);
  const address = "127.0.0.1";
  expect(await lastLine()).toMatchObject({ did: "signed-in", who: seen.email, details: { door: "oidc", address } });
  provider.people.ayla.groups = ["staff", "chefs"];
  provider.people.ayla.email = "another@example.org"; // known by her subject
  provider.changeKeys();
  const next = await signOn("ayla");
  expect(await next.guest.ask("session.show", {})).toMatchObject({ ...seen, role: "administrator" });
  expect(await next.guest.ask("signIns.list", {})).toMatchObject([{ did: "signed-in" }, { did: "signed-in" }]);
  const left = (await (await next.guest.signOut()).json()) as { url: string };
  expect(left.url).toMatch(new RegExp(`^${provider.issuer}/session/end\\?.*id_token_hint=.*post_logout_redirect_uri=`));
  expect(await next.guest.refused("session.show", {})).toMatchObject({ refused: "signed-out" });
  expect(await lastLine()).toMatchObject({ did: "signed-out", who: seen.email });
});

test("who is disabled here, has no role, no verified address or no account stays out, and is told which", async () => {
  await set({ accounts: "linked" });
  const staff = await member("read-only");
  provider.people.nobody = person("nobody@example.org", ["staff"]);
  expect((await signOn("nobody")).to).toBe("/console?sso=no-account");
  provider.people.guest = person("guest@example.org", []);
  await set();
  expect((await signOn("guest")).to).toBe("/console?sso=no-role");
  provider.people.liar = person(staff.email, ["chefs"], false);
  expect((await signOn("liar")).to).toBe("/console?sso=no-email");
  const foreign = await member("administrator", theirs.id);
  provider.people.foreign = person(foreign.email, ["chefs"]);
  expect((await signOn("foreign")).to).toBe("/console?sso=no-account");
  provider.people.known = person(staff.email.toUpperCase(), ["staff"]);
  expect((await signOn("known")).to).toBe("/console");
  provider.people.twin = person(staff.email, ["chefs"]);
  expect((await signOn("twin")).to).toBe("/console?sso=other-person");
  await boss.ask("staff.update", { id: staff.id, changes: { active: false } });
  expect((await signOn("known")).to).toBe("/console?sso=disabled");
  const details = { door: "oidc", why: "disabled", address: "127.0.0.1" };
  expect(await lastLine()).toMatchObject({ did: "sign-in-failed", who: staff.email, details });
  await set({ domains: ["example.net"] });
  expect((await signOn("guest")).to).toBe("/console?sso=other-domain");
  await set({ domains: [] });
});

test("while the provider is away a sentence says so, and passwords open as before", async () => {
  await set();
  provider.away(true);
  const guest = visitor();
  const begun = await guest.post(`/console/sso/${ours.id}/begin`, { back: "" });
  expect(await begun.json()).toEqual({ refused: "sso", why: "away" });
  expect(await boss.ask("sso.test", { changes: {} })).toEqual({ ok: false, why: "away" });
  expect((await guest.signIn({ email: boss.email, password: PASSWORD })).status).toBe(200);
  provider.away(false);
  expect(await boss.ask("sso.test", { changes: {} })).toEqual({
    ...{ ok: true, issuer: provider.issuer, client: "known", logsOut: true },
  });
  const wrong = { client_secret: "another" };
  expect(await boss.ask("sso.test", { changes: wrong })).toEqual({ ok: false, why: "bad-client" });
  const nobody = { issuer: base, client_secret: "another" };
  expect(await boss.ask("sso.test", { changes: nobody })).toEqual({ ok: false, why: "bad-provider" });
});

test("no answer of a provider opens anything but the one that is meant for this sign-in", async () => {
  await set({ issuer: liar.issuer });
  const good = person("ann@example.org", ["staff"]);
  const tryWith = async (lie: Partial<Lies>, query: Record<string, string> = {}) => {
    const guest = visitor();
    const sent = new URL(await begin(guest)).searchParams;
    expect([sent.get("code_challenge_method"), sent.get("redirect_uri")]).toEqual([
      ...["S256", `${base}/console/sso/${ours.id}/callback`],
    ]);
    const nonce = sent.get("nonce");
    liar.lies = { ...lie, claims: { ...good, nonce, ...lie.claims } };
    const back = { code: "c", state: sent.get("state") ?? "", iss: liar.issuer, ...query };
    const url = `/console/sso/${ours.id}/callback?${new URLSearchParams(back)}`;
    return { ...(await comeBack(guest, url)), again: () => comeBack(guest, url) };
  };
  const hour = 3_600;
  const past = { iat: Date.now() / 1_000 - 2 * hour, exp: Date.now() / 1_000 - hour };
  const lies: [what: string, lie: Partial<Lies>, query?: Record<string, string>][] = [
    ["a nonce of another sign-in", { claims: { nonce: "another" } }],
    ["no nonce", { claims: { nonce: undefined } }],
    ["a token for somebody else", { claims: { aud: "another-client" } }],
    ["a token of another issuer", { claims: { iss: "https://another.example" } }],
    ["a token of yesterday", { claims: past }],
    ["a token that nobody signed", { claims: {}, alg: "none" }],
    ["a token that another key signed", { claims: {}, forged: true }],
    ["a token without a person", { claims: { sub: "" } }],
    ["a forged state", {}, { state: "forged" }],
    ["a mix-up of providers", {}, { iss: "https://another.example" }],
  ];
  for (const [what, lie, query] of lies) {
    const { to, guest } = await tryWith(lie, query);
    expect([to, guest.cookie()], what).toEqual(["/console?sso=untrusted", ""]);
  }
  const denied = await tryWith({}, { error: "access_denied" });
  expect(denied.to).toBe("/console?sso=denied");
  const through = await tryWith({});
  expect(through.to).toBe("/console");
  expect(await through.guest.ask("session.show", {})).toMatchObject({ email: "ann@example.org" });
  expect(liar.asked.at(-1)?.get("code_verifier")).toMatch(/^[\w-]{43,}$/);
  // A code that is played again finds no sign-in that waits for it.
  expect((await through.again()).to).toBe("/console?sso=expired");
});

test("a sign-in is finished by the browser and the exchange that began it, and leads to a page of ours", async () => {
  await set({ issuer: liar.issuer });
  const [attacker, victim] = [visitor(), visitor()];
  const sent = new URL(await begin(attacker)).searchParams;
  liar.lies = { claims: { ...person("ann@example.org", ["staff"]), nonce: sent.get("nonce") } };
  const query = new URLSearchParams({ code: "c", state: sent.get("state") ?? "", iss: liar.issuer });
  const at = (exchange: number) => `/console/sso/${exchange}/callback?${query}`;
  expect((await comeBack(victim, at(ours.id))).to).toBe("/console?sso=expired");
  expect((await comeBack(attacker, at(theirs.id))).to).toBe("/console?sso=expired");
  expect((await comeBack(attacker, at(ours.id))).to).toBe("/console");
  for (const back of [
    "//evil.example",
    "/\\evil.example",
    "https://evil.example",
    "/..//evil",
    "/a?b",
    "/@evil.example/",
  ]) {
    const response = await visitor().post(`/console/sso/${ours.id}/begin`, { back });
    expect(await response.json(), back).toMatchObject({ refused: "invalid" });
  }
  const guest = visitor();
  const next = new URL(await begin(guest, { back: "/staff" })).searchParams;
  liar.lies.claims.nonce = next.get("nonce");
  query.set("state", next.get("state") ?? "");
  expect((await comeBack(guest, at(ours.id))).to).toBe("/console/staff");
  const elsewhere = await visitor().post(
    `/console/sso/${ours.id}/begin`,
    { back: "" },
    { origin: "https://evil.example" },
  );
  expect(elsewhere.status).toBe(401);
  const off = await visitor().post(`/console/sso/${theirs.id}/begin`, { back: "" });
  expect(await off.json()).toEqual({ refused: "sso", why: "off" });
  const doors = async (exchange: string) => (await visitor().post(`/console/sso/door?exchange=${exchange}`, {})).json();
  expect(await doors("ours.example.com")).toEqual({
    door: { exchangeId: ours.id, label: "", passwords: true },
    several: true,
  });
  expect(await Promise.all(["", "theirs.example.com", "nobody.example"].map(doors))).toEqual(
    Array(3).fill({ door: null, several: true }),
  );
});

test("passwords go only when an administrator keeps his, and then open for nobody else", async () => {
  await set();
  const [worker, spare] = [await member("standard"), await member("administrator")];
  const off = (break_glass: string | null) =>
    boss.refused("sso.update", { changes: { passwords: false, break_glass } });
  for (const named of [null, worker.email, "nobody@example.org"])
    expect(await off(named)).toMatchObject({ refused: "no-break-glass" });
  await boss.ask("sso.update", { changes: { passwords: false, break_glass: spare.email } });
  const enter = async (email: string, password = PASSWORD) => (await visitor().signIn({ email, password })).json();
  expect(await enter(worker.email)).toEqual({ refused: "passwords-off" });
  expect(await enter(worker.email, "wrong")).toEqual({ refused: "wrong-password" });
  expect(await enter(spare.email)).toEqual({});
  const basic = `Basic ${Buffer.from(`${worker.email}:${PASSWORD}`).toString("base64")}`;
  expect((await visitor().get("/console/panel", { authorization: basic })).status).not.toBe(200);
  expect(await boss.refused("staff.delete", { id: spare.id })).toMatchObject({ refused: "in-use" });
  expect(await boss.refused("staff.update", { id: spare.id, changes: { role: "standard" } })).toMatchObject({
    refused: "in-use",
  });
  await boss.ask("sso.off", {});
  expect(await enter(worker.email)).toEqual({});
});

test("the client's secret is sealed, never shown, stays with its provider, and the last administrator stays one", async () => {
  await set({ passwords: true, active: true });
  const [row] = await db.query<{ stored: string }>(sql`select client_secret as stored from single_sign_on`);
  expect(row?.stored).toMatch(/^sealed:/);
  const { settings } = await boss.ask("sso.show", {});
  expect(settings).toMatchObject({ has_client_secret: true, issuer: provider.issuer });
  expect(JSON.stringify(settings)).not.toContain(CLIENT.secret);
  const refused = (changes: Changes) => boss.refused("sso.update", { changes });
  expect(await refused({ issuer: liar.issuer })).toMatchObject({ refused: "blank", field: "client_secret" });
  expect(await refused({ issuer: "http://idp.example.com" })).toMatchObject({ field: "issuer" });
  expect(await refused({ roles: ["chefs:king"] })).toMatchObject({ refused: "malformed", field: "roles" });
  const google = { issuer: "https://accounts.google.com", client_secret: "x" };
  expect(await refused(google)).toMatchObject({ refused: "blank", field: "domains" });
  await db.query(sql`update staff set role = 'standard' where exchange_id = $1 and id <> $2`, [ours.id, boss.id]);
  provider.people.boss = person(boss.email, ["staff"]);
  const { guest } = await signOn("boss");
  expect(await guest.ask("session.show", {})).toMatchObject({ role: "administrator" satisfies StaffRole });
});
