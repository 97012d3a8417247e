// One field of a form, by its kind.

import {
  Chip,
  FileInput,
  Group,
  Input,
  MultiSelect,
  NumberInput,
  Select,
  Switch,
  TagsInput,
  Textarea,
  TextInput,
} from "@mantine/core";
import type { ReactNode } from "react";
import { weekdays } from "../../src/words/week.ts";
import { useExtensionChoices, useQueueChoices } from "../ask/choices.ts";
import { useAsk, useNamed } from "../ask/use-ask.ts";
import { useLanguage } from "../words/language.tsx";
import type { Field, FieldKind } from "./field.ts";
import { KeysInput } from "./keys-input.tsx";
import { NewSound } from "./new-sound.tsx";
import { Password } from "./password.tsx";
import { TargetPicker } from "./target-picker.tsx";
import { passive } from "./texts.ts";
import { TimeInput } from "./time-input.tsx";
import { WeekInput } from "./week-input.tsx";

type InputProps<Kind extends FieldKind> = { field: Field & Kind; value: unknown; change(next: unknown): void };
type Inputs = { [Is in FieldKind["is"]]: (props: InputProps<Extract<FieldKind, { is: Is }>>) => ReactNode };

const textOf = (value: unknown) => (typeof value === "string" ? value : "");
const listOf = (value: unknown) => (Array.isArray(value) ? value.map(String) : []);
const about = ({ label, about, required, fixed, error }: Field) => ({
  label,
  description: about,
  required: required ?? false,
  disabled: fixed ?? false,
  error,
});

const inputs: Inputs = {
  text: ({ field, value, change }) => (
    <TextInput
      {...about(field)}
      maxLength={field.longest ?? 255}
      placeholder={field.placeholder}
      value={textOf(value)}
      onChange={(event) => change(event.currentTarget.value)}
    />
  ),
  digits: ({ field, value, change }) => (
    <TextInput
      {...about(field)}
      inputMode="numeric"
      maxLength={field.longest ?? 32}
      value={textOf(value)}
      onChange={(event) => change(event.currentTarget.value.replace(/\D/g, ""))}
    />
  ),
  area: ({ field, value, change }) => (
    <Textarea
      {...about(field)}
      autosize
      minRows={3}
      maxRows={10}
      maxLength={field.longest ?? 1_000}
      value={textOf(value)}
      onChange={(event) => change(event.currentTarget.value)}
    />
  ),
  secret: ({ field, value, change }) => (
    <Password
      {...about(field)}
      autoComplete="new-password"
      value={textOf(value)}
      onChange={(event) => change(event.currentTarget.value)}
    />
  ),
  email: ({ field, value, change }) => (
    <TextInput
      {...about(field)}
      type="email"
      value={textOf(value)}
      onChange={(event) => change(event.currentTarget.value)}
    />
  ),
  whole: ({ field, value, change }) => (
    <NumberInput
      {...about(field)}
      min={field.least}
      max={field.most}
      allowDecimal={false}
      hideControls
      value={typeof value === "number" ? value : ""}
      onChange={(next) => change(typeof next === "number" ? next : field.orNothing ? null : value)}
    />
  ),
  switch: ({ field, value, change }) => (
    <Switch
      label={field.label}
      description={field.about}
      disabled={field.fixed ?? false}
      checked={value === true}
      onChange={(event) => change(event.currentTarget.checked)}
    />
  ),
  choice: ({ field, value, change }) => (
    <Select
      {...about(field)}
      data={field.options.map(([value, label]) => ({ value, label }))}
      value={textOf(value) || null}
      onChange={change}
      clearable={field.orNothing ?? false}
      allowDeselect={field.orNothing ?? false}
      checkIconPosition="right"
    />
  ),
  several: ({ field, value, change }) => (
    <MultiSelect
      {...about(field)}
      data={[...field.among]}
      value={listOf(value)}
      onChange={(next) => change(next.length === 0 && field.orNothing ? null : next)}
    />
  ),
  target: ({ field, value, change }) => (
    <TargetPicker
      label={field.label}
      about={field.about}
      error={field.error}
      place={field.place ?? "inbound"}
      orNothing={field.orNothing ?? false}
      value={textOf(value)}
      change={change}
    />
  ),
  keys: ({ field, value, change }) => (
    <KeysInput
      {...{ label: field.label, about: field.about, error: field.error, place: field.place, change }}
      value={(value ?? {}) as Record<string, string>} // the form began with one
    />
  ),
  sound: (props) => <SoundInput {...props} />,
  "own-number": (props) => <OwnNumberInput {...props} />,
  trunk: (props) => <TrunkInput {...props} />,
  form: (props) => <FormInput {...props} />,
  extension: (props) => <ExtensionInput {...props} />,
  members: (props) => <MembersInput {...props} />,
  queues: (props) => <QueuesInput {...props} />,
  time: ({ field, value, change }) => (
    <TimeInput
      {...about(field)}
      value={textOf(value)}
      change={(next) => change(next || (field.orNothing ? null : value))}
    />
  ),
  day: ({ field, value, change }) => (
    <TextInput
      {...about(field)}
      type="date"
      value={textOf(value)}
      onChange={(event) => change(event.currentTarget.value)}
    />
  ),
  days: (props) => <DaysInput {...props} />,
  week: ({ field, value, change }) => (
    <WeekInput
      {...{ label: field.label, about: field.about, error: field.error, change, orNothing: field.orNothing ?? false }}
      value={Array.isArray(value) ? value.map(String) : field.orNothing ? null : []}
    />
  ),
  file: ({ field, value, change }) => (
    <FileInput {...about(field)} accept={field.accept} value={value instanceof File ? value : null} onChange={change} />
  ),
  words: ({ field, value, change }) => <TagsInput {...about(field)} value={listOf(value)} onChange={change} />,
};

