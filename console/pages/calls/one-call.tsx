// One call: its recording, its story, the way it took and the SIP messages of everybody in it.

import { Anchor, SimpleGrid, Stack, Text } from "@mantine/core";
import { useEffect, useState } from "react";
import { Link, useParams } from "wouter";
import { causeInWords } from "../../../src/words/causes.ts";
import { enderInWords } from "../../../src/words/enders.ts";
import { showDuration } from "../../../src/words/stamps.ts";
import type { Reply } from "../../ask/ask.ts";
import { useHas } from "../../ask/session.tsx";
import { useStamps } from "../../ask/stamps.ts";
import { useAsk } from "../../ask/use-ask.ts";
import { PageFrame, Surface } from "../../ui/page.tsx";
import { Player } from "../../ui/player.tsx";
import { type Column, Rows } from "../../ui/rows.tsx";
import { Asked } from "../../ui/states.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { directions } from "../../words/texts.ts";
import { CallForms } from "./call-forms.tsx";
import { CallNotes } from "./call-notes.tsx";
import { Result } from "./calls.tsx";
import { Ladder } from "./ladder.tsx";
import { Story } from "./story.tsx";
import { texts } from "./texts.ts";

type Shown = Reply<"calls.show">;
type Leg = Shown["legs"][number];

/** While it is up its story grows, and its ladder for some seconds more: the last goodbye is written after the record. */
const LOOK_AGAIN_MS = 2_000;

export function OneCall() {
  const { uuid = "" } = useParams<{ uuid: string }>();
  const words = useWords(texts);
  const [grows, setGrows] = useState(true);
  const call = useAsk("calls.show", { uuid }, grows ? { refetchMs: LOOK_AGAIN_MS } : {});
  useEffect(() => setGrows(call.data?.grows ?? true), [call.data?.grows]);
  const seesSetup = useHas("see-setup");
  return (
    <PageFrame
      title={words.oneCall}
      about={uuid}
      actions={
        <Anchor component={Link} href="/calls">
          {words.back}
        </Anchor>
      }
    >
      <Asked query={call}>
        {(shown) => (
          <Stack gap="md">
            {shown.cdr && <Summary cdr={shown.cdr} />}
            <CallNotes uuid={uuid} notes={shown.notes} />
            <CallForms forms={shown.forms} />
            <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
              <Story story={shown.story} />
              <Way legs={shown.legs} />
            </SimpleGrid>
            {seesSetup && <Ladder uuid={uuid} ladder={shown.ladder} rungs={shown.rungs} />}
          </Stack>
        )}
      </Asked>
    </PageFrame>
  );
}

function Summary({ cdr }: { cdr: NonNullable<Shown["cdr"]> }) {
  const words = useWords(texts);
  const hears = useHas("recordings");
  const { language } = useLanguage();
  const { dateTime } = useStamps();
  const facts: [string, string][] = [
    [words.direction, directions[cdr.direction]?.[language] ?? cdr.direction],
    [words.caller, `${cdr.callerIdNumber} ${cdr.callerIdName}`.trim()],
    [words.destination, `${cdr.destinationNumber} ${cdr.destinationName}`.trim()],
    [words.began, dateTime(cdr.startStamp)],
    [words.ended, dateTime(cdr.endStamp)],
    [words.talk, showDuration(cdr.talkSeconds)],
    [words.queue, cdr.queue ?? "—"],
    [words.waited, showDuration(cdr.queueWaitSeconds)],
    [words.endedBy, enderInWords(cdr, language)],
    [words.cause, causeInWords(cdr.hangupCause, language)],
  ];
  return (
    <Surface title={words.summary} actions={<Result call={cdr} />}>
      <SimpleGrid cols={{ base: 2, sm: 3, lg: 5 }} spacing="sm" p="md">
        {facts.map(([label, value]) => (
          <div key={label}>
            <Text size="xs" c="dimmed">
              {label}
            </Text>
            <Text size="sm" style={{ overflowWrap: "anywhere" }}>
              {value}
            </Text>
          </div>
        ))}
      </SimpleGrid>
      <div style={{ padding: "0 16px 16px" }}>
        {cdr.recording === "present" && hears ? (
          <Player url={`/console/sound/recording/${cdr.callUuid}`} label={words.recording} />
        ) : (
          <Text size="sm" c="dimmed">
            {cdr.recording === "present" ? words.notForYou : words.noRecording}
          </Text>
        )}
      </div>
    </Surface>
  );
}

function Way({ legs }: { legs: Leg[] }) {
  const words = useWords(texts);
  const { language } = useLanguage();
  const columns: Column<Leg>[] = [
    { title: words.destination, show: ({ destinationNumber }) => destinationNumber },
    {
      title: words.duration,
      show: (leg) => showDuration((Date.parse(leg.endStamp) - Date.parse(leg.startStamp)) / 1_000),
      end: true,
    },
    { title: words.cause, show: ({ hangupCause }) => causeInWords(hangupCause, language) },
    {
      title: words.codecs,
      show: ({ readCodec, writeCodec }) => (readCodec === writeCodec ? readCodec : `${readCodec}/${writeCodec}`),
    },
    { title: words.device, show: ({ sipUserAgent, ipAddress }) => `${sipUserAgent} ${ipAddress}`.trim() || "—" },
  ];
  return (
    <Surface title={words.way}>
      <Rows
        label={words.way}
        columns={columns}
        rows={legs}
        keyOf={(leg) => `${leg.destinationNumber} ${leg.startStamp} ${leg.endStamp}`}
        empty={{ icon: "call" }}
      />
    </Surface>
  );
}
