// The wallboard: for a television on the wall, without navigation, in figures that can be read across a room.

import { ActionIcon, Box, Group, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { showCount, showDuration } from "../../../src/words/stamps.ts";
import { useSession } from "../../ask/session.tsx";
import { useStamps } from "../../ask/stamps.ts";
import { useAsk } from "../../ask/use-ask.ts";
import { useLive } from "../../live/live.ts";
import { useNow } from "../../live/ticking.ts";
import { CallsBehind, type Narrowed, useToday } from "../../ui/calls-behind.tsx";
import { Icon } from "../../ui/icon.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { agentStatus } from "../../words/live-words.ts";
import { AlarmsNow } from "../alarms/alarms-now.tsx";
import { texts } from "./texts.ts";

const LOOK_AGAIN_MS = 30_000;

export function Wallboard() {
  const words = useWords(texts);
  const { language } = useLanguage();
  const { exchange } = useSession();
  const { time } = useStamps();
  const live = useLive();
  const now = useNow(live.aheadMs);
  const today = useAsk("reports.today", {}, { refetchMs: LOOK_AGAIN_MS });
  const waiting = [...live.queues.values()].flatMap((queue) => queue.waiting);
  const longest = Math.max(0, ...waiting.map(({ joinedMs }) => now - joinedMs));
  const free = [...live.agents.values()].filter((agent) => agent.free).length;
  const days = useToday();
  const behind = (label: string, value: number | undefined, narrowed: Narrowed) => {
    const shown = value === undefined ? "…" : showCount(value, language);
    return <CallsBehind label={label} shown={shown} days={days} behind={narrowed} isNone={!value} />;
  };
  return (
    <Box component="main" p={{ base: "md", md: "xl" }} mih="100vh">
      <Group justify="space-between" mb="lg" wrap="nowrap">
        <Title order={1} size="h2" lineClamp={1}>
          {words.title} · {exchange.name}
        </Title>
        <Group gap="sm" wrap="nowrap">
          <Text fz={28} fw={650}>
            {time(now)}
          </Text>
          <ActionIcon component={Link} href="/" variant="subtle" size="lg" aria-label={words.leave}>
            <Icon name="leave" />
          </ActionIcon>
        </Group>
      </Group>
      <Box mb="lg">
        <AlarmsNow />
      </Box>
      <SimpleGrid cols={{ base: 2, md: 3, xl: 6 }} spacing="md" mb="lg">
        <Big label={words.waiting} value={showCount(waiting.length, language)} alarm={waiting.length > 0} />
        <Big label={words.longest} value={showDuration(longest / 1_000)} alarm={longest > 60_000} />
        <Big label={words.calls} value={showCount(live.calls.size, language)} />
        <Big label={words.free} value={showCount(free, language)} alarm={free === 0 && live.agents.size > 0} />
        <Big label={words.today} value={behind(words.today, today.data?.calls, {})} />
        <Big
          label={words.missed}
          value={behind(words.missed, today.data?.missed, { direction: "inbound", result: "missed" })}
          alarm={(today.data?.missed ?? 0) > 0}
        />
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
        <QueueList now={now} />
        <AgentList />
      </SimpleGrid>
    </Box>
  );
}

function Big({ label, value, alarm = false }: { label: string; value: ReactNode; alarm?: boolean }) {
  return (
    <Box className="tile" p="lg" style={{ "--tile": `var(--mantine-color-${alarm ? "orange" : "teal"}-6)` }}>
      <Text fz="lg" c="dimmed">
        {label}
      </Text>
      <Text fz={52} fw={700} lh={1.1}>
        {value}
      </Text>
    </Box>
  );
}

function QueueList({ now }: { now: number }) {
  const words = useWords(texts);
  const { queues } = useLive();
  return (
    <Stack gap="sm" component="section" aria-label={words.queues}>
      <Title order={2} size="h3">
        {words.queues}
      </Title>
      {[...queues.values()].map(({ number, name, waiting }) => (
        <Box
          key={number}
          className="tile"
          style={{ "--tile": `var(--mantine-color-${waiting.length > 0 ? "orange" : "teal"}-6)` }}
        >
          <Group justify="space-between">
            <Text fz="xl" fw={650}>
              {number} {name}
            </Text>
            <Text fz="xl">
              {waiting.length} · {showDuration(Math.max(0, ...waiting.map(({ joinedMs }) => now - joinedMs)) / 1_000)}
            </Text>
          </Group>
        </Box>
      ))}
    </Stack>
  );
}

function AgentList() {
  const words = useWords(texts);
  const { language } = useLanguage();
  const { agents } = useLive();
  return (
    <Stack gap="sm" component="section" aria-label={words.agents}>
      <Title order={2} size="h3">
        {words.agents}
      </Title>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
        {[...agents.values()].map((agent) => {
          const { color, ...status } = agentStatus(agent);
          return (
            <Box key={agent.number} className="tile" style={{ "--tile": `var(--mantine-color-${color}-6)` }}>
              <Text fz="lg" fw={650} truncate>
                {agent.number} {agent.name}
              </Text>
              <Text fz="lg">
                {status[language]} {agent.break}
              </Text>
            </Box>
          );
        })}
      </SimpleGrid>
    </Stack>
  );
}
