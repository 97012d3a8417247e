// Ring groups: several phones behind one number, inside and outside.

import type { Parameters, Reply } from "../../ask/ask.ts";
import { useAsk, useDo } from "../../ask/use-ask.ts";
import type { Draft, Field } from "../../ui/editor.tsx";
import { ListPage } from "../../ui/list-page.tsx";
import { useTargetWords } from "../../ui/target-picker.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { general } from "../../words/nouns.ts";
import { strategies, texts } from "./texts.ts";

type Group = Reply<"groups.list">[number];
type Changes = Parameters<"groups.update">["changes"];

const blank = { number: "", name: "", strategy: "simultaneous", members: [], ring_seconds: 25 };

export function Groups() {
  const words = useWords(texts);
  const { saved, removed, number, name } = useWords(general);
  const { language } = useLanguage();
  const targetWords = useTargetWords();
  const create = useDo("groups.create", saved);
  const update = useDo("groups.update", saved);
  const remove = useDo("groups.delete", removed);
  const fields: Record<string, Field> = {
    number: { is: "text", label: number, longest: 8, required: true, fixed: true },
    name: { is: "text", label: name, required: true },
    strategy: {
      ...{ is: "choice", label: words.strategy },
      options: Object.entries(strategies)
        .filter(([value]) => value !== "longest-idle")
        .map(([value, both]) => [value, both[language]]),
    },
    members: { is: "members", label: words.members, about: words.membersAbout, outside: true },
    ring_seconds: { is: "whole", label: words.ringSeconds, least: 5, most: 300 },
    no_answer_target: { is: "target", label: words.noAnswer, orNothing: true },
  };
  const make = ({ number, name, members, ...changes }: Draft) =>
    create({ number: String(number), name: String(name), members: members as string[], changes: changes as Changes });
  const change = ({ number }: Group, { members, ...changes }: Draft) =>
    update({ number, changes: changes as Changes, ...(members ? { members: members as string[] } : {}) });
  return (
    <ListPage<Group>
      title={words.groups}
      about={words.groupsAbout}
      icon="group"
      empty={words.noGroups}
      query={useAsk("groups.list", {})}
      keyOf={({ number }) => number}
      nameOf={({ number, name }) => `${number} ${name}`}
      fields={fields}
      columns={[
        { title: number, show: (group) => <strong>{group.number}</strong> },
        { title: name, show: (group) => group.name },
        { title: words.strategy, show: ({ strategy }) => strategies[strategy]?.[language] ?? strategy },
        { title: words.members, show: ({ members }) => members.join(", ") || "—" },
        { title: words.noAnswer, show: ({ no_answer_target }) => targetWords(no_answer_target) },
      ]}
      make={{ does: "groups.create", title: words.addGroup, blank, act: make, isBusy: create.isBusy }}
      change={{ does: "groups.update", act: change, isBusy: update.isBusy }}
      drop={{ does: "groups.delete", act: ({ number }) => remove({ number }) }}
    />
  );
}
