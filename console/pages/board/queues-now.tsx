// Who waits in which queue, and for how long.

import { ActionIcon, Anchor, Badge, Box, Group, Menu, Stack, Text } from "@mantine/core";
import { Link } from "wouter";
import type { QueueNow } from "../../../src/exchange/features/queues/floor-now.ts";
import { showDuration } from "../../../src/words/stamps.ts";
import { useSession, useWhyNot } from "../../ask/session.tsx";
import { useDo } from "../../ask/use-ask.ts";
import { useLivePart } from "../../live/live.ts";
import { useNow } from "../../live/ticking.ts";
import { Icon } from "../../ui/icon.tsx";
import { Surface } from "../../ui/page.tsx";
import { Empty } from "../../ui/states.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { agentStatus } from "../../words/live-words.ts";
import { deskTexts, texts } from "./texts.ts";

export function QueuesNow() {
  const words = useWords(texts);
  const queues = useLivePart((live) => live.queues);
  const aheadMs = useLivePart((live) => live.aheadMs);
  const now = useNow(aheadMs);
  return (
    <Surface title={words.queues}>
      {queues.size === 0 ? (
        <Empty icon="queue" says={words.noQueues} />
      ) : (
        <Stack gap="sm" p="md" pt="xs">
          {[...queues.values()].map((queue) => (
            <Queue key={queue.number} queue={queue} now={now} />
          ))}
        </Stack>
      )}
    </Surface>
  );
}

function Queue({ queue: { number, name, members, waiting, averageWaitMs }, now }: { queue: QueueNow; now: number }) {
  const words = useWords(texts);
  const isAlarmed = useLivePart((live) => [...live.alarms.values()].some((alarm) => alarm.queue === number));
  const color = isAlarmed ? "red" : waiting.length > 0 ? "orange" : "teal";
  return (
    <Box className="tile" style={{ "--tile": `var(--mantine-color-${color}-6)` }}>
      <Group justify="space-between" wrap="nowrap">
        <Text fw={650} truncate>
          {number} · {name}
        </Text>
        <Group gap={6} wrap="nowrap">
          {isAlarmed && <Badge color="red">{words.alarm}</Badge>}
          <Badge color={waiting.length > 0 ? "orange" : "teal"}>
            {words.waiting}: {waiting.length}
          </Badge>
        </Group>
      </Group>
      <Text size="sm" c="dimmed">
        {averageWaitMs !== null && `${words.averageWait}: ${showDuration(averageWaitMs / 1_000)}`}
        {averageWaitMs === null && waiting.length === 0 && words.nobodyWaits}
      </Text>
      {waiting.map((waiter) => (
        <Waiting key={waiter.id} waiter={waiter} members={members} now={now} />
      ))}
    </Box>
  );
}

type Waiter = QueueNow["waiting"][number];

function Waiting({ waiter, members, now }: { waiter: Waiter; members: string[]; now: number }) {
  const words = useWords(texts);
  const { caller, callerName, call, joinedMs, offered, callback } = waiter;
  const desk = useWords(deskTexts);
  return (
    <Group justify="space-between" wrap="nowrap" gap="xs" className="covered">
      <Text size="sm" truncate>
        <Anchor component={Link} href={`/calls/${call}`} c="inherit" title={desk.story} className="covers">
          {caller} {callerName}
        </Anchor>
        {callback ? ` · ${words.callback}` : offered ? ` · ${words.offered}` : ""}
      </Text>
      <Group gap={4} wrap="nowrap">
        <Text size="sm">{showDuration((now - joinedMs) / 1_000)}</Text>
        <Pull waiter={waiter} members={members} />
      </Group>
    </Group>
  );
}

/** Out of turn: to oneself, or to whom of the queue's agents one likes; those who talk cannot be rung. */
function Pull({ waiter: { id, caller }, members }: { waiter: Waiter; members: string[] }) {
  const words = useWords(deskTexts);
  const { language } = useLanguage();
  const { extension: own } = useSession();
  const agents = useLivePart((live) => live.agents);
  const pull = useDo("calls.pull", words.pulled);
  const whyNot = useWhyNot("calls.pull");
  const known = members.flatMap((member) => agents.get(member) ?? []);
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" size="sm" title={whyNot} aria-label={words.pull(caller)}>
          <Icon name="more" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown mah={320} style={{ overflowY: "auto" }}>
        <Menu.Item
          disabled={whyNot !== undefined || own === null}
          title={own === null ? words.noPhone : whyNot}
          onClick={() => void pull({ waiting: id })}
        >
          {words.pullToMe}
        </Menu.Item>
        {known
          .filter(({ number }) => number !== own)
          .map((agent) => (
            <Menu.Item
              key={agent.number}
              disabled={whyNot !== undefined || agent.status === "talking" || agent.status === "ringing"}
              onClick={() => void pull({ waiting: id, extension: agent.number })}
            >
              {agent.number} {agent.name} · {agentStatus(agent)[language]}
            </Menu.Item>
          ))}
      </Menu.Dropdown>
    </Menu>
  );
}
