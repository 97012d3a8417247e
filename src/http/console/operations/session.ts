// What staff do about themselves: password, second factor, open sessions.

import { Type } from "typebox";
import { hasRight, RIGHTS } from "../../../nouns/role.ts";
import { weaknessOf } from "../../../passwords/weakness.ts";
import { renewRecoveryCodes } from "../../../store/recovery-codes.ts";
import { listOwnSignIns } from "../../../store/sign-in-lines.ts";
import { administratorNames, dropTotpSecret, setStaffPassword, setTotpSecret } from "../../../store/staff.ts";
import { endSession, listSessions } from "../../../store/staff-sessions.ts";
import { newTotpSecret, periodOfCode, totpUri } from "../../../store/totp.ts";
import { waysIn } from "../../../store/ways-in.ts";
import { issueWebphoneToken } from "../../../store/webphone-tokens.ts";
import { mayAsk, operation } from "../operation/operation.ts";
import { isRefused } from "../operation/refusal.ts";
import { id, name, nothing, text } from "./fields.ts";

const SHORTEST_PASSWORD = 10;
const ISSUER = "Santral";
const SHOWN_SIGN_INS = 20;

export const session = {
  "session.show": operation({
    right: "own",
    reads: true,
    always: true,
    parameters: nothing,
    async handle(_, { db, exchangeId, staff, running, nodes, system, needs }) {
      const { id, name, email, role, extension, exchangeName, sipDomain, timeZone } = staff;
      const { mustChangePassword, hasTotp, owesFactor } = staff;
      const exchange = { name: exchangeName, sipDomain, timeZone };
      const operates = nodes !== undefined && hasRight(staff, "run-servers");
      const hasMachine = (await system?.isOperator(exchangeId)) === true;
      const rights = RIGHTS.filter((right) => hasRight(staff, right));
      const administrators = await administratorNames(db, exchangeId);
      const may = Object.keys(needs).filter(
        (operation) =>
          mayAsk(staff, { right: needs[operation]! }) && // its own keys
          (operates || !operation.startsWith("nodes.")) &&
          (hasMachine || !/^(system|backups)\./.test(operation)),
      );
      const person = { id, name, email, role, extension, mustChangePassword, hasTotp, owesFactor, door: staff.door };
      const ways = await waysIn(db, { exchangeId, staffId: id });
      const allowed = { operates, rights, administrators, may, needs };
      return { ...person, ...ways, exchange, isRunning: running !== undefined, ...allowed };
    },
  }),

  "session.changePassword": operation({
    right: "own",
    settles: "password-must-change",
    apart: true,
    parameters: Type.Object({ oldPassword: text(200), newPassword: text(200) }),
    async handle({ oldPassword, newPassword }, { staff, passwords, record }) {
      const wrong = await passwords.prove(oldPassword);
      if (wrong) return wrong;
      if (newPassword.length < SHORTEST_PASSWORD)
        return { refused: "weak-password", least: SHORTEST_PASSWORD } as const;
      if (newPassword === oldPassword) return { refused: "same-password" } as const;
      const { exchangeId, email, name, extension, exchangeName, sipDomain } = staff;
      const why = weaknessOf(newPassword, [email, name, extension ?? "", exchangeName, sipDomain]);
      if (why) return { refused: "common-password", why } as const;
      const password = await passwords.hash(newPassword);
      if (isRefused(password)) return password;
      // Every session ends, this one too: whoever knew the old password is out.
      return record(async ({ db }) => {
        await setStaffPassword(db, { exchangeId, email, password });
        return {};
      });
    },
  }),

  "session.list": operation({
    right: "own",
    reads: true,
    parameters: nothing,
    async handle(_, { db, staff }) {
      const sessions = await listSessions(db, staff.id);
      return sessions.map((session) => ({ ...session, isThis: session.id === staff.sessionId }));
    },
  }),

  "session.end": operation({
    right: "own",
    parameters: Type.Object({ id: id() }),
    handle: async ({ id }, { db, staff }) =>
      (await endSession(db, staff.id, id))
        ? {}
        : ({ refused: "not-found", what: "session", which: String(id) } as const),
  }),

  "webphone.open": operation({
    right: "use-phone",
    parameters: nothing,
    async handle(_, { db, clock, exchangeId, staff }) {
      if (staff.extension === null) return { refused: "missing-extension" } as const;
      const token = await issueWebphoneToken(db, { exchangeId, extension: staff.extension, now: clock.wall() });
      return typeof token === "string" ? { token } : ({ refused: "missing-extension" } as const);
    },
  }),

  "totp.begin": operation({
    right: "own",
    settles: "second-factor-first",
    reads: true,
    parameters: nothing,
    async handle(_, { staff }) {
      const secret = newTotpSecret();
      return { secret, uri: totpUri({ secret, account: staff.email, issuer: ISSUER }) };
    },
  }),

  "totp.confirm": operation({
    right: "own",
    settles: "second-factor-first",
    apart: true,
    parameters: Type.Object({
      secret: Type.String({ pattern: "^[A-Z2-7]{32}$" }),
      code: name(10),
      password: text(200),
    }),
    async handle({ secret, code, password }, { clock, secrets, staff, passwords, record }) {
      const wrong = await passwords.prove(password);
      if (wrong) return wrong;
      const period = periodOfCode(secret, code, { nowMs: clock.wall(), usedPeriod: 0 });
      if (period === undefined) return { refused: "wrong-code" } as const;
      const { id, exchangeId } = staff;
      return record(async ({ db }) => {
        await setTotpSecret(db, secrets, { exchangeId, id, secret });
        return { codes: await renewRecoveryCodes(db, { staffId: id, exchangeId }) };
      });
    },
  }),

  "recoveryCodes.renew": operation({
    right: "own",
    apart: true,
    parameters: Type.Object({ password: text(200) }),
    async handle({ password }, { exchangeId, staff, passwords, record }) {
      const wrong = await passwords.prove(password);
      if (wrong) return wrong;
      if (!staff.hasTotp) return { refused: "no-second-factor" } as const;
      return record(async ({ db }) => ({ codes: await renewRecoveryCodes(db, { staffId: staff.id, exchangeId }) }));
    },
  }),

  "signIns.list": operation({
    right: "own",
    reads: true,
    parameters: nothing,
    handle: (_, { db, exchangeId, staff }) =>
      listOwnSignIns(db, { staffId: staff.id, limit: SHOWN_SIGN_INS, exchangeId }),
  }),

  "totp.drop": operation({
    right: "own",
    apart: true,
    parameters: Type.Object({ password: text(200) }),
    async handle({ password }, { staff, passwords, record }) {
      const wrong = await passwords.prove(password);
      if (wrong) return wrong;
      return record(async ({ db }) => {
        await dropTotpSecret(db, staff.id);
        return {};
      });
    },
  }),
};
