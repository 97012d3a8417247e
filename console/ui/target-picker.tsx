// Where a call goes: first what kind of place, then which one. What comes out is the target's written form.

import { Group, Input, Select, TextInput } from "@mantine/core";
import { useId } from "react";
import { mayStandIn, type Place, type Target } from "../../src/exchange/plan/target.ts";
import { languageFor } from "../../src/speech/language.ts";
import { type Choice, numberedChoices } from "../ask/choices.ts";
import { useAsk } from "../ask/use-ask.ts";
import { type Both, useLanguage } from "../words/language.tsx";

type Kind = keyof typeof kinds;

const kinds = {
  user: { tr: "Dahili", en: "Extension" },
  queue: { tr: "Kuyruk", en: "Queue" },
  group: { tr: "Çağrı grubu", en: "Ring group" },
  ivr: { tr: "Menü", en: "Menu" },
  voicemail: { tr: "Sesli mesaj", en: "Voicemail" },
  external: { tr: "Dış numara", en: "Outside number" },
  announcement: { tr: "Anons", en: "Announcement" },
  tts: { tr: "Seslendirme", en: "Speech" },
  fax: { tr: "Faks", en: "Fax" },
  programmed: { tr: "Çağrı programlama", en: "Call programming" },
  hangup: { tr: "Kapat", en: "Hang up" },
  restart: { tr: "Menüyü yinele", en: "Repeat the menu" },
  optout: { tr: "Bir daha arama", en: "Never call again" },
} satisfies Record<Target["to"], Both>;

/** Kinds whose rest is a list to choose from. */
const listed: readonly Kind[] = ["user", "queue", "group", "ivr", "voicemail", "announcement", "hangup"];
const alone: readonly Kind[] = ["fax", "programmed", "restart", "optout"];

export function splitTarget(target: string): { kind: Kind | undefined; rest: string } {
  const slash = target.indexOf("/");
  const kind = slash < 0 ? target : target.slice(0, slash);
  return { kind: kind in kinds ? (kind as Kind) : undefined, rest: slash < 0 ? "" : target.slice(slash + 1) };
}

export function TargetPicker({
  label,
  about,
  error,
  value,
  change,
  orNothing,
  place,
}: {
  label: string;
  about?: string;
  error?: string;
  value: string;
  change(target: string | null): void;
  orNothing: boolean;
  /** Decides, by the exchange's own table, which kinds make sense. */
  place: Place;
}) {
  const { language } = useLanguage();
  const id = useId();
  const { kind, rest } = splitTarget(value);
  const choose = (next: string | null) => {
    if (next === null) return change(null);
    if (alone.includes(next as Kind)) return change(next);
    change(next === "hangup" ? "hangup/hangup" : next === "tts" ? `tts/${languageFor(language)}/` : `${next}/`);
  };
  const options = Object.entries(kinds)
    .filter(([kind]) => mayStandIn(place, { to: kind } as Target)) // only its kind is looked at
    .map(([value, both]) => ({ value, label: both[language] }));
  return (
    <Input.Wrapper label={label} description={about} error={error} labelElement="div" id={id}>
      <Group gap="xs" grow wrap="nowrap" mt={4} role="group" aria-label={label}>
        <Select
          aria-label={label}
          data={options}
          value={kind ?? null}
          onChange={choose}
          clearable={orNothing}
          allowDeselect={false}
          error={error !== undefined}
          maxDropdownHeight={320}
        />
        {kind && !alone.includes(kind) && <Rest label={label} kind={kind} rest={rest} change={change} />}
      </Group>
    </Input.Wrapper>
  );
}

function Rest({
  label,
  kind,
  rest,
  change,
}: {
  label: string;
  kind: Kind;
  rest: string;
  change(target: string): void;
}) {
  const { language } = useLanguage();
  const options = usePlaces(kind);
  const name = `${label}: ${kinds[kind][language]}`;
  if (listed.includes(kind))
    return (
      <Select
        aria-label={name}
        searchable
        data={options}
        value={rest || null}
        allowDeselect={false}
        onChange={(next) => change(`${kind}/${next ?? ""}`)}
      />
    );
  const prefix = kind === "tts" ? rest.slice(0, rest.indexOf("/") + 1) || `${languageFor(language)}/` : "";
  return (
    <TextInput
      aria-label={name}
      value={rest.slice(prefix.length)}
      onChange={(event) => change(`${kind}/${prefix}${event.currentTarget.value}`)}
    />
  );
}

const hangups = { hangup: { tr: "Normal", en: "Normally" }, busy: { tr: "Meşgul", en: "With busy" } };

function usePlaces(kind: Kind): Choice[] {
  const { language } = useLanguage();
  const wants = (...names: Kind[]) => (names.includes(kind) ? {} : undefined);
  const extensions = useAsk("extensions.list", wants("user", "voicemail"));
  const queues = useAsk("queues.list", wants("queue"));
  const groups = useAsk("groups.list", wants("group"));
  const menus = useAsk("menus.list", wants("ivr"));
  const sounds = useAsk("sounds.list", wants("announcement"));
  const lists: Partial<Record<Kind, Choice[]>> = {
    user: numberedChoices(extensions.data),
    voicemail: numberedChoices(extensions.data),
    queue: numberedChoices(queues.data),
    group: numberedChoices(groups.data),
    ivr: numberedChoices(menus.data),
    announcement: sounds.data?.map(({ id, name }) => ({ value: String(id), label: name })) ?? [],
    hangup: Object.entries(hangups).map(([value, both]) => ({ value, label: both[language] })),
  };
  return lists[kind] ?? [];
}

/** A target in words, for lists: `queue/200` becomes “Queue 200”. */
export function useTargetWords(): (target: string | null) => string {
  const { language } = useLanguage();
  return (target) => {
    if (!target) return "—";
    const { kind, rest } = splitTarget(target);
    if (!kind) return target;
    if (kind === "hangup")
      return `${kinds.hangup[language]} (${hangups[rest === "busy" ? "busy" : "hangup"][language]})`;
    return `${kinds[kind][language]} ${rest}`.trim();
  };
}
