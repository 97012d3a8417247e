// Queues and their agents.

import { queue } from "../../../src/nouns/queue.ts";
import { showDuration } from "../../../src/words/stamps.ts";
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

type Queue = Reply<"queues.list">[number];
type Changes = Parameters<"queues.update">["changes"];

const blank = { number: "", members: [], ...blankOf(queue) };

export function Queues() {
  const words = useWords(texts);
  const targetWords = useTargetWords();
  const fields = useNoun(queue);
  return (
    <ListPage<Queue>
      title={words.queues}
      about={words.queuesAbout}
      icon="queue"
      empty={words.noQueues}
      rows={useAsk("queues.list", {})}
      keyOf={({ number }) => number}
      nameOf={placeName}
      fields={usePlaceFields(fields)}
      columns={[
        ...usePlaceColumns(),
        {
          title: fields.max_wait_seconds.label,
          show: ({ max_wait_seconds }) => showDuration(max_wait_seconds),
          end: true,
        },
        { title: fields.overflow_target.label, show: ({ overflow_target }) => targetWords(overflow_target) },
      ]}
      make={{
        ...useSaving("queues.create", (draft: Draft) => newPlace(draft, setIn(queue, draft))),
        title: words.addQueue,
        blank,
      }}
      change={useSaving("queues.update", changedPlace<Changes>)}
      drop={useRemoving("queues.delete", ({ number }) => ({ number }))}
    />
  );
}
