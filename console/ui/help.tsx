// What is written about a page in the documentation, which the server itself has: no choice has to be made in the dark.

import { ActionIcon, Tooltip } from "@mantine/core";
import { useLocation } from "wouter";
import { useWords } from "../words/language.tsx";
import { general } from "../words/texts.ts";
import { Icon } from "./icon.tsx";

/** Document and heading, by the first part of a page's path. */
const documents: Readonly<Record<string, string>> = {
  "": "console#at-the-supervisors-desk",
  desk: "console#at-the-agents-desk",
  walls: "console#screens-on-the-wall",
  alarms: "console#alarms",
  reports: "reports",
  "report-mails": "reports#by-mail",
  "form-report": "console#call-forms",
  "response-times": "console#response-times",
  calls: "console#pages",
  voicemail: "exchange#voicemail",
  contacts: "exchange#contacts-from-outside",
  blocked: "exchange#calls-that-come-in",
  sms: "sms",
  campaigns: "campaigns",
  imports: "console#pages",
  faxes: "fax#in-the-console",
  extensions: "webphone",
  queues: "exchange#queues-and-agents",
  groups: "exchange#targets",
  forms: "console#call-forms",
  menus: "exchange#targets",
  numbers: "exchange#calls-that-come-in",
  trunks: "exchange#calls-that-go-out",
  announcements: "console#pages",
  setup: "console#pages",
  settings: "settings",
  spending: "exchange#calls-that-go-out",
  staff: "console#who-may-see-what",
  audit: "console#who-may-see-what",
  system: "operations#backup-and-restore",
  nodes: "operations#several-nodes",
  account: "console#who-may-open-it",
};

/** `exchange#targets` as an address of the server. */
export function helpAt(document: string): string {
  const [name = "", heading] = document.split("#");
  return `/console/help/${name}.html${heading === undefined ? "" : `#${heading}`}`;
}

/** Beside the heading of a page or a form; opens in a tab of its own, so that nothing that was typed is lost. */
export function HelpLink() {
  const words = useWords(general);
  const [location] = useLocation();
  const document = documents[location.split("/")[1] ?? ""];
  if (document === undefined) return null;
  return (
    <Tooltip label={words.help}>
      <ActionIcon
        component="a"
        href={helpAt(document)}
        target="_blank"
        variant="subtle"
        color="gray"
        radius="xl"
        aria-label={words.help}
      >
        <Icon name="help" />
      </ActionIcon>
    </Tooltip>
  );
}
