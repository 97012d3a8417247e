// The calls that are up.

import { Badge, Text } from "@mantine/core";
import type { CallNow } from "../../../src/exchange/panel.ts";
import { useDo } from "../../ask/use-ask.ts";
import { useLivePart } from "../../live/live.ts";
import { useNow } from "../../live/ticking.ts";
import { DoIcon } from "../../ui/buttons.tsx";
import { Direction } from "../../ui/direction.tsx";
import { Surface } from "../../ui/page.tsx";
import { type Column, Rows, useRowButtons } from "../../ui/rows.tsx";
import { useWords } from "../../words/language.tsx";
import { showDuration } from "../../words/stamps.ts";
import { texts } from "./texts.ts";

export function CallsNow() {
  const words = useWords(texts);
  const calls = useLivePart((live) => live.calls);
  const aheadMs = useLivePart((live) => live.aheadMs);
  const now = useNow(aheadMs);
  const columns: Column<CallNow>[] = [
    { title: words.direction, show: ({ direction }) => <Direction direction={direction} /> },
    {
      title: words.caller,
      show: ({ caller, callerName }) => (
        <span>
          <strong>{caller}</strong> {callerName}
        </span>
      ),
    },
    { title: words.destination, show: ({ destination }) => <strong>{destination}</strong> },
    { title: words.state, show: (call) => <CallState call={call} /> },
    {
      title: words.parties,
      show: ({ onTheLine, ringing }) => [...onTheLine, ...ringing.map((it) => `(${it})`)].join(", "),
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

function CallActions({ call }: { call: CallNow }) {
  const words = useWords(texts);
  const hangUp = useDo("calls.hangUp", words.hungUp);
  const supervise = useDo("calls.supervise");
  const extension = call.onTheLine.find((party) => party.length <= 8);
  return (
    <>
      {call.state === "talking" && extension && (
        <DoIcon
          does="calls.supervise"
          icon="sound"
          label={words.listen}
          act={() => void supervise({ extension, mode: "listen" })}
        />
      )}
      <DoIcon
        does="calls.hangUp"
        icon="hangup"
        color="red"
        label={`${words.hangUp}: ${call.caller}`}
        act={() => void hangUp({ uuid: call.uuid })}
      />
      <Text span hidden>
        {call.uuid}
      </Text>
    </>
  );
}
