// What a mailbox can do with a call: take a message, and play its owner what was left.

import type { SomeScripts } from "../../lead/scripts.ts";
import { leadToOwnMessages } from "./hear-messages.ts";
import { leadToVoicemail } from "./take-message.ts";
import type { MailboxNeeds } from "./voicemail.ts";

export function voicemailScripts(needs: MailboxNeeds) {
  return {
    targets: { voicemail: (guide, { number }) => leadToVoicemail(guide.having(needs), number) },
    codes: [
      { code: "*97", follows: /^$/, lead: (guide, _, by) => leadToOwnMessages(guide.having(needs), by) },
      /** With an extension behind it: straight to that mailbox. */
      { code: "*98", follows: /^/, lead: (guide, number) => leadToVoicemail(guide.having(needs), number) },
    ],
  } satisfies SomeScripts;
}
