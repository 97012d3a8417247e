// Lines to carriers with their health, and the rules by which calls leave.

import { Badge, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { trunk } from "../../../src/nouns/trunk.ts";
import { troubleInWords } from "../../../src/words/trunk-troubles.ts";
import type { Parameters, Reply } from "../../ask/ask.ts";
import { useStamps } from "../../ask/stamps.ts";
import { useRemoving, useSaving } from "../../ask/use-action.ts";
import { useAsk } from "../../ask/use-ask.ts";
import { DoIcon } from "../../ui/buttons.tsx";
import type { Draft, Field } from "../../ui/field.ts";
import { ListPage } from "../../ui/list-page.tsx";
import { blankOf, setIn } from "../../ui/noun-form.ts";
import type { Column } from "../../ui/rows.tsx";
import { useNoun } from "../../ui/use-noun.ts";
import { useLanguage, useWords } from "../../words/language.tsx";
import { general } from "../../words/texts.ts";
import { Rules } from "./rules.tsx";
import { texts } from "./texts.ts";
import { TryTrunk } from "./try-trunk.tsx";

type Trunk = Reply<"trunks.list">[number];
type Changes = Parameters<"trunks.update">["changes"];

const LOOK_AGAIN_MS = 5_000;
const blank = { name: "", ...blankOf(trunk) };

export function Trunks() {
  const words = useWords(texts);
  const [tried, tryOut] = useState<Trunk>();
  return (
    <ListPage<Trunk>
      title={words.trunks}
      about={words.trunksAbout}
      icon="trunk"
      empty={words.noTrunks}
      rows={useAsk("trunks.list", {}, { refetchMs: LOOK_AGAIN_MS })}
      keyOf={({ name }) => name}
      nameOf={({ name }) => name}
      fields={useFields()}
      columns={useColumns()}
      make={{ ...useSaving("trunks.create", newTrunk), title: words.addTrunk, blank }}
      change={{
        ...useSaving("trunks.update", ({ name }: Trunk, changes: Draft) => ({ name, changes: changes as Changes })),
        draftOf: ({ now: _now, has_password: _kept, name: _name, ...draft }) => draft,
      }}
      drop={useRemoving("trunks.delete", ({ name }) => ({ name }))}
      more={(row) => (
        <DoIcon does="trunks.testCall" icon="call" label={`${words.test}: ${row.name}`} act={() => tryOut(row)} />
      )}
    >
      {tried && <TryTrunk name={tried.name} isActive={tried.active} close={() => tryOut(undefined)} />}
      <Rules />
    </ListPage>
  );
}

function newTrunk(draft: Draft) {
  const { host: _host, ...changes } = setIn(trunk, draft);
  return { name: String(draft.name), host: String(draft.host), changes };
}

function useColumns(): Column<Trunk>[] {
  const words = useWords(texts);
  const { name } = useWords(general);
  const { language } = useLanguage();
  const { time } = useStamps();
  const until = (now: Trunk["now"]) => (now?.registeredUntilMs ? time(now.registeredUntilMs) : "—");
  return [
    { title: name, show: (row) => <strong>{row.name}</strong> },
    { title: trunk.fields.host.label[language], show: ({ host, port, transport }) => `${host}:${port} (${transport})` },
    { title: words.health, show: (row) => <Health trunk={row} /> },
    { title: words.lastAnswer, show: (row) => <LastAnswer trunk={row} /> },
    { title: words.registeredUntil, show: ({ now, registers }) => (registers ? until(now) : "—") },
    {
      title: words.inUse,
      show: ({ now, channel_limit }) => `${now?.channelsUsed ?? 0} / ${channel_limit ?? "∞"}`,
      end: true,
    },
    { title: trunk.fields.priority.label[language], show: ({ priority }) => priority, end: true },
  ];
}

/** What it said last, how quickly, and when it is asked again. */
function LastAnswer({ trunk: { now } }: { trunk: Trunk }) {
  const words = useWords(texts);
  const { language } = useLanguage();
  const { time } = useStamps();
  if (!now?.answer) return "—";
  const answered = now.answeredMs ? time(now.answeredMs) : "";
  const latency = now.latencyMs === null ? "" : `${now.latencyMs} ms`;
  return (
    <Stack gap={2} align="flex-start">
      <Text size="sm">{troubleInWords(now.answer, language)}</Text>
      <Text size="xs" c="dimmed">
        {[answered, latency].filter((it) => it !== "").join(", ")}
        {now.nextTryMs ? ` ${words.nextTry(time(now.nextTryMs))}` : ""}
      </Text>
    </Stack>
  );
}

function Health({ trunk: { now, active } }: { trunk: Trunk }) {
  const words = useWords(texts);
  const { language } = useLanguage();
  const { dateTime } = useStamps();
  const [color, text] = !active
    ? ["gray", words.passive]
    : now === null
      ? ["gray", words.unknown]
      : now.up
        ? ["teal", words.up]
        : ["red", words.down];
  return (
    <Stack gap={2} align="flex-start">
      <Badge color={color}>{text}</Badge>
      {now?.sinceMs && (
        <Text size="xs" c="dimmed">
          {words.since(dateTime(now.sinceMs))}
        </Text>
      )}
      {now?.lastError && (
        <Text size="xs" c="dimmed">
          {troubleInWords(now.lastError, language)}
        </Text>
      )}
      {now && now.waiting.length > 0 && (
        <Text size="xs" c="orange.8" maw="28ch">
          {words.waiting(now.waiting.join(", "))}
        </Text>
      )}
    </Stack>
  );
}

function useFields(): Record<string, Field> {
  const { name } = useWords(general);
  return { name: { is: "text", label: name, longest: 64, required: true, fixed: true }, ...useNoun(trunk) };
}
