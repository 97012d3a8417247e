// The live board: what everybody is doing now. Nothing here asks again and again; the server tells each change.

import { Alert, SimpleGrid, Stack } from "@mantine/core";
import { useAsk } from "../../ask/use-ask.ts";
import { useLive } from "../../live/live.ts";
import { Figure, PageFrame } from "../../ui/page.tsx";
import { Loading } from "../../ui/states.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { showCount } from "../../words/stamps.ts";
import { AgentsNow } from "./agents-now.tsx";
import { CallsNow } from "./calls-now.tsx";
import { ExtensionsNow } from "./extensions-now.tsx";
import { QueuesNow } from "./queues-now.tsx";
import { texts } from "./texts.ts";

const LOOK_AGAIN_MS = 30_000;

export function Board() {
  const words = useWords(texts);
  const live = useLive();
  const isEmpty = live.extensions.size === 0 && live.state !== "open";
  return (
    <PageFrame title={words.title} about={words.about}>
      {live.state === "closed" && (
        <Alert color="yellow" role="status">
          {words.closed}
        </Alert>
      )}
      {isEmpty ? (
        <Loading />
      ) : (
        <Stack gap="md">
          <Figures />
          <CallsNow />
          <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
            <QueuesNow />
            <AgentsNow />
          </SimpleGrid>
          <ExtensionsNow />
        </Stack>
      )}
    </PageFrame>
  );
}

function Figures() {
  const words = useWords(texts);
  const { language } = useLanguage();
  const live = useLive();
  const today = useAsk("reports.today", {}, { refetchMs: LOOK_AGAIN_MS });
  const waiting = [...live.queues.values()].reduce((sum, queue) => sum + queue.waiting.length, 0);
  const free = [...live.agents.values()].filter((agent) => agent.free).length;
  const connected = [...live.extensions.values()].filter(({ state }) => state !== "unregistered").length;
  const count = (value: number | undefined) => (value === undefined ? "…" : showCount(value, language));
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }} spacing="sm">
      <Figure label={words.callsNow} value={count(live.calls.size)} />
      <Figure label={words.waiting} value={count(waiting)} />
      <Figure label={words.agentsFree} value={count(free)} />
      <Figure label={words.connected} value={`${count(connected)} / ${count(live.extensions.size)}`} />
      <Figure label={words.today} value={count(today.data?.calls)} />
      <Figure label={words.missedToday} value={count(today.data?.missed)} />
    </SimpleGrid>
  );
}
