// The SIP messages of a call as the command line draws them: one column a party, one line a message, time running down.
// A line is a button that unfolds its message, which is fetched only then.

import { Code, Text, UnstyledButton } from "@mantine/core";
import { useId, useState } from "react";
import { ladderOf } from "../../../src/exchange/signalling/trace/ladder.ts";
import type { Reply } from "../../ask/ask.ts";
import { useStamps } from "../../ask/stamps.ts";
import { useAsk } from "../../ask/use-ask.ts";
import { Surface } from "../../ui/page.tsx";
import { Scroller } from "../../ui/scroller.tsx";
import { Asked, Empty } from "../../ui/states.tsx";
import { useWords } from "../../words/language.tsx";
import { texts } from "./texts.ts";

type Rungs = Reply<"calls.show">["ladder"];
type LadderProps = { uuid: string; ladder: Rungs; rungs: number };

export function Ladder({ uuid, ladder, rungs }: LadderProps) {
  const words = useWords(texts);
  const { time } = useStamps();
  const { heading, lines } = ladderOf(ladder);
  const gap = " ".repeat((time(ladder[0]?.atMs ?? 0).length || 0) + 1);
  if (ladder.length === 0)
    return (
      <Surface title={words.ladder}>
        <Empty icon="trunk" says={words.noLadder} />
      </Surface>
    );
  return (
    <Surface title={words.ladder}>
      <Scroller className="ladder" p={16} label={words.ladder}>
        <div aria-hidden>{gap + heading}</div>
        {ladder.map((rung, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a message is its place in the ladder
          <Rung key={at} uuid={uuid} at={at} rung={rung} drawn={`${time(rung.atMs)} ${lines[at]}`} />
        ))}
      </Scroller>
      {rungs > ladder.length && (
        <Text size="sm" c="dimmed" px="md" pb="md">
          {words.cutLadder(ladder.length, rungs)}
        </Text>
      )}
    </Surface>
  );
}

function Rung({ uuid, at, rung, drawn }: { uuid: string; at: number; rung: Rungs[number]; drawn: string }) {
  const words = useWords(texts);
  const { time } = useStamps();
  const [isOpen, setOpen] = useState(false);
  const message = useId();
  const { direction, peer, label, atMs } = rung;
  const said = direction === "in" ? words.receivedFrom(label, peer) : words.sentTo(label, peer);
  return (
    <>
      <UnstyledButton
        className="rung"
        onClick={() => setOpen(!isOpen)}
        aria-expanded={isOpen}
        aria-controls={message}
        aria-label={`${time(atMs)} ${said}`}
      >
        {drawn}
      </UnstyledButton>
      <div id={message}>{isOpen && <Message uuid={uuid} at={at} />}</div>
    </>
  );
}

function Message({ uuid, at }: { uuid: string; at: number }) {
  return (
    <Asked query={useAsk("calls.message", { uuid, rung: at })}>
      {({ text }) => (
        <Code block my={6} className="message">
          {text.trimEnd()}
        </Code>
      )}
    </Asked>
  );
}
