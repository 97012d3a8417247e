// A form in a drawer, described by its fields: every page that makes or changes something uses this one.

import { Button, Drawer, Group, Stack } from "@mantine/core";
import { type FormEvent, useState } from "react";
import type { OperationName } from "../ask/ask.ts";
import { useLanguage, useWords } from "../words/language.tsx";
import { general } from "../words/nouns.ts";
import { submitWords } from "../words/submits.ts";
import { DoButton } from "./buttons.tsx";
import { FieldInput } from "./field-input.tsx";

/** How a field is filled in. What is "or nothing" may be left empty and is then null. */
export type FieldKind =
  | { is: "text"; longest?: number; placeholder?: string }
  | { is: "area"; longest?: number }
  | { is: "secret" }
  | { is: "email" }
  | { is: "whole"; least: number; most: number; orNothing?: boolean }
  | { is: "switch" }
  | { is: "choice"; options: [value: string, label: string][]; orNothing?: boolean }
  | { is: "target"; inMenu?: boolean; orNothing?: boolean }
  | { is: "sound" }
  | { is: "own-number" }
  | { is: "trunk" }
  | { is: "extension"; orNothing?: boolean }
  | { is: "members"; outside?: boolean }
  | { is: "time"; orNothing?: boolean }
  | { is: "day" }
  | { is: "days" }
  | { is: "file"; accept: string }
  | { is: "words" };

export type Field = FieldKind & {
  label: string;
  about?: string;
  required?: boolean;
  /** Cannot be changed once it is made. */
  fixed?: boolean;
  /** Shown only while this holds. */
  when?: (draft: Draft) => boolean;
};

export type Draft = Record<string, unknown>;

export function Editor({
  title,
  fields,
  value,
  does,
  isBusy,
  save,
  close,
}: {
  title: string;
  fields: Record<string, Field>;
  value: Draft;
  does: OperationName;
  isBusy: boolean;
  /** Gets the whole draft and what of it was changed. */
  save(draft: Draft, changes: Draft): void;
  close(): void;
}) {
  const words = useWords(general);
  const { language } = useLanguage();
  const [draft, setDraft] = useState<Draft>(value);
  const change = (name: string, next: unknown) => setDraft((before) => ({ ...before, [name]: next }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save(draft, changesBetween(value, draft));
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
          {Object.entries(fields)
            .filter(([, { when }]) => !when || when(draft))
            .map(([name, field]) => (
              <FieldInput key={name} field={field} value={draft[name]} change={(next) => change(name, next)} />
            ))}
          <Group justify="flex-end" mt="md">
            <Button variant="default" onClick={close}>
              {words.cancel}
            </Button>
            <DoButton does={does} act={() => undefined} type="submit" loading={isBusy}>
              {submitWords(does, general.save)[language]}
            </DoButton>
          </Group>
        </Stack>
      </form>
    </Drawer>
  );
}

export function changesBetween(before: Draft, after: Draft): Draft {
  return Object.fromEntries(
    Object.entries(after).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name])),
  );
}
