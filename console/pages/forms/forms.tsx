// Forms as they are defined: the list, and the editor that makes one or changes one.

import { Badge } from "@mantine/core";
import { useState } from "react";
import type { Reply } from "../../ask/ask.ts";
import { useRemoving } from "../../ask/use-action.ts";
import { useNamed } from "../../ask/use-ask.ts";
import { DeleteIcon, DoButton, DoIcon } from "../../ui/buttons.tsx";
import { Icon } from "../../ui/icon.tsx";
import { PageFrame, Surface } from "../../ui/page.tsx";
import { type Column, Rows, useRowButtons } from "../../ui/rows.tsx";
import { Asked } from "../../ui/states.tsx";
import { useWords } from "../../words/language.tsx";
import { general } from "../../words/texts.ts";
import { FormEditor } from "./form-editor.tsx";
import { texts } from "./texts.ts";

type Form = Reply<"forms.list">[number];

export function Forms() {
  const words = useWords(texts);
  const forms = useNamed("forms.list", {});
  const [editing, edit] = useState<Form | "new">();
  const columns = useColumns(edit);
  return (
    <PageFrame
      title={words.title}
      about={words.about}
      actions={
        <DoButton does="forms.create" act={() => edit("new")} aria-haspopup="dialog" leftSection={<Icon name="plus" />}>
          {words.add}
        </DoButton>
      }
    >
      <Surface>
        <Asked query={forms}>
          {(rows) => (
            <Rows
              label={words.title}
              rows={rows}
              keyOf={({ id }) => id}
              columns={columns}
              empty={{ icon: "form", says: words.noForms }}
            />
          )}
        </Asked>
      </Surface>
      {editing && (
        <FormEditor
          key={editing === "new" ? "new" : editing.id}
          form={editing === "new" ? undefined : editing}
          close={() => edit(undefined)}
        />
      )}
    </PageFrame>
  );
}

function useColumns(edit: (form: Form) => void): Column<Form>[] {
  const words = useWords(texts);
  const { edit: change } = useWords(general);
  const drop = useRemoving("forms.delete", ({ id }: Form) => ({ id }));
  const buttons = useRowButtons<Form>((form) => (
    <>
      <DoIcon does="forms.update" act={() => edit(form)} icon="edit" label={`${change}: ${form.name}`} />
      <DeleteIcon does="forms.delete" what={form.name} act={() => drop.act(form)} />
    </>
  ));
  return [
    { title: words.name, show: ({ name }) => <strong>{name}</strong> },
    {
      title: words.state,
      show: ({ active }) => <Badge color={active ? "teal" : "gray"}>{active ? words.active : words.passive}</Badge>,
    },
    { title: words.fields, show: ({ fields }) => fields.map(({ label }) => label).join(", ") },
    { title: words.version, show: ({ version }) => version, end: true },
    { title: words.filled, show: ({ filled }) => filled, end: true },
    { title: words.owed, show: ({ owed }) => owed, end: true },
    buttons,
  ];
}
