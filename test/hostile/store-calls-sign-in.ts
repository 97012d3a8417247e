// How people come in and how far they see, asked of the store for ours with their accounts, tokens and names.

import type { StaffRole } from "../../src/nouns/role.ts";
import * as audit from "../../src/store/audit.ts";
import * as phoneTickets from "../../src/store/phone-tickets.ts";
import * as push from "../../src/store/push.ts";
import { renewRecoveryCodes } from "../../src/store/recovery-codes.ts";
import { scopeOf } from "../../src/store/scope.ts";
import * as lines from "../../src/store/sign-in-lines.ts";
import * as signOn from "../../src/store/single-sign-on.ts";
import { admit } from "../../src/store/sso-accounts.ts";
import * as sessions from "../../src/store/staff-sessions.ts";
import * as ways from "../../src/store/ways-in.ts";
import { secrets } from "../ground/secrets.ts";
import { ISSUER } from "./handles.ts";
import { type Both, type Call, call } from "./store-call.ts";

const NOW = Date.now();
const roles: StaffRole[] = ["administrator", "supervisor", "agent"];

export function signInCalls(both: Both): Call[] {
  return [...doorCalls(both), ...providerCalls(both)];
}

function doorCalls({ us: { exchangeId }, them }: Both): Call[] {
  const { id, email, extension, uuid } = them;
  const came = { exchangeId, email, door: "password" as const, address: "192.0.2.9" };
  const door = { host: "192.0.2.1", port: 5060, transport: "udp" as const };
  return [
    call(lines.noteSignIn, came),
    call(lines.noteProven, came),
    call(lines.noteSignOut, came),
    call(lines.noteFailedSignIn, { ...came, why: "wrong-password" }),
    call(lines.listOwnSignIns, { exchangeId, staffId: id, limit: 100 }),
    call(audit.noteHeard, { exchangeId, who: email, did: "recording-heard", call: uuid }),
    ...pushCalls(exchangeId, id),
    call(renewRecoveryCodes, { exchangeId, staffId: id }),
    call(ways.waysIn, { exchangeId, staffId: id }),
    call(ways.isBreakGlass, { exchangeId, staffId: id }),
    call(sessions.keepLogOutUrl, secrets, { exchangeId, sessionId: id, url: "https://ours.example.com" }),
    call(sessions.noteProof, { exchangeId, sessionId: id, nowMs: NOW }),
    call(sessions.readLogOutUrl, secrets, { exchangeId, sessionId: id }),
    ...["1000", extension].flatMap((number) => [
      call(push.subscriptionsOf, secrets, { exchangeId, extension: number, nowMs: NOW }),
      call(phoneTickets.issuePhoneTicket, { exchangeId, number, door, now: NOW }),
      ...roles.map((role) => call(scopeOf, { id, exchangeId, role, extension: number })),
    ]),
  ];
}

function pushCalls(exchangeId: number, id: number): Call[] {
  const address = { endpoint: "https://ours.example.com", p256dh: "ours", auth: "ours" };
  return [
    call(push.pushKeyOf, secrets, { exchangeId, fresh: () => "ours" }),
    call(push.readPushKey, secrets, exchangeId),
    call(push.keepSubscription, secrets, { exchangeId, sessionId: id, address, language: "tr" }),
    call(push.subscriptionOf, { exchangeId, sessionId: id }),
    call(push.dropSubscriptionOf, { exchangeId, sessionId: id }),
    call(push.dropSubscription, { exchangeId, id }),
  ];
}

function providerCalls({ us: { exchangeId }, them }: Both): Call[] {
  const { email, subject, attemptToken: token } = them;
  const settings: signOn.SignOnSettings = {
    issuer: ISSUER,
    client_id: "ours",
    label: "ours",
    scopes: "openid",
    accounts: "linked",
    domains: [],
    trust_email: false,
    role_claim: "",
    roles: [],
    default_role: null,
    passwords: false,
    break_glass: email,
    active: true,
  };
  const attempt = { exchangeId, issuer: ISSUER, state: "ours", nonce: "ours", verifier: "ours", back: "" };
  const person = { exchangeId, issuer: ISSUER, name: "ours", role: "administrator", firstRole: null } as const;
  return [
    call(signOn.readSingleSignOn, exchangeId),
    call(signOn.readClientSecret, secrets, exchangeId),
    call(signOn.keepSingleSignOn, secrets, { exchangeId, settings, secret: "ours" }),
    call(signOn.keepSingleSignOn, secrets, { exchangeId, settings, secret: null }),
    call(signOn.switchSingleSignOnOff, exchangeId),
    call(signOn.beginAttempt, { ...attempt, redirectUri: "https://ours.example.com" }, NOW),
    call(signOn.takeAttempt, { exchangeId, token, nowMs: NOW }),
    ...[subject, "ours"].flatMap((subject) => [
      call(admit, { ...person, subject, email, makes: false }, NOW),
      call(admit, { ...person, subject, email, makes: true }, NOW),
    ]),
    call(admit, { ...person, subject, email: null, makes: true }, NOW),
  ];
}
