// Where a call goes: first what kind of place, then which one. What comes out is the target's written form.

import { Group, Input, Select, TextInput } from "@mantine/core";
import { useId } from "react";
import { mayStandIn, type Place, type Target } from "../../src/exchange/plan/target.ts";
import { hangups, splitTarget, type TargetKind, targetInWords, targetKinds } from "../../src/words/targets.ts";
import { type Choice, numberedChoices } from "../ask/choices.ts";
import { useAsk } from "../ask/use-ask.ts";
import { useLanguage } from "../words/language.tsx";
import { spokenIn } from "../words/spoken.ts";

/** Kinds whose rest is a list to choose from. */
const listed: readonly TargetKind[] = ["user", "queue", "group", "ivr", "voicemail", "announcement", "hangup"];
const alone: readonly TargetKind[] = ["fax", "programmed", "restart", "optout"];

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
    if (alone.includes(next as TargetKind)) return change(next);
    change(next === "hangup" ? "hangup/hangup" : next === "tts" ? `tts/${spokenIn[language]}/` : `${next}/`);
  };
  const options = Object.entries(targetKinds)
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
  kind: TargetKind;
  rest: string;
  change(target: string): void;
}) {
  const { language } = useLanguage();
  const options = usePlaces(kind);
  const name = `${label}: ${targetKinds[kind][language]}`;
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
  const prefix = kind === "tts" ? rest.slice(0, rest.indexOf("/") + 1) || `${spokenIn[language]}/` : "";
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
  const wants = (...names: TargetKind[]) => (names.includes(kind) ? {} : undefined);
  const extensions = useAsk("extensions.list", wants("user", "voicemail"));
  const queues = useAsk("queues.list", wants("queue"));
  const groups = useAsk("groups.list", wants("group"));
  const menus = useAsk("menus.list", wants("ivr"));
  const sounds = useAsk("sounds.list", wants("announcement"));
  const lists: Partial<Record<TargetKind, Choice[]>> = {
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
  return (target) => (target ? targetInWords(target, language) : "—");
}
