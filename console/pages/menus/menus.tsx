// Voice menus, and the picture of where calls go; a menu in the picture is opened by a click.

import { useState } from "react";
import type { Parameters, Reply } from "../../ask/ask.ts";
import { useAsk } from "../../ask/use-ask.ts";
import { useRemoving, useSaving } from "../../ask/use-deed.ts";
import { Editor } from "../../ui/editor.tsx";
import type { Draft, Field } from "../../ui/field.ts";
import { ListPage, whileChanged } from "../../ui/list-page.tsx";
import { useTargetWords } from "../../ui/target-picker.tsx";
import { useWords } from "../../words/language.tsx";
import { general } from "../../words/nouns.ts";
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
    ...{ number, changes: changes as Changes }, // the form has its fields
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
          title: words.keys,
          show: ({ key_targets }) =>
            Object.entries(key_targets)
              .map(([key, target]) => `${key}: ${targetWords(target)}`)
              .join(" · ") || "—",
        },
        { title: words.timeout, show: ({ timeout_target }) => targetWords(timeout_target) },
      ]}
      make={{
        ...useSaving("menus.create", newMenu),
        ...{ title: words.add, blank: { number: "", name: "", key_targets: {}, retries: 2, key_seconds: 5 } },
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
          deed={{ ...update, act: (_, changes) => update.act(editing, changes) }}
          close={() => edit(undefined)}
        />
      )}
    </ListPage>
  );
}

const nameOf = ({ number, name }: Menu) => `${number} ${name}`;

function newMenu({ number, name, ...changes }: Draft) {
  return { number: String(number), name: String(name), changes: changes as Changes }; // the form has its fields
}

function useFields(): Record<string, Field> {
  const words = useWords(texts);
  const { number, name } = useWords(general);
  const place = { is: "target", place: "menu", orNothing: true } as const;
  return {
    number: { is: "text", label: number, longest: 8, required: true, fixed: true },
    name: { is: "text", label: name, required: true },
    welcome_announcement_id: { is: "sound", label: words.welcome },
    key_targets: { is: "keys", label: words.keys, place: "menu" },
    timeout_target: { ...place, label: words.timeout },
    invalid_target: { ...place, label: words.invalid },
    retries: { is: "whole", label: words.retries, least: 0, most: 10 },
    key_seconds: { is: "whole", label: words.keySeconds, least: 1, most: 30 },
  };
}
