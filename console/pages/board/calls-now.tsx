// The calls that are up.

import { Anchor, Badge, Group } from "@mantine/core";
import { Link, useLocation } from "wouter";
import type { CallNow } from "../../../src/exchange/panel.ts";
import { showDuration } from "../../../src/words/stamps.ts";
import { useLivePart } from "../../live/live.ts";
import { useNow } from "../../live/ticking.ts";
import { Direction } from "../../ui/direction.tsx";
import { Surface } from "../../ui/page.tsx";
import { type Column, Rows, useRowButtons } from "../../ui/rows.tsx";
import { useWords } from "../../words/language.tsx";
import { CallActions } from "./call-actions.tsx";
import { Listeners } from "./listening.tsx";
import { deskTexts, texts } from "./texts.ts";

export function CallsNow() {
  const words = useWords(texts);
  const desk = useWords(deskTexts);
  const [, go] = useLocation();
  const calls = useLivePart((live) => live.calls);
  const aheadMs = useLivePart((live) => live.aheadMs);
  const now = useNow(aheadMs);
  const columns: Column<CallNow>[] = [
    { title: words.direction, show: ({ direction }) => <Direction direction={direction} /> },
    {
      title: words.caller,
      show: ({ uuid, caller, callerName }) => (
        <Anchor component={Link} href={`/calls/${uuid}`} c="inherit" title={desk.story}>
          <strong>{caller}</strong> {callerName}
        </Anchor>
      ),
    },
    { title: words.destination, show: ({ destination }) => <strong>{destination}</strong> },
    { title: words.state, show: (call) => <CallState call={call} /> },
    {
      title: words.parties,
      show: (call) => (
        <Group gap={6}>
          {[...call.onTheLine, ...call.ringing.map((it) => `(${it})`)].join(", ")}
          <Listeners call={call} />
        </Group>
      ),
    },
    {
      title: words.duration,
      show: ({ answerMs, startMs }) => showDuration((now - (answerMs ?? startMs)) / 1_000),
      end: true,
    },
    useRowButtons((call) => <CallActions call={call} />),
  ];
  return (
    <Surface title={words.callsNow}>
      <Rows
        label={words.callsNow}
        columns={columns}
        rows={[...calls.values()]}
        keyOf={({ uuid }) => uuid}
        open={({ uuid }) => go(`/calls/${uuid}`)}
        empty={{ icon: "call", says: words.noCalls }}
      />
    </Surface>
  );
}

function CallState({ call }: { call: CallNow }) {
  const words = useWords(texts);
  if (call.state === "talking") return <Badge color="teal">{words.talking}</Badge>;
  if (call.queue)
    return (
      <Badge color="orange">
        {words.inQueue} {call.queue}
      </Badge>
    );
  return (
    <Badge color="yellow">{call.ringing.length > 0 || call.answerMs === null ? words.ringing : words.talking}</Badge>
  );
}
