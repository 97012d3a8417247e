// The recording of a call in its row of the list: a button that plays it there. One plays at a time.

import { ActionIcon, Group, Text } from "@mantine/core";
import { useState } from "react";
import { showDuration } from "../../../src/words/stamps.ts";
import type { Reply } from "../../ask/ask.ts";
import { Icon } from "../../ui/icon.tsx";
import { useWords } from "../../words/language.tsx";
import { texts } from "./texts.ts";

type Call = Reply<"calls.list">["rows"][number];
type InlinePlayProps = { call: Call; playing: string | undefined; play(uuid: string | undefined): void };

export function InlinePlay({ call: { callUuid, callerIdNumber }, playing, play }: InlinePlayProps) {
  const words = useWords(texts);
  const isPlaying = playing === callUuid;
  const [at, setAt] = useState(0);
  const label = isPlaying ? words.stop(callerIdNumber) : words.play(callerIdNumber);
  return (
    <Group gap={6} justify="flex-end" wrap="nowrap">
      {isPlaying && (
        <>
          {/* biome-ignore lint/a11y/useMediaCaption: a telephone call has no captions */}
          <audio
            autoPlay
            src={`/console/sound/recording/${callUuid}`}
            onTimeUpdate={({ currentTarget }) => setAt(currentTarget.currentTime)}
            onEnded={() => play(undefined)}
            onError={() => play(undefined)}
          />
          <Text size="xs">{showDuration(at)}</Text>
        </>
      )}
      <ActionIcon
        variant="subtle"
        aria-label={label}
        aria-pressed={isPlaying}
        onClick={() => {
          setAt(0);
          play(isPlaying ? undefined : callUuid);
        }}
      >
        <Icon name={isPlaying ? "stop" : "play"} />
      </ActionIcon>
    </Group>
  );
}
