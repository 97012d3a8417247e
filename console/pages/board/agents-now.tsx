// Agents and what may be done with them: the table of allowed moves is the exchange's own.

import { Anchor, Badge, Button, Group, Menu } from "@mantine/core";
import { useState } from "react";
import { Link, useLocation } from "wouter";
import { type AgentRequest, type AgentStatus, mayRequest } from "../../../src/exchange/features/agents/agent-status.ts";
import type { AgentNow } from "../../../src/exchange/features/queues/floor-now.ts";
import { useWhyNot } from "../../ask/session.tsx";
import { useAsk, useDo } from "../../ask/use-ask.ts";
import { useLivePart } from "../../live/live.ts";
import { BreakItems } from "../../ui/break-items.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Surface } from "../../ui/page.tsx";
import { type Column, Rows, useRowButtons } from "../../ui/rows.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { agentStatus } from "../../words/live-words.ts";
import { general } from "../../words/texts.ts";
import { deskTexts, texts } from "./texts.ts";
import { leadsTo, useCallOfEach } from "./where-to.ts";

const REQUESTS: readonly AgentRequest[] = ["logIn", "resume", "logOut"];

export function AgentsNow() {
  const words = useWords(texts);
  const desk = useWords(deskTexts);
  const [, go] = useLocation();
  const agents = useLivePart((live) => live.agents);
  const callOf = useCallOfEach();
  const columns: Column<AgentNow>[] = [
    {
      title: words.agents,
      show: ({ number, name }) => (
        <Anchor
          component={Link}
          href={leadsTo(number, callOf.get(number))}
          c="inherit"
          title={callOf.has(number) ? desk.story : desk.theirCalls}
        >
          <strong>{number}</strong> {name}
        </Anchor>
      ),
    },
    { title: words.state, show: (agent) => <Status agent={agent} /> },
    { title: words.calls, show: ({ calls }) => calls, end: true },
    useRowButtons((agent) => <Moves agent={agent} />),
  ];
  return (
    <Surface title={words.agents}>
      <Rows
        label={words.agents}
        columns={columns}
        rows={[...agents.values()]}
        keyOf={({ number }) => number}
        open={({ number }) => go(leadsTo(number, callOf.get(number)))}
        empty={{ icon: "people", says: words.noAgents }}
      />
    </Surface>
  );
}

function Status({ agent }: { agent: AgentNow }) {
  const { language } = useLanguage();
  const { color, ...words } = agentStatus(agent);
  return (
    <Group gap={6}>
      <Badge color={color}>{words[language]}</Badge>
      {agent.break}
    </Group>
  );
}

function Moves({ agent: { number, status } }: { agent: AgentNow }) {
  const words = useWords(texts);
  const { edit } = useWords(general);
  const move = useDo("agents.move", words.moved);
  const whyNot = useWhyNot("agents.move");
  const [isOpen, open] = useState(false);
  const breaks = useAsk("agents.breaks", isOpen && whyNot === undefined ? {} : undefined).data ?? [];
  const may = (request: AgentRequest) => mayRequest(status as AgentStatus, request); // as the floor names it
  return (
    <Menu position="bottom-end" onChange={open}>
      <Menu.Target>
        <Button size="compact-sm" variant="subtle" title={whyNot} aria-label={`${edit}: ${number}`}>
          <Icon name="more" />
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {REQUESTS.filter(may).map((request) => (
          <Menu.Item
            key={request}
            disabled={whyNot !== undefined}
            onClick={() => void move({ extension: number, request })}
          >
            {words[request]}
          </Menu.Item>
        ))}
        {may("pause") && <Menu.Label>{words.pause}</Menu.Label>}
        {may("pause") && (
          <BreakItems
            breaks={breaks}
            disabled={whyNot !== undefined}
            take={(description) => void move({ extension: number, request: "pause", description })}
          />
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