export function FieldInput(props: { field: Field; value: unknown; change(next: unknown): void }) {
  // The input is chosen by the very field that its properties narrow on.
  const Show = inputs[props.field.is] as (props: {
    field: Field;
    value: unknown;
    change(next: unknown): void;
  }) => ReactNode;
  return Show(props);
}

function SoundInput({ field, value, change }: InputProps<{ is: "sound" }>) {
  const sounds = useNamed("sounds.list", {});
  return (
    <Group gap="xs" wrap="nowrap" align="flex-end">
      <Select
        {...about(field)}
        flex={1}
        miw={0}
        clearable
        searchable
        data={sounds.data?.map(({ id, name }) => ({ value: String(id), label: name })) ?? []}
        value={typeof value === "number" ? String(value) : null}
        onChange={(next) => change(next === null ? null : Number(next))}
      />
      <NewSound forWhat={field.label} made={change} />
    </Group>
  );
}

function OwnNumberInput({ field, value, change }: InputProps<{ is: "own-number" }>) {
  const numbers = useAsk("numbers.list", {});
  const data = numbers.data?.map(({ number, description }) => ({
    value: number,
    label: description ? `${number} · ${description}` : number,
  }));
  return (
    <Select {...about(field)} clearable searchable data={data ?? []} value={textOf(value) || null} onChange={change} />
  );
}

function TrunkInput({ field, value, change }: InputProps<{ is: "trunk" }>) {
  const trunks = useAsk("trunks.list", {});
  return (
    <Select
      {...about(field)}
      clearable
      data={trunks.data?.map(({ name }) => name) ?? []}
      value={textOf(value) || null}
      onChange={change}
    />
  );
}

/** One that is passive can stay chosen, and is marked. */
function FormInput({ field, value, change }: InputProps<{ is: "form" }>) {
  const { language } = useLanguage();
  const forms = useNamed("forms.list", {});
  const data = forms.data?.map(({ name, active }) => ({
    value: name,
    label: active ? name : `${name} (${passive[language]})`,
  }));
  return <Select {...about(field)} clearable data={data ?? []} value={textOf(value) || null} onChange={change} />;
}

function ExtensionInput({ field, value, change }: InputProps<{ is: "extension"; orNothing?: boolean }>) {
  return (
    <Select
      {...about(field)}
      clearable={field.orNothing ?? false}
      searchable
      data={useExtensionChoices()}
      value={textOf(value) || null}
      onChange={change}
    />
  );
}

/** In the order in which they were chosen: it is the order in which they are rung. */
function MembersInput({ field, value, change }: InputProps<{ is: "members"; outside?: boolean }>) {
  const extensions = useExtensionChoices();
  const members = { ...about(field), value: listOf(value), onChange: change };
  if (field.outside) return <TagsInput {...members} data={extensions.map(({ value }) => value)} />;
  return <MultiSelect {...members} searchable data={extensions} />;
}

function QueuesInput({ field, value, change }: InputProps<{ is: "queues" }>) {
  return <MultiSelect {...about(field)} searchable data={useQueueChoices()} value={listOf(value)} onChange={change} />;
}

function DaysInput({ field, value, change }: InputProps<{ is: "days" }>) {
  const { language } = useLanguage();
  const chosen = listOf(value);
  return (
    <Input.Wrapper label={field.label} description={field.about} labelElement="div">
      <Chip.Group multiple value={chosen} onChange={(next) => change(next.map(Number).sort())}>
        <Group gap={6} mt={6}>
          {weekdays[language].map((name, index) => (
            <Chip key={name} value={String(index + 1)} size="sm">
              {name}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
    </Input.Wrapper>
  );
}
