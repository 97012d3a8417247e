// This browser may be told of calls while the console is closed in it: as long as its session lasts, and no other.

import { Type } from "typebox";
import { LANGUAGES } from "../../../languages.ts";
import { areKeys } from "../../../push/encrypt.ts";
import { isEndpoint, keysOf } from "../../../push/pushing.ts";
import { newPushKey, publicKeyOf } from "../../../push/vapid.ts";
import { dropSubscriptionOf, keepSubscription, pushKeyOf, subscriptionOf } from "../../../store/push.ts";
import { operation } from "../operation/operation.ts";
import { name, nothing } from "./fields.ts";

const octets = () => Type.String({ pattern: "^[A-Za-z0-9_-]{16,100}$" });

export const push = {
  "push.show": operation({
    right: "use-phone",
    reads: true,
    parameters: nothing,
    async handle(_, { db, secrets, exchangeId, staff }) {
      const key = await pushKeyOf(db, secrets, { exchangeId, fresh: newPushKey });
      const told = await subscriptionOf(db, { exchangeId, sessionId: staff.sessionId });
      return { key: publicKeyOf(key), told: told ?? null };
    },
  }),

  "push.subscribe": operation({
    right: "use-phone",
    hides: ["endpoint", "p256dh", "auth"],
    parameters: Type.Object({
      endpoint: name(1_000),
      p256dh: octets(),
      auth: octets(),
      language: Type.Enum(LANGUAGES),
    }),
    async handle({ language, ...address }, { db, secrets, exchangeId, staff }) {
      if (!isEndpoint(address.endpoint)) return { refused: "invalid", field: "endpoint" } as const;
      if (!areKeys(keysOf(address))) return { refused: "invalid", field: "p256dh" } as const;
      const isKept = await keepSubscription(db, secrets, { exchangeId, sessionId: staff.sessionId, address, language });
      return isKept ? {} : ({ refused: "signed-out" } as const);
    },
  }),

  "push.forget": operation({
    right: "use-phone",
    parameters: nothing,
    async handle(_, { db, exchangeId, staff }) {
      await dropSubscriptionOf(db, { exchangeId, sessionId: staff.sessionId });
      return {};
    },
  }),
};
