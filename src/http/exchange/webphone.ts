// Tokens for the web phone.

import { Type } from "typebox";
import { issueWebphoneToken } from "../../store/webphone-tokens.ts";
import { refuse, text } from "../door/answer.ts";
import { endpoint } from "../door/endpoint.ts";
import { body, key, limit, schema } from "../door/guards.ts";
import { words } from "../parameters/schema.ts";

export const createWebphoneToken = endpoint({
  group: "Web phone",
  methods: ["POST"],
  paths: ["/webphone_tokens"],
  summary: "A token that opens an extension's web phone",
  description: "Valid for one day; every opening needs its own. The extension needs a staff account linked to it.",
  parameters: Type.Object({ extension: words({ example: "1000", missing: () => ({ refused: "missing-extension" }) }) }),
  guards: [key, limit("default"), body, schema],
  reply: "text",
  example: "W8f14e45f-ceea-467f-a1b2-c3d4e5f60718",
  refusals: [
    { refused: "missing-extension" },
    { refused: "no-user", extension: "1005" },
    { refused: "no-staff", extension: "1005" },
  ],
  async handle({ extension }, { db, exchangeId, clock }) {
    const token = await issueWebphoneToken(db, { exchangeId, extension, now: clock.wall() });
    if (typeof token === "string") return text(token);
    return refuse({ refused: token.refused === "no-staff" ? "no-staff" : "no-user", extension });
  },
});
