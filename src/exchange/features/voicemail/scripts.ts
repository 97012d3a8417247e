// What a mailbox can do with a call: take a message, and play its owner what was left.

import type { DialledCode, TargetScripts } from "../../lead/scripts.ts";
import { leadToOwnMessages } from "./hear-messages.ts";
import { leadToVoicemail } from "./take-message.ts";
import type { MailboxParts } from "./voicemail.ts";

export function voicemailScripts(parts: MailboxParts): {
  targets: Pick<TargetScripts, "voicemail">;
  codes: DialledCode[];
} {
  return {
    targets: { voicemail: (guide, { number }) => leadToVoicemail(parts, guide, number) },
    codes: [
      /** An extension hears its messages. */
      { code: "*97", follows: /^$/, lead: (guide, _, by) => leadToOwnMessages(parts, guide, by) },
      /** With an extension behind it: straight to that mailbox. */
      { code: "*98", follows: /^/, lead: (guide, number) => leadToVoicemail(parts, guide, number) },
    ],
  };
}
