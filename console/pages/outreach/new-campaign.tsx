// A new campaign: whom it calls, when, what it says, where the keys lead, and everything else its operation takes.

import type { Parameters } from "../../ask/ask.ts";
import { useSession } from "../../ask/session.tsx";
import { useAsk } from "../../ask/use-ask.ts";
import { useDeed } from "../../ask/use-deed.ts";
import type { Draft, Field } from "../../ui/field.ts";
import { MakeButton } from "../../ui/list-page.tsx";
import { recipientTypes } from "../../words/consent-words.ts";
import { choicesIn, useLanguage, useWords } from "../../words/language.tsx";
import { general } from "../../words/nouns.ts";
import { spoken, spokenIn } from "../../words/spoken.ts";
import { dayAgo } from "../../words/stamps.ts";
import { texts } from "./campaign-texts.ts";

type Wish = Parameters<"campaigns.create">;

export function NewCampaign() {
  const words = useWords(texts);
  const { language } = useLanguage();
  const { exchange } = useSession();
  const begin = useDeed("campaigns.create", campaignOf, { says: words.begun });
  const today = dayAgo(0, exchange.timeZone);
  const blank: Wish = {
    ...{ name: "", kind: "ivr", queue: null, numbers: "", cli: null, sound: null, phrase: null },
    ...{ language: spokenIn[language], dateBegin: today, dateEnd: today },
    ...{ timeBegin: "09:00", timeEnd: "18:00", days: [1, 2, 3, 4, 5] },
    ...{ keys: { "1": "" }, noKey: null, otherKey: null, keyRetries: 1, keySeconds: 4 },
    ...{ ringSeconds: 30, callRetries: 0, atOnce: null, perAgent: 1, abandonedPercent: 3 },
    ...{ commercial: false, recipientType: "BIREYSEL", brandCode: null },
    ...{ webhook: null, record: false, detectMachines: false },
  };
  return <MakeButton fields={useFields()} make={{ ...begin, title: words.make, blank }} />;
}

async function campaignOf({ list, ...draft }: Draft) {
  const numbers = list instanceof File ? await list.text() : draft.numbers;
  return { ...draft, numbers } as Wish; // the form has its fields
}

const isQueue = ({ kind }: Draft) => kind === "queue";
const isCommercial = ({ commercial }: Draft) => commercial === true;

function useFields(): Record<string, Field> {
  const words = useWords(texts);
  const { name } = useWords(general);
  const queues = useAsk("queues.list", {});
  const kinds: [string, string][] = [
    ["ivr", words.ivr],
    ["queue", words.toQueue],
  ];
  const called = queues.data?.map(({ number, name }): [string, string] => [number, `${number} ${name}`.trim()]) ?? [];
  return {
    name: { is: "text", label: name, required: true },
    kind: { is: "choice", label: words.kind, options: kinds },
    queue: { is: "choice", label: words.queue, options: called, required: true, when: isQueue },
    numbers: { is: "area", label: words.numbers, longest: 4_000_000, about: words.numbersAbout },
    list: { is: "file", label: words.list, accept: ".csv,.txt,text/csv,text/plain" },
    cli: { is: "own-number", label: words.cli },
    sound: { is: "sound", label: words.sound },
    phrase: { is: "area", label: words.phrase, about: words.phraseAbout },
    language: { is: "choice", label: words.language, options: spoken },
    dateBegin: { is: "day", label: words.dateBegin, required: true },
    dateEnd: { is: "day", label: words.dateEnd, required: true },
    timeBegin: { is: "time", label: words.timeBegin, required: true },
    timeEnd: { is: "time", label: words.timeEnd, required: true },
    days: { is: "days", label: words.days },
    ...useKeyFields(),
    ...useConsentFields(),
    ...usePaceFields(),
    ...useMoreFields(),
  };
}

function useKeyFields(): Record<string, Field> {
  const words = useWords(texts);
  const place = { is: "target", place: "campaign", orNothing: true } as const;
  return {
    keys: { is: "keys", label: words.keys, about: words.keysAbout, place: "campaign" },
    noKey: { ...place, label: words.noKey },
    otherKey: { ...place, label: words.otherKey },
    keyRetries: { is: "whole", label: words.keyRetries, least: 0, most: 10 },
    keySeconds: { is: "whole", label: words.keySeconds, least: 1, most: 10 },
  };
}

function useConsentFields(): Record<string, Field> {
  const words = useWords(texts);
  const overview = useAsk("sms.overview", {});
  const brands = overview.data?.titles.flatMap(({ name, iysBrandCode }): [string, string][] =>
    iysBrandCode === null ? [] : [[String(iysBrandCode), `${iysBrandCode} · ${name}`]],
  );
  const { language } = useLanguage();
  const kinds = choicesIn(recipientTypes, language);
  const under = { under: words.consent };
  return {
    commercial: { is: "switch", label: words.commercial, about: words.commercialAbout, ...under },
    recipientType: { is: "choice", label: words.recipientType, options: kinds, when: isCommercial, ...under },
    brandCode: {
      ...{ is: "choice", label: words.brandCode, about: words.brandAbout, options: unique(brands ?? []) },
      ...{ when: isCommercial, ...under },
    },
  };
}

/** Several titles may belong to one brand. */
const unique = (options: [string, string][]) => [...new Map(options)];

function usePaceFields(): Record<string, Field> {
  const words = useWords(texts);
  const under = { under: words.pace };
  return {
    callRetries: { is: "whole", label: words.callRetries, least: 0, most: 10, ...under },
    ringSeconds: { is: "whole", label: words.ringSeconds, least: 25, most: 60, ...under },
    atOnce: {
      is: "whole",
      label: words.atOnce,
      about: words.atOnceAbout,
      least: 1,
      most: 1_000,
      orNothing: true,
      ...under,
    },
    perAgent: { is: "whole", label: words.perAgent, least: 1, most: 100, when: isQueue, ...under },
    abandonedPercent: { is: "whole", label: words.abandonedPercent, least: 0, most: 100, when: isQueue, ...under },
  };
}

function useMoreFields(): Record<string, Field> {
  const words = useWords(texts);
  const under = { under: words.more };
  return {
    record: { is: "switch", label: words.record, ...under },
    detectMachines: { is: "switch", label: words.detectMachines, ...under },
    webhook: {
      ...{ is: "text", label: words.webhook, about: words.webhookAbout, placeholder: "https://", longest: 2_000 },
      ...under,
    },
  };
}
