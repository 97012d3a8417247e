// A sound with its picture: the wave is drawn from the sound itself, and a click or the arrow keys move through it.

import { ActionIcon, Box, Group, Slider, Text } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { showDuration } from "../../src/words/stamps.ts";
import { useWords } from "../words/language.tsx";
import { Icon } from "./icon.tsx";
import { playerTexts } from "./texts.ts";

const BARS = 160;
const HEIGHT = 48;
/** A longer sound is played, but not drawn: decoding it would hold up the page. */
const MOST_DRAWN_BYTES = 40 * 1024 * 1024;

/** `sound`: what stands at the address, where it is in memory already. */
export function Player({ url, label, sound }: { url: string; label: string; sound?: Blob }) {
  const words = useWords(playerTexts);
  const audio = useRef<HTMLAudioElement>(null);
  const [isPlaying, setPlaying] = useState(false);
  const [at, setAt] = useState(0);
  const [said, setSaid] = useState(0);
  const [isMissing, miss] = useState(false);
  const { peaks, seconds } = useWave(url, sound);
  // A recording that has just been made does not say how long it is; its samples do.
  const length = said || seconds;
  const move = (seconds: number) => {
    if (audio.current) audio.current.currentTime = seconds;
    setAt(seconds);
  };
  const toggle = () => void (isPlaying ? audio.current?.pause() : audio.current?.play().catch(() => setPlaying(false)));
  return (
    <Box role="group" aria-label={label}>
      {/* biome-ignore lint/a11y/useMediaCaption: a telephone call has no captions */}
      <audio
        ref={audio}
        src={url}
        preload="metadata"
        onError={() => miss(true)}
        onPlay={() => setPlaying(true)}
        onPause={() => setPlaying(false)}
        onTimeUpdate={({ currentTarget }) => setAt(currentTarget.currentTime)}
        onLoadedMetadata={({ currentTarget }) =>
          setSaid(Number.isFinite(currentTarget.duration) ? currentTarget.duration : 0)
        }
      />
      <Group wrap="nowrap" gap="sm">
        <ActionIcon size="xl" radius="xl" onClick={toggle} aria-label={isPlaying ? words.pause : words.listen}>
          <Icon name={isPlaying ? "pause" : "play"} />
        </ActionIcon>
        <Box flex={1} miw={0}>
          <Wave wave={peaks} played={length > 0 ? at / length : 0} />
          <Slider
            value={at}
            max={Math.max(length, 0.1)}
            step={0.1}
            onChange={move}
            size="xs"
            label={(seconds) => showDuration(seconds)}
            thumbLabel={words.position}
          />
        </Box>
        <Text size="sm" w={90} ta="right" style={{ flexShrink: 0 }}>
          {showDuration(at)} / {showDuration(length)}
        </Text>
        <ActionIcon component="a" href={url} download variant="subtle" aria-label={words.download}>
          <Icon name="download" />
        </ActionIcon>
      </Group>
      {isMissing && (
        <Text size="sm" c="red" role="status">
          {words.unheard}
        </Text>
      )}
    </Box>
  );
}

/** Caller above the line, called party below it, where the recording has a channel for each. */
function Wave({ wave, played }: { wave: number[][]; played: number }) {
  const [above = [], below = above] = wave;
  return (
    <svg viewBox={`0 0 ${BARS} ${HEIGHT}`} width="100%" height={HEIGHT} preserveAspectRatio="none" aria-hidden="true">
      {above.map((peak, index) => {
        const up = Math.max(0.5, (peak * HEIGHT) / 2);
        const down = Math.max(0.5, ((below[index] ?? 0) * HEIGHT) / 2);
        const color = index / BARS < played ? "var(--mantine-primary-color-filled)" : "var(--mantine-color-gray-5)";
        // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place
        return <rect key={index} x={index + 0.15} y={HEIGHT / 2 - up} width={0.7} height={up + down} fill={color} />;
      })}
    </svg>
  );
}

type Drawn = { peaks: number[][]; seconds: number };

const UNDRAWN: Drawn = { peaks: [], seconds: 0 };

function useWave(url: string, sound: Blob | undefined): Drawn {
  const [wave, setWave] = useState(UNDRAWN);
  useEffect(() => {
    const leaving = new AbortController();
    void (sound ? sound.arrayBuffer() : fetchSound(url, leaving.signal))
      .then((bytes) => (bytes ? drawWave(bytes) : UNDRAWN))
      .then((read) => setWave(read))
      .catch(() => undefined); // without a picture the sound plays all the same
    return () => leaving.abort();
  }, [url, sound]);
  return wave;
}

async function fetchSound(url: string, signal: AbortSignal): Promise<ArrayBuffer | undefined> {
  const response = await fetch(url, { signal });
  if (!response.ok || Number(response.headers.get("content-length")) > MOST_DRAWN_BYTES) return undefined;
  return response.arrayBuffer();
}

async function drawWave(bytes: ArrayBuffer): Promise<Drawn> {
  const context = new OfflineAudioContext(1, 1, 8_000);
  const sound = await context.decodeAudioData(bytes);
  const peaks = Array.from({ length: sound.numberOfChannels }, (_, channel) => peaksOf(sound.getChannelData(channel)));
  return { peaks, seconds: sound.duration };
}

function peaksOf(samples: Float32Array): number[] {
  const each = Math.max(1, Math.floor(samples.length / BARS));
  return Array.from({ length: BARS }, (_, bar) => {
    let peak = 0;
    for (let at = bar * each; at < Math.min((bar + 1) * each, samples.length); at++)
      peak = Math.max(peak, Math.abs(samples[at] ?? 0));
    return Math.min(1, peak);
  });
}
