// A new campaign: whom it calls, when, what it says, where the keys lead, and everything else its operation takes.

import { useRef } from "react";
import { useLocation } from "wouter";
import { campaign } from "../../../src/nouns/campaign.ts";
import { languageFor } from "../../../src/speech/language.ts";
import type { Parameters } from "../../ask/ask.ts";
import { useSession } from "../../ask/session.tsx";
import { useAction } from "../../ask/use-action.ts";
import { useAsk } from "../../ask/use-ask.ts";
import type { Draft, Field } from "../../ui/field.ts";
import { MakeButton } from "../../ui/list-page.tsx";
import { blankOf } from "../../ui/noun-form.ts";
import { useNoun } from "../../ui/use-noun.ts";
import { useLanguage, useWords } from "../../words/language.tsx";
import { dayAgo } from "../../words/stamps.ts";
import { newCampaignTexts } from "./texts.ts";

type Wanted = Parameters<"campaigns.create">;

export function NewCampaign() {
  const words = useWords(newCampaignTexts);
  const { language } = useLanguage();
  const { exchange } = useSession();
  const [, go] = useLocation();
  const isEmpty = useRef(false);
  const made = useRef<number>(undefined);
  const begin = useAction(
    "campaigns.create",
    (draft: Draft) => {
      const wanted = draft as Wanted; // the form has its fields
      isEmpty.current = wanted.numbers.trim() === "";
      return wanted;
    },
    {
      says: words.begun,
      hear({ said }) {
        made.current = isEmpty.current ? Number(said) : undefined;
      },
    },
  );
  const today = dayAgo(0, exchange.timeZone);
  const blank: Draft = {
    ...blankOf(campaign),
    numbers: "",
    language: languageFor(language),
    dateBegin: today,
    dateEnd: today,
    timeBegin: "09:00",
    timeEnd: "18:00",
    days: [1, 2, 3, 4, 5],
    keys: { "1": "" },
    keyRetries: 1,
  };
  const closed = () => {
    if (made.current !== undefined) go(numbersFor(made.current));
  };
  return <MakeButton fields={useFields()} make={{ ...begin, title: words.make, blank, closed }} />;
}

/** Where its numbers come in from a file. */
export const numbersFor = (campaignId: number) => `/imports?kind=campaign&campaign=${campaignId}`;

const isQueue = ({ kind }: Draft) => kind === "queue";
const isCommercial = ({ commercial }: Draft) => commercial === true;

function useFields(): Record<string, Field> {
  const words = useWords(newCampaignTexts);
  const { name, kind, queue, recipientType, brandCode, perAgent, abandonedPercent, ...others } = useNoun(campaign);
  const queues = useAsk("queues.list", {});
  const called = queues.data?.map(({ number, name }): [string, string] => [number, `${number} ${name}`.trim()]) ?? [];
  const overview = useAsk("sms.overview", {});
  const brands = overview.data?.titles.flatMap(({ name, iysBrandCode }): [string, string][] =>
    iysBrandCode === null ? [] : [[String(iysBrandCode), `${iysBrandCode} · ${name}`]],
  );
  return {
    name,
    kind,
    queue: { ...queue, is: "choice", options: called, when: isQueue },
    numbers: { is: "area", label: words.numbers, longest: 4_000_000, about: words.numbersAbout },
    ...others,
    recipientType: { ...recipientType, when: isCommercial },
    // Several titles may belong to one brand.
    brandCode: { ...brandCode, is: "choice", options: [...new Map(brands)], when: isCommercial },
    perAgent: { ...perAgent, when: isQueue },
    abandonedPercent: { ...abandonedPercent, when: isQueue },
  };
}
