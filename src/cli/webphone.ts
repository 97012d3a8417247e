// santral webphone: open one, take its tokens back; and which pages may embed it.

import type { Command } from "commander";
import type { Clock } from "../clock.ts";
import { giveUp } from "../server/give-up.ts";
import { issueWebphoneToken, revokeWebphoneTokens, type TokenRefusal } from "../store/webphone-tokens.ts";
import { exchangeCommand } from "./command.ts";
import { said } from "./show.ts";

const sentences: Record<TokenRefusal["refused"], string> = {
  "no-extension": "there is no such extension",
  "no-staff": "no staff account is linked to this extension: santral staff create",
};

export function addWebphoneCommands(program: Command, clock: Clock): void {
  const webphone = program.command("webphone").description("the telephone in a browser");
  exchangeCommand(webphone, clock, {
    usage: "token <extension>",
    says: "a token that opens the extension's web phone for a day",
    changes: true,
    act: async ({ words: [extension = ""] }, { db, exchange, clock }) => {
      const token = await issueWebphoneToken(db, { exchangeId: exchange.id, extension, now: clock.wall() });
      if (typeof token !== "string") return giveUp(sentences[token.refused]);
      return said(`/webphone?token=${token}`, { token });
    },
  });
  exchangeCommand(webphone, clock, {
    usage: "revoke <extension>",
    says: "take back every token of an extension; its web phones end at once, with their calls",
    changes: true,
    act: async ({ words: [extension = ""] }, { db, exchange }) => {
      const tokens = await revokeWebphoneTokens(db, { exchangeId: exchange.id, extension });
      return said(`${tokens} ${tokens === 1 ? "token is" : "tokens are"} no longer good`, { extension, tokens });
    },
  });
}
