// An announcement by one's own voice: recorded with this computer's microphone, listened to, and only then kept.

import { Alert, Button, Center, Group, Progress, Stack, Text, TextInput } from "@mantine/core";
import { useInterval } from "@mantine/hooks";
import { type ReactNode, useEffect, useState } from "react";
import { showDuration } from "../../src/words/stamps.ts";
import { useStamps } from "../ask/stamps.ts";
import { useDo } from "../ask/use-ask.ts";
import { useLanguage, useWords } from "../words/language.tsx";
import { general } from "../words/texts.ts";
import { DoButton } from "./buttons.tsx";
import { Dialog } from "./dialog.tsx";
import { dataUrlOf } from "./files.ts";
import { Icon } from "./icon.tsx";
import { type Microphone, type NoMicrophone, openMicrophone } from "./microphone.ts";
import { Player } from "./player.tsx";
import { noMicrophone, recorderTexts } from "./texts.ts";
import { useUnsaved } from "./unsaved.ts";

/** As long as the exchange lets an announcement be. */
const LONGEST_SECONDS = 600;
const LOOK_MS = 80;
const FALLS = 0.85;
/** A voice, however soft, comes above this at some time. */
const QUIET = 0.15;

type Taken = { sound: Blob; seconds: number; isQuiet: boolean };
type Stage =
  | { at: "ready"; missing?: NoMicrophone }
  | { at: "recording"; microphone: Microphone }
  | ({ at: "taken" } & Taken);

export function Recorder() {
  const words = useWords(recorderTexts);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <DoButton
        does="sounds.upload"
        variant="light"
        leftSection={<Icon name="record" />}
        act={() => setOpen(true)}
        aria-haspopup="dialog"
      >
        {words.record}
      </DoButton>
      <Dialog opened={isOpen} close={() => setOpen(false)} title={words.title} size="lg">
        <Recording done={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

/** `done` gets the id of what was kept. */
export function Recording({ done }: { done(id: number): void }) {
  const [stage, setStage] = useState<Stage>({ at: "ready" });
  useUnsaved(stage.at === "taken");
  const begin = () =>
    void openMicrophone().then((microphone) =>
      setStage(typeof microphone === "string" ? { at: "ready", missing: microphone } : { at: "recording", microphone }),
    );
  if (stage.at === "recording")
    return <Live microphone={stage.microphone} take={(taken) => setStage({ at: "taken", ...taken })} />;
  if (stage.at === "taken") return <Kept taken={stage} again={begin} done={done} />;
  return <Ready missing={stage.missing} begin={begin} />;
}

function Ready({ missing, begin }: { missing: NoMicrophone | undefined; begin(): void }) {
  const words = useWords(recorderTexts);
  const { language } = useLanguage();
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        {words.about(LONGEST_SECONDS / 60)}
      </Text>
      {missing && (
        <Alert color="red" role="alert" title={words.noneTitle} icon={<Icon name="block" />}>
          {noMicrophone[missing][language]}
        </Alert>
      )}
      <Center py="md">
        <Button size="md" leftSection={<Icon name="record" />} onClick={begin} data-autofocus>
          {words.begin}
        </Button>
      </Center>
    </Stack>
  );
}

function Live({ microphone, take }: { microphone: Microphone; take(taken: Taken): void }) {
  const words = useWords(recorderTexts);
  const [now, setNow] = useState({ level: 0, seconds: 0, loudest: 0 });
  const stop = () => {
    const { loudest } = now;
    const seconds = microphone.seconds();
    void microphone.finish().then((sound) => take({ sound, seconds, isQuiet: loudest < QUIET }));
  };
  useInterval(
    () => {
      const [level, seconds] = [microphone.level(), microphone.seconds()];
      // A word is over in a blink: the bar rises at once and falls slowly.
      setNow((before) => ({
        level: Math.max(level, before.level * FALLS),
        seconds,
        loudest: Math.max(before.loudest, level),
      }));
      if (seconds >= LONGEST_SECONDS) stop();
    },
    LOOK_MS,
    { autoInvoke: true },
  );
  // Who closes the window in mid-sentence wants nothing kept.
  useEffect(() => microphone.drop, [microphone]);
  return (
    <Stack>
      <Group justify="space-between">
        <Group gap="xs" c="red">
          <Icon name="record" />
          <Text fw={600} role="status">
            {words.recording}
          </Text>
        </Group>
        <Text role="timer" data-testid="recorded">
          {showDuration(now.seconds)} / {showDuration(LONGEST_SECONDS)}
        </Text>
      </Group>
      <Progress.Root size="xl">
        <Progress.Section
          value={Math.round(now.level * 100)}
          color={now.level > 0.95 ? "red" : "teal"}
          aria-label={words.level}
          data-testid="level"
        />
      </Progress.Root>
      <Center py="md">
        <Button size="md" color="red.8" leftSection={<Icon name="stop" />} onClick={stop} data-autofocus>
          {words.stop}
        </Button>
      </Center>
    </Stack>
  );
}

function Kept({
  taken: { sound, seconds, isQuiet },
  again,
  done,
}: {
  taken: Taken;
  again(): void;
  done(id: number): void;
}) {
  const words = useWords(recorderTexts);
  const { name: nameWord, saved } = useWords(general);
  const { dateTime } = useStamps();
  const upload = useDo("sounds.upload", saved);
  const [name, setName] = useState(`${words.named} ${dateTime(Date.now())}`);
  const keep = async () => {
    // The exchange knows sounds by their ending; what Chromium calls webm is read like its sister ogg.
    const ending = sound.type.includes("mp4") ? "m4a" : "ogg";
    const content = await dataUrlOf(new File([sound], `recording.${ending}`, { type: sound.type }));
    const kept = await upload({ name, content });
    if (kept) done(Number(kept.said));
  };
  const remarks: ReactNode[] = [
    seconds >= LONGEST_SECONDS && words.atLimit(LONGEST_SECONDS / 60),
    isQuiet && words.quiet,
  ].filter(Boolean);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void keep();
      }}
    >
      <Stack>
        {remarks.map((remark) => (
          <Alert key={String(remark)} color="yellow" role="status">
            {remark}
          </Alert>
        ))}
        <TakenPlayer sound={sound} label={words.listen} />
        <TextInput
          label={nameWord}
          required
          maxLength={255}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Group justify="flex-end">
          <Button variant="default" leftSection={<Icon name="refresh" />} onClick={again} disabled={upload.isBusy}>
            {words.again}
          </Button>
          <DoButton does="sounds.upload" type="submit" act={() => undefined} loading={upload.isBusy}>
            {words.keep}
          </DoButton>
        </Group>
      </Stack>
    </form>
  );
}

/** The address of a sound in memory lives as long as its player. */
function TakenPlayer({ sound, label }: { sound: Blob; label: string }) {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(sound);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [sound]);
  return url && <Player url={url} label={label} sound={sound} />;
}
