// The live board: what everybody is doing now. Nothing here asks again and again; the server tells each change.

import { Alert, SimpleGrid, Stack } from "@mantine/core";
import { showCount } from "../../../src/words/stamps.ts";
import { useAsk } from "../../ask/use-ask.ts";
import { useLivePart } from "../../live/live.ts";
import { CallsBehind, type Narrowed, useToday } from "../../ui/calls-behind.tsx";
import { OfficeSwitch } from "../../ui/office-switch.tsx";
import { Figure, PageFrame } from "../../ui/page.tsx";
import { Loading } from "../../ui/states.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { AlarmsNow } from "../alarms/alarms-now.tsx";
import { AgentsNow } from "./agents-now.tsx";
import { CallsNow } from "./calls-now.tsx";
import { ExtensionsNow } from "./extensions-now.tsx";
import { OwnListening } from "./listening.tsx";
import { QueuesNow } from "./queues-now.tsx";
import { texts } from "./texts.ts";

const LOOK_AGAIN_MS = 30_000;

export function Board() {
  const words = useWords(texts);
  const state = useLivePart((live) => live.state);
  const isEmpty = useLivePart((live) => live.extensions.size === 0 && live.state !== "open");
  return (
    <PageFrame title={words.title} about={words.about} actions={<OfficeSwitch />}>
      {state === "closed" && (
        <Alert color="yellow" role="status">
          {words.closed}
        </Alert>
      )}
      {isEmpty ? (
        <Loading />
      ) : (
        <Stack gap="md">
          <AlarmsNow />
          <OwnListening />
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
  const calls = useLivePart((live) => live.calls.size);
  const all = useLivePart((live) => live.extensions.size);
  const waiting = useLivePart((live) => sum(live.queues, (queue) => queue.waiting.length));
  const free = useLivePart((live) => sum(live.agents, (agent) => (agent.free ? 1 : 0)));
  const connected = useLivePart((live) => sum(live.extensions, ({ state }) => (state === "unregistered" ? 0 : 1)));
  const today = useAsk("reports.today", {}, { refetchMs: LOOK_AGAIN_MS });
  const count = (value: number | undefined) => (value === undefined ? "…" : showCount(value, language));
  const days = useToday();
  const behind = (label: string, value: number | undefined, narrowed: Narrowed) => (
    <CallsBehind label={label} shown={count(value)} days={days} behind={narrowed} isNone={!value} />
  );
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }} spacing="sm">
      <Figure label={words.callsNow} value={count(calls)} />
      <Figure label={words.waiting} value={count(waiting)} />
      <Figure label={words.agentsFree} value={count(free)} />
      <Figure label={words.connected} value={`${count(connected)} / ${count(all)}`} />
      <Figure label={words.today} value={behind(words.today, today.data?.calls, {})} />
      <Figure
        label={words.missedToday}
        value={behind(words.missedToday, today.data?.missed, { direction: "inbound", result: "missed" })}
      />
    </SimpleGrid>
  );
}

function sum<Thing>(things: ReadonlyMap<string, Thing>, of: (thing: Thing) => number): number {
  let total = 0;
  for (const thing of things.values()) total += of(thing);
  return total;
}
