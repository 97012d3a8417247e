// Tokens for the web phone.

import { Type } from "typebox";
import { issueWebphoneToken, type TokenRefusal } from "../../store/webphone-tokens.ts";
import { refuse, text } from "../door/answer.ts";
import { endpoint } from "../door/endpoint.ts";
import { body, key, limit, schema } from "../door/guards.ts";
import { words } from "../parameters/schema.ts";

const sentences: Record<TokenRefusal["refused"], string> = {
  "no-extension": "cannot find user for extension",
  "no-staff": "cannot find employee for extension",
};

export const createWebphoneToken = endpoint({
  group: "Web phone",
  methods: ["POST"],
  paths: ["/webphone_tokens"],
  summary: "A token that opens an extension's web phone",
  description: "Valid for one day; every opening needs its own. The extension needs a staff account linked to it.",
  parameters: Type.Object({ extension: words({ example: "1000", missing: () => "missing extension" }) }),
  guards: [key, limit("default"), body, schema],
  reply: "text",
  example: "W8f14e45f-ceea-467f-a1b2-c3d4e5f60718",
  refusals: [
    [400, "missing extension"],
    [400, "cannot find user for extension"],
    [400, "cannot find employee for extension"],
  ],
  async handle({ extension }, { db, exchangeId, clock }) {
    const token = await issueWebphoneToken(db, { exchangeId, extension, now: clock.now() });
    return typeof token === "string" ? text(token) : refuse(400, sentences[token.refused]);
  },
});
