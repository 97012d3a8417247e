// A form in a drawer, described by its fields: every page that makes or changes something uses this one.

import { Accordion, Button, Drawer, Group, Stack } from "@mantine/core";
import { type FormEvent, type ReactNode, useState } from "react";
import type { Action } from "../ask/use-action.ts";
import { useLanguage, useWords } from "../words/language.tsx";
import { submitWords } from "../words/submits.ts";
import { general } from "../words/texts.ts";
import { DoButton } from "./buttons.tsx";
import { changesBetween, type Draft, type Field } from "./field.ts";
import { FieldInput } from "./field-input.tsx";

export type Aside = (form: { draft: Draft; fill(name: string, value: unknown): void }) => ReactNode;

type Named = [name: string, field: Field];

export function Editor({
  title,
  fields,
  value,
  action: { does, isBusy, act },
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
  const words = useWords(general);
  const { language } = useLanguage();
  const [draft, setDraft] = useState<Draft>(value);
  const [isChecked, check] = useState(false);
  const change = (name: string, next: unknown) => setDraft((before) => ({ ...before, [name]: next }));
  const shown = Object.entries(fields).filter(([, { when }]) => !when || when(draft));
  const isMissing = ([name, field]: Named) => isChecked && isUnfilled(field, draft[name]);
  const input = ([name, field]: Named) => (
    <FieldInput
      key={name}
      field={isMissing([name, field]) ? { ...field, error: words.needed } : field}
      value={draft[name]}
      change={(next) => change(name, next)}
    />
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    check(true);
    if (shown.some(([name, field]) => isUnfilled(field, draft[name]))) return;
    void act(draft, changesBetween(value, draft)).then((done) => done !== undefined && close());
  };
  return (
    <Drawer
      opened
      onClose={close}
      title={title}
      position="right"
      size="md"
      closeButtonProps={{ "aria-label": words.close }}
      styles={{ title: { fontWeight: 650, fontSize: 18 } }}
    >
      <form onSubmit={submit}>
        <Stack gap="sm">
          {shown.filter(([, { under }]) => under === undefined).map(input)}
          <Folded fields={shown} input={input} />
          <Group justify={aside ? "space-between" : "flex-end"} mt="md">
            {typeof aside === "function" ? aside({ draft, fill: change }) : aside}
            <Group gap="sm">
              <Button variant="default" onClick={close}>
                {words.cancel}
              </Button>
              <DoButton does={does} act={() => undefined} type="submit" loading={isBusy}>
                {submitWords(does, general.save)[language]}
              </DoButton>
            </Group>
          </Group>
        </Stack>
      </form>
    </Drawer>
  );
}

function Folded({ fields, input }: { fields: Named[]; input(field: Named): ReactNode }) {
  const headings = [...new Set(fields.flatMap(([, { under }]) => under ?? []))];
  if (headings.length === 0) return null;
  return (
    <Accordion multiple variant="separated" chevronPosition="left">
      {headings.map((heading) => (
        <Accordion.Item key={heading} value={heading}>
          <Accordion.Control>{heading}</Accordion.Control>
          <Accordion.Panel>
            <Stack gap="sm">{fields.filter(([, { under }]) => under === heading).map(input)}</Stack>
          </Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  );
}

/** The browser watches over what is typed; what is chosen from a list it takes for filled in. */
function isUnfilled(field: Field, value: unknown): boolean {
  const isOpen = (target: unknown) => !target || String(target).endsWith("/");
  if (field.is === "target") return !field.orNothing && isOpen(value);
  if (field.is === "keys") return Object.values(value ?? {}).some(isOpen);
  return (field.required ?? false) && (field.is === "choice" || field.is === "file") && !value;
}
