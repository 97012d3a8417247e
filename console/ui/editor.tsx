// A form in a drawer, described by its fields: every page that makes or changes something uses this one.

import { Accordion, Group, Stack } from "@mantine/core";
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";
import type { Action } from "../ask/use-action.ts";
import { useLanguage } from "../words/language.tsx";
import { submitWords } from "../words/submits.ts";
import { general } from "../words/texts.ts";
import { DoButton } from "./buttons.tsx";
import { changesBetween, type Draft, type Field } from "./field.ts";
import { FieldInput } from "./field-input.tsx";
import { CancelButton, FormDrawer } from "./form-drawer.tsx";
import { type Faults, faultsIn, refusedFields } from "./form-faults.ts";
import { HelpLink } from "./help.tsx";
import { Unsaved } from "./unsaved.ts";

export type Aside = (form: { draft: Draft; fill(name: string, value: unknown): void }) => ReactNode;

type Named = [name: string, field: Field];

export function Editor({
  title,
  fields,
  value,
  action: { does, isBusy, act, fault },
  close,
  aside,
}: {
  title: string;
  fields: Record<string, Field>;
  value: Draft;
  /** Gets the whole draft and what of it was changed; done, it closes the form. */
  action: Action<[draft: Draft, changes: Draft]>;
  close(): void;
  /** Stands at the foot, away from the buttons that end the form; it may look at what is filled in, and fill in more. */
  aside?: ReactNode | Aside;
}) {
  const { language } = useLanguage();
  const [draft, setDraft] = useState<Draft>(value);
  const [isChecked, check] = useState(false);
  const [mended, mend] = useState<readonly string[]>([]);
  const form = useRef<HTMLFormElement>(null);
  const change = (name: string, next: unknown) => {
    setDraft((before) => ({ ...before, [name]: next }));
    mend((before) => [...before, name]);
  };
  const isDirty = Object.keys(changesBetween(value, draft)).length > 0;
  const shown = Object.entries(fields).filter(([, { when }]) => !when || when(draft));
  const refused = isChecked ? refusedFields(fault, fields, language) : {};
  for (const name of mended) delete refused[name];
  const faults: Faults = isChecked ? { ...refused, ...faultsIn(Object.fromEntries(shown), draft, language) } : {};
  const wrong = Object.keys(faults).join(" ");
  // Whoever cannot see the form is brought to what is wrong with it.
  useEffect(() => {
    if (wrong !== "") form.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-error="true"]')?.focus();
  }, [wrong]);
  const input = ([name, field]: Named) => (
    <FieldInput
      key={name}
      field={faults[name] === undefined ? field : { ...field, error: faults[name] }}
      value={draft[name]}
      change={(next) => change(name, next)}
    />
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    check(true);
    mend([]);
    if (Object.keys(faultsIn(Object.fromEntries(shown), draft, language)).length > 0) return;
    void act(draft, changesBetween(value, draft)).then((reply) => reply !== undefined && close());
  };
  return (
    <FormDrawer
      close={close}
      title={
        <Group gap={4} wrap="nowrap">
          {title}
          <HelpLink />
        </Group>
      }
    >
      <Unsaved when={isDirty} />
      <form ref={form} noValidate onSubmit={submit}>
        <Stack gap="sm">
          {shown.filter(([, { under }]) => under === undefined).map(input)}
          <Sections fields={shown} input={input} wrong={Object.keys(faults)} />
          <Group justify={aside ? "space-between" : "flex-end"} mt="md">
            {typeof aside === "function" ? aside({ draft, fill: change }) : aside}
            <Group gap="sm">
              <CancelButton />
              <DoButton does={does} act={() => undefined} type="submit" loading={isBusy}>
                {submitWords(does, general.save)[language]}
              </DoButton>
            </Group>
          </Group>
        </Stack>
      </form>
    </FormDrawer>
  );
}

type SectionsProps = { fields: Named[]; wrong: readonly string[]; input(field: Named): ReactNode };

/** A heading under which something is wrong stays open. */
function Sections({ fields, wrong, input }: SectionsProps) {
  const headings = [...new Set(fields.flatMap(([, { under }]) => under ?? []))];
  // A heading has spaces, which the name of an element may not have.
  const named = (heading: string) => `section-${headings.indexOf(heading)}`;
  const [opened, open] = useState(() =>
    fields.flatMap(([, { under, open }]) => (under !== undefined && open ? [named(under)] : [])),
  );
  if (headings.length === 0) return null;
  const faulty = fields.flatMap(([name, { under }]) =>
    wrong.includes(name) && under !== undefined ? [named(under)] : [],
  );
  return (
    <Accordion
      multiple
      order={3}
      variant="separated"
      chevronPosition="left"
      value={[...new Set([...opened, ...faulty])]}
      onChange={open}
    >
      {headings.map((heading) => (
        <Accordion.Item key={heading} value={named(heading)}>
          <Accordion.Control>{heading}</Accordion.Control>
          <Accordion.Panel>
            <Stack gap="sm">{fields.filter(([, { under }]) => under === heading).map(input)}</Stack>
          </Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  );
}
