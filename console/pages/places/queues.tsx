// Queues and their agents.

import type { Parameters, Reply } from "../../ask/ask.ts";
import { useAsk } from "../../ask/use-ask.ts";
import { useRemoving, useSaving } from "../../ask/use-deed.ts";
import type { Field } from "../../ui/field.ts";
import { ListPage } from "../../ui/list-page.tsx";
import { useTargetWords } from "../../ui/target-picker.tsx";
import { useWords } from "../../words/language.tsx";
import { spoken } from "../../words/spoken.ts";
import { showDuration } from "../../words/stamps.ts";
import { changedPlace, newPlace, placeName, usePlaceColumns, usePlaceFields } from "./place.tsx";
import { texts } from "./texts.ts";

type Queue = Reply<"queues.list">[number];
type Changes = Parameters<"queues.update">["changes"];

const blank = { number: "", name: "", strategy: "sequential", members: [], ring_seconds: 20, max_wait_seconds: 600 };

export function Queues() {
  const words = useWords(texts);
  const targetWords = useTargetWords();
  return (
    <ListPage<Queue>
      title={words.queues}
      about={words.queuesAbout}
      icon="queue"
      empty={words.noQueues}
      rows={useAsk("queues.list", {})}
      keyOf={({ number }) => number}
      nameOf={placeName}
      fields={useFields()}
      columns={[
        ...usePlaceColumns(),
        { title: words.maxWait, show: ({ max_wait_seconds }) => showDuration(max_wait_seconds), end: true },
        { title: words.overflow, show: ({ overflow_target }) => targetWords(overflow_target) },
      ]}
      make={{ ...useSaving("queues.create", newPlace<Changes>), title: words.addQueue, blank }}
      change={useSaving("queues.update", changedPlace<Changes>)}
      drop={useRemoving("queues.delete", ({ number }) => ({ number }))}
    />
  );
}

function useFields(): Record<string, Field> {
  const words = useWords(texts);
  const keys = [..."0123456789*#"].map((key): [string, string] => [key, key]);
  return {
    ...usePlaceFields(),
    max_wait_seconds: { is: "whole", label: words.maxWait, least: 1, most: 86_400 },
    max_waiting: { is: "whole", label: words.maxWaiting, least: 1, most: 10_000 },
    overflow_target: { is: "target", label: words.overflow, orNothing: true },
    music_announcement_id: { is: "sound", label: words.music },
    waiting_announcement_id: { is: "sound", label: words.waitingSound },
    agent_announcement_id: { is: "sound", label: words.agentSound },
    announce_seconds: { is: "whole", label: words.announce, least: 0, most: 3_600 },
    language: { is: "choice", label: words.language, options: spoken },
    callback_key: { is: "choice", label: words.callbackKey, options: keys, orNothing: true },
    wrap_up_seconds: { is: "whole", label: words.wrapUp, least: 0, most: 3_600 },
    most_misses: { is: "whole", label: words.misses, least: 1, most: 100 },
    priority: { is: "whole", label: words.priority, about: words.priorityAbout, least: -100, most: 100 },
    survey: { is: "switch", label: words.survey },
  };
}
