// One field of a form about a call, as it is filled in.

import { Checkbox, Group, Select, Textarea, TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import { type FormField, LONGEST_ANSWER } from "../../../src/forms/definition.ts";
import { yesNo } from "../../../src/words/form-words.ts";
import { useLanguage } from "../../words/language.tsx";

type Props = { field: FormField; value: unknown; error: string | undefined; change(next: unknown): void };

const textOf = (value: unknown) => (typeof value === "string" || typeof value === "number" ? String(value) : "");
const about = ({ field: { label, help, required }, error }: Props) => ({
  label,
  description: help || undefined,
  withAsterisk: required,
  error,
});

const typed = (
  props: Props,
  more: { type?: string; inputMode?: "decimal"; maxLength?: number; min?: string; max?: string },
) => (
  <TextInput
    {...about(props)}
    {...more}
    value={textOf(props.value)}
    onChange={(event) => props.change(event.currentTarget.value)}
  />
);

const inputs: Record<FormField["is"], (props: Props) => ReactNode> = {
  "short-text": (props) => typed(props, { maxLength: props.field.most ?? LONGEST_ANSWER["short-text"] }),
  "long-text": (props) => (
    <Textarea
      {...about(props)}
      autosize
      minRows={3}
      maxRows={12}
      maxLength={props.field.most ?? LONGEST_ANSWER["long-text"]}
      value={textOf(props.value)}
      onChange={(event) => props.change(event.currentTarget.value)}
    />
  ),
  number: (props) => typed(props, { inputMode: "decimal", maxLength: 24 }),
  date: (props) => {
    const { earliest, latest } = props.field;
    return typed(props, { type: "date", ...(earliest && { min: earliest }), ...(latest && { max: latest }) });
  },
  phone: (props) => typed(props, { type: "tel", maxLength: 40 }),
  "one-of": (props) => (
    <Select
      {...about(props)}
      clearable
      searchable
      data={[...props.field.choices]}
      value={textOf(props.value) || null}
      onChange={props.change}
    />
  ),
  "several-of": (props) => (
    <Checkbox.Group
      {...about(props)}
      value={Array.isArray(props.value) ? props.value.map(String) : []}
      onChange={props.change}
    >
      <Group gap="sm" mt={6}>
        {props.field.choices.map((choice) => (
          <Checkbox key={choice} value={choice} label={choice} />
        ))}
      </Group>
    </Checkbox.Group>
  ),
  "yes-no": (props) => <YesNoInput {...props} />,
};

export function AnswerInput(props: Props) {
  return inputs[props.field.is](props);
}

function YesNoInput(props: Props) {
  const { language } = useLanguage();
  const { yes, no } = yesNo[language];
  const shown = typeof props.value === "boolean" ? String(props.value) : null;
  return (
    <Select
      {...about(props)}
      clearable
      data={[
        { value: "true", label: yes },
        { value: "false", label: no },
      ]}
      value={shown}
      onChange={(next) => props.change(next === null ? undefined : next === "true")}
    />
  );
}
