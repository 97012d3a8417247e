// What goes for a whole file, by what it is to become.

import { useSearchParams } from "wouter";
import { recipientTypes } from "../../../src/nouns/choices.ts";
import type { Parameters } from "../../ask/ask.ts";
import { useAsk } from "../../ask/use-ask.ts";
import type { Draft, Field } from "../../ui/field.ts";
import { consentChoices } from "../../words/consent-words.ts";
import { type Both, choicesIn, type Language, useLanguage, useWords } from "../../words/language.tsx";
import { consentSources, consentStatuses, consentTypes } from "../../words/texts.ts";
import { texts } from "./texts.ts";

export type ImportKind = Parameters<"imports.upload">["kind"];
type Settings = Parameters<"imports.begin">["settings"];

/** `first`: what stands there until somebody changes it. */
export type SettingField = Field & { first: string | boolean };

export function useSettingFields(kind: ImportKind): Record<string, SettingField> {
  const words = useWords(texts);
  const { language } = useLanguage();
  const [query] = useSearchParams();
  const titles = useAsk("sms.overview", kind === "recipients" || kind === "consents" ? {} : undefined).data?.titles;
  const campaigns = useAsk("campaigns.list", kind === "campaign" ? { page: 1, limit: 200 } : undefined).data?.rows;
  const title: SettingField = {
    is: "choice",
    label: words.sender,
    options: titles?.map(({ name }) => [name, name]) ?? [],
    first: titles?.[0]?.name ?? "",
  };
  const kinds: Record<ImportKind, () => Record<string, SettingField>> = {
    contacts: () => ({
      known: {
        is: "choice",
        label: words.known,
        options: [
          ["leave", words.leave],
          ["add", words.add],
        ],
        first: "leave",
      },
    }),
    recipients: () => ({
      title,
      text: { is: "area", label: words.text, about: words.textAbout, longest: 1_000, first: "" },
      commercial: { is: "switch", label: words.commercial, first: false },
      recipientType: {
        is: "choice",
        label: words.recipientType,
        options: choicesIn(recipientTypes, language),
        first: "BIREYSEL",
      },
      addOptOut: { is: "switch", label: words.addOptOut, first: false },
    }),
    consents: () => ({ title, ...consentFields(words, language) }),
    campaign: () => ({
      campaignId: {
        is: "choice",
        label: words.intoCampaign,
        options: campaigns?.map(({ id, name }) => [String(id), `${name} (${id})`]) ?? [],
        first: query.get("campaign") ?? String(campaigns?.[0]?.id ?? ""),
      },
      text: { is: "area", label: words.phrase, about: words.phraseAbout, longest: 1_000, first: "" },
    }),
  };
  return kinds[kind]();
}

const useImportWords = () => useWords(texts);
type Words = ReturnType<typeof useImportWords>;

function consentFields(words: Words, language: Language): Record<string, SettingField> {
  const choice = (label: string, among: Record<string, Both>, first: string): SettingField => ({
    is: "choice",
    label,
    about: words.unlessColumn,
    options: consentChoices(among, language),
    first,
  });
  return {
    type: choice(words.consentType, consentTypes, "MESAJ"),
    status: choice(words.status, consentStatuses, "ONAY"),
    recipientType: choice(words.recipientType, recipientTypes, "BIREYSEL"),
    source: choice(words.source, consentSources, "HS_WEB"),
    date: { is: "text", label: words.date, about: words.unlessColumn, longest: 32, first: "" },
  };
}

/** What was left as it stood counts as chosen; what is empty was not said. */
export function settingsIn(fields: Record<string, SettingField>, draft: Draft): Settings {
  const said = Object.entries(fields)
    .map(([name, { first }]): [string, unknown] => [name, draft[name] ?? first])
    .filter(([, value]) => value !== "" && value !== null)
    .map(([name, value]) => [name, name === "campaignId" ? Number(value) : value]);
  return Object.fromEntries(said) as Settings; // of the fields above
}
