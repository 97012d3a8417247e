// One field of a form about a call, in the width of the phone.

import type { JSX } from "preact";
import { type FormField, LONGEST_ANSWER } from "../../../src/forms/definition.ts";
import { yesNo } from "../../../src/words/form-words.ts";
import { useShown } from "./shown.ts";

type Props = {
  field: FormField;
  id: string;
  value: unknown;
  trouble: string | undefined;
  change(value: unknown): void;
};

/** A list is a group of boxes, whose name stands in its legend; everything else has a label. */
export function AnswerInput(props: Props): JSX.Element {
  const { field, id, trouble } = props;
  const name = (
    <>
      {field.label}
      {field.required && <b aria-hidden="true"> *</b>}
    </>
  );
  const notes = (
    <>
      {field.help !== "" && <small id={`${id}-help`}>{field.help}</small>}
      {trouble && (
        <small class="trouble" id={`${id}-trouble`}>
          {trouble}
        </small>
      )}
    </>
  );
  if (field.is === "several-of")
    return (
      <fieldset class="question" aria-describedby={describedBy(props)}>
        <legend>{name}</legend>
        <Boxes {...props} />
        {notes}
      </fieldset>
    );
  return (
    <div class="question">
      <label for={id}>{name}</label>
      <One {...props} />
      {notes}
    </div>
  );
}

function describedBy({ field, id, trouble }: Props): string | undefined {
  const ids = [field.help !== "" && `${id}-help`, trouble && `${id}-trouble`].filter(Boolean);
  return ids.length > 0 ? ids.join(" ") : undefined;
}

const textOf = (value: unknown) => (typeof value === "string" || typeof value === "number" ? String(value) : "");

const types: Partial<Record<FormField["is"], string>> = { date: "date", phone: "tel" };

function One(props: Props): JSX.Element {
  const { field, id, value, trouble, change } = props;
  const about = {
    id,
    "aria-invalid": trouble !== undefined,
    "aria-required": field.required,
    "aria-describedby": describedBy(props),
  };
  if (field.is === "one-of" || field.is === "yes-no") return <List {...props} about={about} />;
  if (field.is === "long-text")
    return (
      <textarea
        {...about}
        rows={3}
        maxLength={field.most ?? LONGEST_ANSWER["long-text"]}
        value={textOf(value)}
        onInput={({ currentTarget }) => change(currentTarget.value)}
      />
    );
  return (
    <input
      {...about}
      type={types[field.is] ?? "text"}
      inputMode={field.is === "number" ? "decimal" : undefined}
      autocomplete="off"
      maxLength={field.is === "short-text" ? (field.most ?? LONGEST_ANSWER["short-text"]) : 40}
      min={field.earliest ?? undefined}
      max={field.latest ?? undefined}
      value={textOf(value)}
      onInput={({ currentTarget }) => change(currentTarget.value)}
    />
  );
}

function List({ field, value, change, about }: Props & { about: object }): JSX.Element {
  const { state, words } = useShown();
  const { yes, no } = yesNo[state.choices.language];
  const isYesNo = field.is === "yes-no";
  const choices = isYesNo
    ? [
        ["true", yes],
        ["false", no],
      ]
    : field.choices.map((choice) => [choice, choice]);
  const read = (text: string) => (text === "" ? undefined : isYesNo ? text === "true" : text);
  return (
    <select
      {...about}
      value={value === undefined || value === null ? "" : String(value)}
      onChange={({ currentTarget }) => change(read(currentTarget.value))}
    >
      <option value="">{words.choose}</option>
      {choices.map(([choice, shown]) => (
        <option key={choice} value={choice}>
          {shown}
        </option>
      ))}
    </select>
  );
}

function Boxes({ field, value, trouble, change }: Props): JSX.Element {
  const chosen = new Set(Array.isArray(value) ? value.map(String) : []);
  const toggle = (choice: string, on: boolean) => {
    const next = new Set(chosen);
    if (on) next.add(choice);
    else next.delete(choice);
    change(field.choices.filter((it) => next.has(it)));
  };
  return (
    <div class="boxes">
      {field.choices.map((choice) => (
        <label key={choice}>
          <input
            type="checkbox"
            aria-invalid={trouble !== undefined}
            checked={chosen.has(choice)}
            onChange={({ currentTarget }) => toggle(choice, currentTarget.checked)}
          />
          <span>{choice}</span>
        </label>
      ))}
    </div>
  );
}
