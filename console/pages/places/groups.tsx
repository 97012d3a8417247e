// Ring groups: several phones behind one number, inside and outside.

import type { Parameters, Reply } from "../../ask/ask.ts";
import { useAsk } from "../../ask/use-ask.ts";
import { useRemoving, useSaving } from "../../ask/use-deed.ts";
import type { Field } from "../../ui/field.ts";
import { ListPage } from "../../ui/list-page.tsx";
import { useTargetWords } from "../../ui/target-picker.tsx";
import { useWords } from "../../words/language.tsx";
import { changedPlace, newPlace, placeName, usePlaceColumns, usePlaceFields } from "./place.tsx";
import { texts } from "./texts.ts";

type Group = Reply<"groups.list">[number];
type Changes = Parameters<"groups.update">["changes"];

const blank = { number: "", name: "", strategy: "simultaneous", members: [], ring_seconds: 25 };

export function Groups() {
  const words = useWords(texts);
  const targetWords = useTargetWords();
  return (
    <ListPage<Group>
      title={words.groups}
      about={words.groupsAbout}
      icon="group"
      empty={words.noGroups}
      rows={useAsk("groups.list", {})}
      keyOf={({ number }) => number}
      nameOf={placeName}
      fields={useFields()}
      columns={[
        ...usePlaceColumns(),
        { title: words.noAnswer, show: ({ no_answer_target }) => targetWords(no_answer_target) },
      ]}
      make={{ ...useSaving("groups.create", newPlace<Changes>), title: words.addGroup, blank }}
      change={useSaving("groups.update", changedPlace<Changes>)}
      drop={useRemoving("groups.delete", ({ number }) => ({ number }))}
    />
  );
}

function useFields(): Record<string, Field> {
  const words = useWords(texts);
  const { members, ring_seconds, ...place } = usePlaceFields({ without: ["longest-idle"] });
  return {
    ...place,
    members: { ...members, about: words.membersAbout, outside: true },
    ring_seconds,
    no_answer_target: { is: "target", label: words.noAnswer, orNothing: true },
  };
}
