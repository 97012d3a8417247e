// SMS: one tab for each thing people do with messages.

import { Tabs } from "@mantine/core";
import { useSearchParams } from "wouter";
import { PageFrame } from "../../ui/page.tsx";
import { useWords } from "../../words/language.tsx";
import { SmsAccounts } from "./accounts.tsx";
import { Consents } from "./consents.tsx";
import { Blacklist, Inbox, Titles } from "./lists.tsx";
import { SendForm } from "./send.tsx";
import { texts } from "./texts.ts";
import { Tracking } from "./tracking.tsx";

const tabs = [
  { name: "send", label: "tabSend", show: SendForm },
  { name: "tracking", label: "tabTracking", show: Tracking },
  { name: "inbox", label: "tabInbox", show: Inbox },
  { name: "titles", label: "tabTitles", show: Titles },
  { name: "blacklist", label: "tabBlacklist", show: Blacklist },
  { name: "consents", label: "tabConsents", show: Consents },
  { name: "account", label: "tabAccount", show: SmsAccounts },
] as const;

export function Messages() {
  const words = useWords(texts);
  const [query, setQuery] = useSearchParams();
  return (
    <PageFrame title={words.title}>
      <Tabs value={query.get("tab") ?? "send"} onChange={(tab) => setQuery(tab ? { tab } : {})} keepMounted={false}>
        <Tabs.List mb="md">
          {tabs.map(({ name, label }) => (
            <Tabs.Tab key={name} value={name}>
              {words[label]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {tabs.map(({ name, show: Show }) => (
          <Tabs.Panel key={name} value={name}>
            <Show />
          </Tabs.Panel>
        ))}
      </Tabs>
    </PageFrame>
  );
}
