// Who waits in which queue, and for how long.

import { Badge, Box, Group, Stack, Text } from "@mantine/core";
import type { QueueNow } from "../../../src/exchange/panel.ts";
import { useLivePart } from "../../live/live.ts";
import { useNow } from "../../live/ticking.ts";
import { Surface } from "../../ui/page.tsx";
import { Empty } from "../../ui/states.tsx";
import { useWords } from "../../words/language.tsx";
import { showDuration } from "../../words/stamps.ts";
import { texts } from "./texts.ts";

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

function Queue({ queue: { number, name, waiting, averageWaitMs }, now }: { queue: QueueNow; now: number }) {
  const words = useWords(texts);
  return (
    <Box className="tile" style={{ "--tile": `var(--mantine-color-${waiting.length > 0 ? "orange" : "teal"}-6)` }}>
      <Group justify="space-between" wrap="nowrap">
        <Text fw={650} truncate>
          {number} · {name}
        </Text>
        <Badge color={waiting.length > 0 ? "orange" : "teal"}>
          {words.waiting}: {waiting.length}
        </Badge>
      </Group>
      <Text size="sm" c="dimmed">
        {averageWaitMs === null ? words.nobodyWaits : `${words.averageWait}: ${showDuration(averageWaitMs / 1_000)}`}
      </Text>
      {waiting.map(({ id, caller, callerName, joinedMs, offered, callback }) => (
        <Group key={id} justify="space-between" wrap="nowrap" gap="xs">
          <Text size="sm" truncate>
            {caller} {callerName}
            {callback ? ` · ${words.callback}` : offered ? ` · ${words.offered}` : ""}
          </Text>
          <Text size="sm">{showDuration((now - joinedMs) / 1_000)}</Text>
        </Group>
      ))}
    </Box>
  );
}
