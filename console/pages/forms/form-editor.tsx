// One form in a drawer: its name, whether it is asked for, and its fields in order.

import { Alert, Button, Drawer, Group, Stack, Switch, TextInput } from "@mantine/core";
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
import { Icon } from "../../ui/icon.tsx";
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
  const { close: closing, cancel } = useWords(general);
  const { language } = useLanguage();
  const [name, setName] = useState(form?.name ?? "");
  const [active, setActive] = useState(form?.active ?? true);
  const fields = useFields(form?.fields ?? [blankField]);
  const [problems, show] = useState<DefinitionProblem[]>([]);
  const { does, isBusy, act } = useFormAction(form);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const wanted = fields.all.map(({ field }) => tidied(field));
    const found = definitionProblems(wanted);
    show(found);
    if (found.length === 0) void act({ name, active, fields: wanted }).then((done) => done !== undefined && close());
  };
  return (
    <Drawer
      opened
      onClose={close}
      title={form?.name ?? words.add}
      position="right"
      size="lg"
      closeButtonProps={{ "aria-label": closing }}
      styles={{ title: { fontWeight: 650, fontSize: 18 } }}
    >
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
            <Button variant="default" onClick={close}>
              {cancel}
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
