// What the agent is doing now, and the buttons by which he changes it.

import { Badge, Button, Group, Menu, Text } from "@mantine/core";
import { mayRequest } from "../../../src/exchange/features/agents/agent-status.ts";
import type { AgentNow } from "../../../src/exchange/features/queues/floor-now.ts";
import { showDuration } from "../../../src/words/stamps.ts";
import { useDo } from "../../ask/use-ask.ts";
import { useLivePart } from "../../live/live.ts";
import { useNow } from "../../live/ticking.ts";
import { BreakItems } from "../../ui/break-items.tsx";
import { Icon } from "../../ui/icon.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { agentStatus } from "../../words/live-words.ts";
import { texts } from "./texts.ts";

export function OwnStatus({ agent, breaks }: { agent: AgentNow; breaks: string[] }) {
  const words = useWords(texts);
  const { language } = useLanguage();
  const { number: extension, status } = agent;
  const ready = useDo("desk.ready", words.ready);
  const move = useDo("agents.move", words.moved);
  const { color, ...shown } = agentStatus(agent);
  const isThere = status === "available" || status === "ringing" || status === "talking";
  return (
    <Group gap="xs">
      <Badge color={color} size="lg" role="status">
        {shown[language]}
        {agent.break !== "" && ` · ${agent.break}`}
      </Badge>
      {(status === "wrapping-up" || status === "available") && <Since sinceMs={agent.idleSinceMs} />}
      {!isThere && (
        <Button
          color="teal.9"
          leftSection={<Icon name="check" />}
          loading={ready.isBusy}
          onClick={() => void ready({})}
        >
          {words.available}
        </Button>
      )}
      {mayRequest(status, "pause") && (
        <Menu position="bottom-end">
          <Menu.Target>
            <Button variant="default" leftSection={<Icon name="pause" />}>
              {words.break}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <BreakItems
              breaks={breaks}
              take={(description) => void move({ extension, request: "pause", description })}
            />
          </Menu.Dropdown>
        </Menu>
      )}
      {mayRequest(status, "logOut") && (
        <Button variant="default" onClick={() => void move({ extension, request: "logOut" })}>
          {words.logOut}
        </Button>
      )}
    </Group>
  );
}

function Since({ sinceMs }: { sinceMs: number }) {
  const now = useNow(useLivePart((live) => live.aheadMs));
  return (
    <Text size="sm" c="dimmed">
      {showDuration((now - sinceMs) / 1_000)}
    </Text>
  );
}
