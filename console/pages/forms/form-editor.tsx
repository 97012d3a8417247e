// One form in a drawer: its name, whether it is asked for, and its fields in order.

import { Alert, Button, Group, Stack, Switch, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import {
  blankField,
  type DefinitionProblem,
  definitionProblems,
  MOST_FIELDS,
  tidied,
  type WantedField,
} from "../../../src/forms/definition.ts";
import type { Reply } from "../../ask/ask.ts";
import { useSaving } from "../../ask/use-action.ts";
import { DoButton } from "../../ui/buttons.tsx";
import { changesBetween } from "../../ui/field.ts";
import { CancelButton, FormDrawer } from "../../ui/form-drawer.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Unsaved } from "../../ui/unsaved.ts";
import { useLanguage, useWords } from "../../words/language.tsx";
import { submitWords } from "../../words/submits.ts";
import { general } from "../../words/texts.ts";
import { FieldEditor } from "./field-editor.tsx";
import { texts } from "./texts.ts";

type Form = Reply<"forms.list">[number];
/** The key is this page's: a new field has no id yet. */
type Drafted = { key: number; field: WantedField };
type Draft = { name: string; active: boolean; fields: WantedField[] };

export function FormEditor({ form, close }: { form: Form | undefined; close(): void }) {
  const words = useWords(texts);
  const { language } = useLanguage();
  const [name, setName] = useState(form?.name ?? "");
  const [active, setActive] = useState(form?.active ?? true);
  const first = form?.fields ?? [blankField];
  const fields = useFields(first);
  const [problems, show] = useState<DefinitionProblem[]>([]);
  const { does, isBusy, act } = useFormAction(form);
  const before = { name: form?.name ?? "", active: form?.active ?? true, fields: first };
  const now = { name, active, fields: fields.all.map(({ field }) => field) };
  const isDirty = Object.keys(changesBetween(before, now)).length > 0;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const wanted = fields.all.map(({ field }) => tidied(field));
    const found = definitionProblems(wanted);
    show(found);
    if (found.length === 0) void act({ name, active, fields: wanted }).then((done) => done !== undefined && close());
  };
  return (
    <FormDrawer close={close} title={form?.name ?? words.add} size="lg">
      <Unsaved when={isDirty} />
      <form onSubmit={submit}>
        <Stack gap="sm">
          <TextInput
            label={words.name}
            required
            maxLength={120}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Switch label={words.active} checked={active} onChange={(event) => setActive(event.currentTarget.checked)} />
          {form && form.filled + form.owed > 0 && <Alert variant="light">{words.willBeNew}</Alert>}
          <FieldList fields={fields} problems={problems} />
          <Group justify="flex-end" mt="md">
            <CancelButton />
            <DoButton does={does} act={() => undefined} type="submit" loading={isBusy}>
              {submitWords(does, general.save)[language]}
            </DoButton>
          </Group>
        </Stack>
      </form>
    </FormDrawer>
  );
}

function FieldList({ fields, problems }: { fields: Fields; problems: readonly DefinitionProblem[] }) {
  const words = useWords(texts);
  return (
    <>
      {fields.all.map(({ key, field }, at) => (
        <FieldEditor
          key={key}
          at={at}
          isLast={at === fields.all.length - 1}
          field={field}
          problem={problems.find((problem) => problem.at === at)}
          change={(next) => fields.change(key, next)}
          move={(by) => fields.move(at, by)}
          remove={fields.all.length > 1 ? () => fields.remove(key) : undefined}
        />
      ))}
      <Button
        variant="light"
        leftSection={<Icon name="plus" />}
        disabled={fields.all.length >= MOST_FIELDS}
        onClick={fields.add}
      >
        {words.addField}
      </Button>
    </>
  );
}

type Fields = ReturnType<typeof useFields>;

function useFields(first: readonly WantedField[]) {
  const [all, set] = useState<Drafted[]>(() => first.map((field, key) => ({ key, field })));
  return {
    all,
    add: () => set([...all, { key: 1 + Math.max(-1, ...all.map(({ key }) => key)), field: blankField }]),
    change: (key: number, field: WantedField) => set(all.map((it) => (it.key === key ? { key, field } : it))),
    remove: (key: number) => set(all.filter((it) => it.key !== key)),
    move: (at: number, by: -1 | 1) => set(all.toSpliced(at, 1).toSpliced(at + by, 0, all[at]!)), // one of the list
  };
}

/** Readers of JSON want lists that may be written to. */
const sent = ({ fields, ...draft }: Draft) => ({
  ...draft,
  fields: fields.map(({ id, choices, ...field }) => ({
    ...field,
    choices: [...choices],
    ...(id !== undefined && { id }),
  })),
});

function useFormAction(form: Form | undefined) {
  const create = useSaving("forms.create", sent);
  const update = useSaving("forms.update", (draft: Draft) => ({ id: form?.id ?? 0, ...sent(draft) }));
  return form ? update : create;
}
