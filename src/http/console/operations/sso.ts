// Single sign-on: what is set of the exchange's provider, and a trial before anything is kept.

import { Type } from "typebox";
import { singleSignOn } from "../../../nouns/single-sign-on.ts";
import { tryProvider } from "../../../sso/provider.ts";
import { setSingleSignOn, signOnWith } from "../../../sso/settings.ts";
import { SsoFailed } from "../../../sso/trouble.ts";
import { readSingleSignOn, switchSingleSignOnOff } from "../../../store/single-sign-on.ts";
import { operation } from "../operation/operation.ts";
import { nothing } from "./fields.ts";
import { changesSchema } from "./noun-schema.ts";

const changes = changesSchema(singleSignOn);
const callbackOf = (exchangeId: number) => `/console/sso/${exchangeId}/callback`;

export const sso = {
  "sso.show": operation({
    right: "manage-staff",
    reads: true,
    parameters: nothing,
    async handle(_, { db, exchangeId, publicUrl }) {
      const row = await readSingleSignOn(db, exchangeId);
      const { id: _id, exchangeId: _exchangeId, ...settings } = row ?? { id: 0, exchangeId };
      // Null: whatever address the browser has opened.
      const origin = publicUrl === undefined ? null : new URL(publicUrl).origin;
      return { settings: row ? (settings as typeof row) : null, origin, callback: callbackOf(exchangeId) };
    },
  }),

  "sso.update": operation({
    right: "manage-staff",
    fresh: true,
    hides: ["client_secret"],
    parameters: Type.Object({ changes }),
    handle: async ({ changes }, { db, secrets, exchangeId }) =>
      (await setSingleSignOn({ db, secrets, exchangeId }, changes)) ?? {},
  }),

  "sso.test": operation({
    right: "manage-staff",
    apart: true,
    hides: ["client_secret"],
    parameters: Type.Object({ changes }),
    async handle({ changes }, { db, secrets, exchangeId, running, limit, publicUrl }) {
      if (!running) return { refused: "not-running" } as const;
      const wanted = await signOnWith({ db, secrets, exchangeId }, changes);
      if ("refused" in wanted) return wanted;
      const open = { requester: running.requester, ...wanted };
      try {
        const origin = publicUrl === undefined ? "http://localhost" : new URL(publicUrl).origin;
        const tried = await limit.hold(tryProvider(open, `${origin}${callbackOf(exchangeId)}`));
        return { ok: true, ...tried } as const;
      } catch (error) {
        if (error instanceof SsoFailed) return { ok: false, why: error.trouble } as const;
        throw error;
      }
    },
  }),

  "sso.off": operation({
    right: "manage-staff",
    parameters: nothing,
    async handle(_, { db, exchangeId }) {
      await switchSingleSignOnOff(db, exchangeId);
      return {};
    },
  }),
};
