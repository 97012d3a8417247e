// Queues and their agents.

import type { Parameters, Reply } from "../../ask/ask.ts";
import { useAsk, useDo } from "../../ask/use-ask.ts";
import type { Draft, Field } from "../../ui/editor.tsx";
import { ListPage } from "../../ui/list-page.tsx";
import { useTargetWords } from "../../ui/target-picker.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { general } from "../../words/nouns.ts";
import { spoken } from "../../words/spoken.ts";
import { showDuration } from "../../words/stamps.ts";
import { strategies, texts } from "./texts.ts";

type Queue = Reply<"queues.list">[number];
type Changes = Parameters<"queues.update">["changes"];

const blank = { number: "", name: "", strategy: "sequential", members: [], ring_seconds: 20, max_wait_seconds: 600 };

export function Queues() {
  const words = useWords(texts);
  const { saved, removed, number, name } = useWords(general);
  const { language } = useLanguage();
  const targetWords = useTargetWords();
  const create = useDo("queues.create", saved);
  const update = useDo("queues.update", saved);
  const remove = useDo("queues.delete", removed);
  const make = ({ number, name, members, ...changes }: Draft) =>
    create({ number: String(number), name: String(name), members: members as string[], changes: changes as Changes });
  const change = ({ number }: Queue, { members, ...changes }: Draft) =>
    update({ number, changes: changes as Changes, ...(members ? { members: members as string[] } : {}) });
  return (
    <ListPage<Queue>
      title={words.queues}
      about={words.queuesAbout}
      icon="queue"
      empty={words.noQueues}
      query={useAsk("queues.list", {})}
      keyOf={({ number }) => number}
      nameOf={({ number, name }) => `${number} ${name}`}
      fields={useFields()}
      columns={[
        { title: number, show: (queue) => <strong>{queue.number}</strong> },
        { title: name, show: (queue) => queue.name },
        { title: words.strategy, show: ({ strategy }) => strategies[strategy]?.[language] ?? strategy },
        { title: words.members, show: ({ members }) => members.join(", ") || "—" },
        { title: words.maxWait, show: ({ max_wait_seconds }) => showDuration(max_wait_seconds), end: true },
        { title: words.overflow, show: ({ overflow_target }) => targetWords(overflow_target) },
      ]}
      make={{ does: "queues.create", title: words.addQueue, blank, act: make, isBusy: create.isBusy }}
      change={{ does: "queues.update", act: change, isBusy: update.isBusy }}
      drop={{ does: "queues.delete", act: ({ number }) => remove({ number }) }}
    />
  );
}

function useFields(): Record<string, Field> {
  const words = useWords(texts);
  const { number, name } = useWords(general);
  const { language } = useLanguage();
  const keys = [..."0123456789*#"].map((key): [string, string] => [key, key]);
  return {
    number: { is: "text", label: number, longest: 8, required: true, fixed: true },
    name: { is: "text", label: name, required: true },
    strategy: {
      ...{ is: "choice", label: words.strategy },
      options: Object.entries(strategies).map(([value, both]) => [value, both[language]]),
    },
    members: { is: "members", label: words.members },
    ring_seconds: { is: "whole", label: words.ringSeconds, least: 5, most: 300 },
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
