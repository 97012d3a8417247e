// Ring groups: several phones behind one number, inside and outside.

import { ringGroup } from "../../../src/nouns/ring-group.ts";
import type { Parameters, Reply } from "../../ask/ask.ts";
import { useRemoving, useSaving } from "../../ask/use-action.ts";
import { useAsk } from "../../ask/use-ask.ts";
import type { Draft } from "../../ui/field.ts";
import { ListPage } from "../../ui/list-page.tsx";
import { blankOf, setIn } from "../../ui/noun-form.ts";
import { useTargetWords } from "../../ui/target-picker.tsx";
import { useNoun } from "../../ui/use-noun.ts";
import { useWords } from "../../words/language.tsx";
import { changedPlace, newPlace, placeName, usePlaceColumns, usePlaceFields } from "./place.tsx";
import { texts } from "./texts.ts";

type Group = Reply<"groups.list">[number];
type Changes = Parameters<"groups.update">["changes"];

const blank = { number: "", members: [], ...blankOf(ringGroup) };

export function Groups() {
  const words = useWords(texts);
  const targetWords = useTargetWords();
  const fields = useNoun(ringGroup);
  return (
    <ListPage<Group>
      title={words.groups}
      about={words.groupsAbout}
      icon="group"
      empty={words.noGroups}
      rows={useAsk("groups.list", {})}
      keyOf={({ number }) => number}
      nameOf={placeName}
      fields={usePlaceFields(fields, { about: words.membersAbout, outside: true })}
      columns={[
        ...usePlaceColumns(),
        { title: fields.no_answer_target.label, show: ({ no_answer_target }) => targetWords(no_answer_target) },
      ]}
      make={{
        ...useSaving("groups.create", (draft: Draft) => newPlace(draft, setIn(ringGroup, draft))),
        title: words.addGroup,
        blank,
      }}
      change={useSaving("groups.update", changedPlace<Changes>)}
      drop={useRemoving("groups.delete", ({ number }) => ({ number }))}
    />
  );
}
