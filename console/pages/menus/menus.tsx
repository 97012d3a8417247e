// Voice menus, and the picture of where calls go; a menu in the picture is opened by a click.

import { useState } from "react";
import { menu } from "../../../src/nouns/menu.ts";
import type { Parameters, Reply } from "../../ask/ask.ts";
import { useRemoving, useSaving } from "../../ask/use-action.ts";
import { useAsk } from "../../ask/use-ask.ts";
import { Editor } from "../../ui/editor.tsx";
import type { Draft } from "../../ui/field.ts";
import { ListPage, whileChanged } from "../../ui/list-page.tsx";
import { blankOf, setIn } from "../../ui/noun-form.ts";
import { useTargetWords } from "../../ui/target-picker.tsx";
import { useNoun } from "../../ui/use-noun.ts";
import { useWords } from "../../words/language.tsx";
import { general } from "../../words/texts.ts";
import { Flow } from "./flow.tsx";
import { texts } from "./texts.ts";

export type Menu = Reply<"menus.list">[number];
type Changes = Parameters<"menus.update">["changes"];

export function Menus() {
  const words = useWords(texts);
  const { number, name } = useWords(general);
  const targetWords = useTargetWords();
  const fields = useFields();
  const menus = useAsk("menus.list", {});
  const update = useSaving("menus.update", ({ number }: Menu, changes: Draft) => ({
    number,
    changes: changes as Changes, // the form has its fields
  }));
  const [editing, edit] = useState<Menu>();
  return (
    <ListPage<Menu>
      title={words.title}
      about={words.about}
      icon="menu"
      empty={words.empty}
      rows={menus}
      keyOf={({ number }) => number}
      nameOf={nameOf}
      fields={fields}
      columns={[
        { title: number, show: (menu) => <strong>{menu.number}</strong> },
        { title: name, show: (menu) => menu.name },
        {
          title: fields.key_targets.label,
          show: ({ key_targets }) =>
            Object.entries(key_targets)
              .map(([key, target]) => `${key}: ${targetWords(target)}`)
              .join(" · ") || "—",
        },
        { title: fields.timeout_target.label, show: ({ timeout_target }) => targetWords(timeout_target) },
      ]}
      make={{
        ...useSaving("menus.create", newMenu),
        title: words.add,
        blank: { number: "", ...blankOf(menu) },
      }}
      change={update}
      drop={useRemoving("menus.delete", ({ number }) => ({ number }))}
    >
      <Flow openMenu={(number) => edit(menus.data?.find((menu) => menu.number === number))} />
      {editing && (
        <Editor
          title={nameOf(editing)}
          fields={whileChanged(fields)}
          value={editing}
          action={{ ...update, act: (_, changes) => update.act(editing, changes) }}
          close={() => edit(undefined)}
        />
      )}
    </ListPage>
  );
}

const nameOf = ({ number, name }: Menu) => `${number} ${name}`;

function newMenu(draft: Draft) {
  const { name: _name, ...changes } = setIn(menu, draft);
  return { number: String(draft.number), name: String(draft.name), changes };
}

function useFields() {
  const { number } = useWords(general);
  return { number: { is: "text", label: number, longest: 8, required: true, fixed: true } as const, ...useNoun(menu) };
}
