// A new campaign: whom it calls, when, what it says and where the keys lead.

import { useSession } from "../../app/session.tsx";
import type { Parameters } from "../../ask/ask.ts";
import { useAsk, useDo } from "../../ask/use-ask.ts";
import type { Draft, Field } from "../../ui/editor.tsx";
import { MakeButton } from "../../ui/list-page.tsx";
import { inBoth, useLanguage, useWords } from "../../words/language.tsx";
import { general } from "../../words/nouns.ts";
import { spoken } from "../../words/spoken.ts";
import { dayAgo } from "../../words/stamps.ts";

const texts = inBoth({
  make: { tr: "Kampanya başlat", en: "Begin a campaign" },
  begun: { tr: "Kampanya başladı.", en: "The campaign has begun." },
  kind: { tr: "Tür", en: "Kind" },
  ivr: { tr: "Sesli menü: tuşlar karar verir", en: "Voice menu: keys decide" },
  toQueue: { tr: "Cevaplayanlar kuyruğa", en: "Whoever answers goes to a queue" },
  queue: { tr: "Kuyruk", en: "Queue" },
  numbers: { tr: "Numaralar", en: "Numbers" },
  numbersAbout: {
    tr: "Her satıra bir numara; yanına, virgül veya noktalı virgülle ayrılmış, ona söylenecek söz yazılabilir",
    en: "One a line; beside it, after a comma or semicolon, what is said to that person",
  },
  cli: { tr: "Görünen numara", en: "Number that is shown" },
  sound: { tr: "Karşılama anonsu", en: "Welcome (announcement)" },
  phrase: { tr: "Seslendirilecek söz", en: "What is said (spoken text)" },
  phraseAbout: { tr: "Listede kendi sözü olmayanlara", en: "To whoever has no words of their own in the list" },
  language: { tr: "Sözün dili", en: "Language of what is said" },
  dateBegin: { tr: "İlk gün", en: "First day" },
  dateEnd: { tr: "Son gün", en: "Last day" },
  timeBegin: { tr: "Şu saatten", en: "From" },
  timeEnd: { tr: "Şu saate kadar", en: "Until" },
  days: { tr: "Günler", en: "Days" },
  key1: { tr: "1 tuşu", en: "Key 1" },
  key2: { tr: "2 tuşu", en: "Key 2" },
  key9: { tr: "9 tuşu", en: "Key 9" },
  noKey: { tr: "Tuşa basılmazsa", en: "When no key is pressed" },
});

export function NewCampaign() {
  const words = useWords(texts);
  const { language } = useLanguage();
  const { exchange } = useSession();
  const create = useDo("campaigns.create", words.begun);
  const today = dayAgo(0, exchange.timeZone);
  const blank: Parameters<"campaigns.create"> = {
    ...{ name: "", kind: "ivr", queue: null, numbers: "", cli: null, sound: null, phrase: null },
    ...{ language: language === "tr" ? "tr-TR" : "en-US", dateBegin: today, dateEnd: today },
    ...{ timeBegin: "09:00", timeEnd: "18:00", days: [1, 2, 3, 4, 5] },
    ...{ key1: null, key2: null, key9: null, noKey: null },
  };
  return (
    <MakeButton
      fields={useFields()}
      make={{
        ...{ does: "campaigns.create", title: words.make, blank, isBusy: create.isBusy },
        act: (draft) => create(draft as Parameters<"campaigns.create">), // the form has its fields
      }}
    />
  );
}

function useFields(): Record<string, Field> {
  const words = useWords(texts);
  const { name } = useWords(general);
  const queues = useAsk("queues.list", {});
  const key = (label: string): Field => ({ is: "target", label, inMenu: true, orNothing: true });
  const kinds: [string, string][] = [
    ["ivr", words.ivr],
    ["queue", words.toQueue],
  ];
  const called = queues.data?.map(({ number, name }): [string, string] => [number, `${number} ${name}`.trim()]) ?? [];
  return {
    name: { is: "text", label: name, required: true },
    kind: { is: "choice", label: words.kind, options: kinds },
    queue: { is: "choice", label: words.queue, options: called, when: ({ kind }: Draft) => kind === "queue" },
    numbers: { is: "area", label: words.numbers, longest: 4_000_000, about: words.numbersAbout, required: true },
    cli: { is: "own-number", label: words.cli },
    sound: { is: "sound", label: words.sound },
    phrase: { is: "area", label: words.phrase, about: words.phraseAbout },
    language: { is: "choice", label: words.language, options: spoken },
    dateBegin: { is: "day", label: words.dateBegin, required: true },
    dateEnd: { is: "day", label: words.dateEnd, required: true },
    timeBegin: { is: "time", label: words.timeBegin, required: true },
    timeEnd: { is: "time", label: words.timeEnd, required: true },
    days: { is: "days", label: words.days },
    key1: key(words.key1),
    key2: key(words.key2),
    key9: key(words.key9),
    noKey: key(words.noKey),
  };
}
