// SMS: one tab for each thing people do with messages.

import { PageFrame } from "../../ui/page.tsx";
import { PageTabs } from "../../ui/tabs.tsx";
import { useWords } from "../../words/language.tsx";
import { SmsAccounts } from "./accounts.tsx";
import { Consents } from "./consents.tsx";
import { Blacklist, Inbox, Titles } from "./lists.tsx";
import { ReadyTexts } from "./ready-texts.tsx";
import { SendForm } from "./send.tsx";
import { texts } from "./texts.ts";
import { Tracking } from "./tracking.tsx";

export function Messages() {
  const words = useWords(texts);
  return (
    <PageFrame title={words.title}>
      <PageTabs
        tabs={[
          { name: "send", label: words.tabSend, needs: "sms.overview", show: SendForm },
          { name: "tracking", label: words.tabTracking, needs: "sms.campaigns", show: Tracking },
          { name: "inbox", label: words.tabInbox, needs: "sms.inbox", show: Inbox },
          { name: "titles", label: words.tabTitles, needs: "sms.overview", show: Titles },
          { name: "ready", label: words.tabReady, needs: "readyTexts.list", show: ReadyTexts },
          { name: "blacklist", label: words.tabBlacklist, needs: "sms.blacklist", show: Blacklist },
          { name: "consents", label: words.tabConsents, needs: "sms.consentCampaigns", show: Consents },
          { name: "account", label: words.tabAccount, needs: "sms.overview", show: SmsAccounts },
        ]}
      />
    </PageFrame>
  );
}
