// Voice menus, and the picture of where calls go; a menu in the picture is opened by a click.

import { useState } from "react";
import type { Parameters, Reply } from "../../ask/ask.ts";
import { useAsk, useDo } from "../../ask/use-ask.ts";
import { type Draft, Editor, type Field } from "../../ui/editor.tsx";
import { ListPage } from "../../ui/list-page.tsx";
import { useTargetWords } from "../../ui/target-picker.tsx";
import { useWords } from "../../words/language.tsx";
import { general } from "../../words/nouns.ts";
import { Flow } from "./flow.tsx";
import { texts } from "./texts.ts";

export type Menu = Reply<"menus.list">[number];
type Changes = Parameters<"menus.update">["changes"];

const KEYS = [..."1234567890*#"];

export function Menus() {
  const words = useWords(texts);
  const { saved, removed, number, name } = useWords(general);
  const targetWords = useTargetWords();
  const fields = useFields();
  const menus = useAsk("menus.list", {});
  const create = useDo("menus.create", saved);
  const update = useDo("menus.update", saved);
  const remove = useDo("menus.delete", removed);
  const [editing, edit] = useState<Menu>();
  const make = ({ number, name, ...draft }: Draft) =>
    create({ number: String(number), name: String(name), changes: changesOf(draft, draft) });
  const change = ({ number }: Menu, changes: Draft, draft: Draft) =>
    update({ number, changes: changesOf(changes, draft) });
  return (
    <ListPage<Menu>
      title={words.title}
      about={words.about}
      icon="menu"
      empty={words.empty}
      query={menus}
      keyOf={({ number }) => number}
      nameOf={({ number, name }) => `${number} ${name}`}
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
        ...{ does: "menus.create", title: words.add, act: make, isBusy: create.isBusy },
        blank: { number: "", name: "", retries: 2, key_seconds: 5 },
      }}
      change={{ does: "menus.update", act: change, isBusy: update.isBusy, draftOf }}
      drop={{ does: "menus.delete", act: ({ number }) => remove({ number }) }}
    >
      <Flow openMenu={(number) => edit(menus.data?.find((menu) => menu.number === number))} />
      {editing && (
        <Editor
          title={`${editing.number} ${editing.name}`}
          fields={Object.fromEntries(Object.entries(fields).filter(([name]) => name !== "number"))}
          value={draftOf(editing)}
          does="menus.update"
          isBusy={update.isBusy}
          close={() => edit(undefined)}
          save={(draft, changes) => void change(editing, changes, draft).then((done) => done && edit(undefined))}
        />
      )}
    </ListPage>
  );
}

/** Each key is a field of its own in the form. */
function draftOf({ key_targets, ...menu }: Menu): Draft {
  return { ...menu, ...Object.fromEntries(Object.entries(key_targets).map(([key, target]) => [`key ${key}`, target])) };
}

function changesOf(changed: Draft, draft: Draft): Changes {
  const plain = Object.entries(changed).filter(([name]) => !name.startsWith("key ") && name !== "number");
  const touched = Object.keys(changed).some((name) => name.startsWith("key "));
  const targets = KEYS.flatMap((key) => {
    const target = draft[`key ${key}`];
    return target ? [[key, String(target)] as const] : [];
  });
  const keys = touched ? { key_targets: Object.fromEntries(targets) } : {};
  return { ...Object.fromEntries(plain), ...keys } as Changes; // the form has its fields
}

function useFields(): Record<string, Field> {
  const words = useWords(texts);
  const { number, name } = useWords(general);
  const place = { is: "target", inMenu: true, orNothing: true } as const;
  return {
    number: { is: "text", label: number, longest: 8, required: true, fixed: true },
    name: { is: "text", label: name, required: true },
    welcome_announcement_id: { is: "sound", label: words.welcome },
    ...Object.fromEntries(
      KEYS.map((key): [string, Field] => [`key ${key}`, { ...place, label: `${words.key} ${key}` }]),
    ),
    timeout_target: { ...place, label: words.timeout },
    invalid_target: { ...place, label: words.invalid },
    retries: { is: "whole", label: words.retries, least: 0, most: 10 },
    key_seconds: { is: "whole", label: words.keySeconds, least: 1, most: 30 },
  };
}
