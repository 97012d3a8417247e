// Where a call goes: first what kind of place, then which one. What comes out is the target's written form.

import { Group, Input, Select, TextInput } from "@mantine/core";
import { useId } from "react";
import {
  aboutTarget,
  mayStandIn,
  type Place,
  parseTarget,
  printTarget,
  type TargetKind,
  targetKinds,
} from "../../src/exchange/plan/target.ts";
import { languageFor } from "../../src/speech/language.ts";
import { splitTarget, targetChoices, targetInWords, targetKindInWords } from "../../src/words/targets.ts";
import { type Choice, numberedChoices } from "../ask/choices.ts";
import { useAsk, useNamed } from "../ask/use-ask.ts";
import { type Language, useLanguage } from "../words/language.tsx";
import { NewSound } from "./new-sound.tsx";

/** Kinds whose rest is chosen from a list. */
const isListed = (kind: TargetKind) => {
  const { names, choices } = aboutTarget(kind);
  return (names ?? choices) !== undefined;
};

/** As it is written without a rest, where it needs none. */
function bare(kind: TargetKind): string | undefined {
  const target = parseTarget(kind);
  return "to" in target ? printTarget(target) : undefined;
}

/** What choosing a kind writes first: all of it, where it needs nothing more. */
function firstOf(kind: TargetKind, language: Language): string {
  return kind === "tts" ? `tts/${languageFor(language)}/` : (bare(kind) ?? `${kind}/`);
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
  const choose = (next: TargetKind | null) => change(next && firstOf(next, language));
  const options = targetKinds()
    .filter((to) => mayStandIn(place, { to }))
    .map((value) => ({ value, label: targetKindInWords(value, language) }));
  return (
    <Input.Wrapper label={label} description={about} error={error} labelElement="div" id={id}>
      <Group gap="xs" grow wrap="nowrap" mt={4} role="group" aria-label={label}>
        <Select
          aria-label={label}
          data={options}
          value={kind ?? null}
          onChange={(next) => choose(next as TargetKind | null)} // one of the options
          clearable={orNothing}
          allowDeselect={false}
          error={error !== undefined}
          maxDropdownHeight={320}
        />
        {kind && bare(kind) !== kind && <Rest label={label} kind={kind} rest={rest} change={change} />}
      </Group>
      {kind && aboutTarget(kind).names === "sound" && (
        <Group justify="flex-end" mt={4}>
          <NewSound forWhat={label} made={(id) => change(`${kind}/${id}`)} />
        </Group>
      )}
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
  kind: TargetKind;
  rest: string;
  change(target: string): void;
}) {
  const { language } = useLanguage();
  const options = usePlaces(kind);
  const name = `${label}: ${targetKindInWords(kind, language)}`;
  if (isListed(kind))
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

function usePlaces(kind: TargetKind): Choice[] {
  const { language } = useLanguage();
  const { names } = aboutTarget(kind);
  const wants = (noun: typeof names) => (names === noun ? {} : undefined);
  const extensions = useAsk("extensions.list", wants("extension"));
  const queues = useAsk("queues.list", wants("queue"));
  const groups = useAsk("groups.list", wants("group"));
  const menus = useAsk("menus.list", wants("menu"));
  const sounds = useNamed("sounds.list", wants("sound"));
  if (names === undefined) return targetChoices(kind, language);
  const lists = {
    extension: numberedChoices(extensions.data),
    queue: numberedChoices(queues.data),
    group: numberedChoices(groups.data),
    menu: numberedChoices(menus.data),
    sound: sounds.data?.map(({ id, name }) => ({ value: String(id), label: name })) ?? [],
  };
  return lists[names];
}

/** A target in words, for lists: `queue/200` becomes “Queue 200”. */
export function useTargetWords(): (target: string | null) => string {
  const { language } = useLanguage();
  return (target) => (target ? targetInWords(target, language) : "—");
}
