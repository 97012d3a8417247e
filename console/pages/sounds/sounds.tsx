// Announcements: uploaded, recorded with the microphone, or spoken by the exchange.

import { FileButton } from "@mantine/core";
import { useState } from "react";
import { spokenChoices } from "../../../src/nouns/choices.ts";
import { languageFor, type Language as Spoken } from "../../../src/speech/language.ts";
import { showDuration } from "../../../src/words/stamps.ts";
import type { Reply } from "../../ask/ask.ts";
import { useStamps } from "../../ask/stamps.ts";
import { useRemoving, useSaving } from "../../ask/use-action.ts";
import { useDo, useNamed } from "../../ask/use-ask.ts";
import { DoButton, DoIcon } from "../../ui/buttons.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import type { Draft } from "../../ui/field.ts";
import { dataUrlOf } from "../../ui/files.ts";
import { Icon } from "../../ui/icon.tsx";
import { ListPage } from "../../ui/list-page.tsx";
import { choicesOf } from "../../ui/noun-form.ts";
import { Player } from "../../ui/player.tsx";
import { Recorder } from "../../ui/recorder.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { general } from "../../words/texts.ts";
import { soundTexts } from "./texts.ts";

type Sound = Reply<"sounds.list">[number];

export function Sounds() {
  const words = useWords(soundTexts);
  const { saved, name } = useWords(general);
  const { language } = useLanguage();
  const { dateTime } = useStamps();
  const [playing, play] = useState<Sound>();
  const upload = useDo("sounds.upload", saved);
  const send = async (file: File | null) => {
    if (file) await upload({ name: file.name.replace(/\.\w+$/, ""), content: await dataUrlOf(file) });
  };
  return (
    <ListPage<Sound>
      title={words.title}
      about={words.about}
      icon="sound"
      empty={words.empty}
      rows={useNamed("sounds.list", {})}
      keyOf={({ id }) => id}
      nameOf={({ name }) => name}
      fields={{
        name: { is: "text", label: name, required: true },
        text: { is: "area", label: words.text, required: true, fixed: true },
        language: { is: "choice", label: words.language, options: choicesOf(spokenChoices, language), fixed: true },
        file: { is: "file", label: words.replace, accept: "audio/*", when: ({ id }) => id !== undefined },
      }}
      columns={[
        { title: name, show: (sound) => <strong>{sound.name}</strong> },
        { title: "ID", show: ({ id }) => id },
        { title: words.length, show: ({ duration_ms }) => showDuration(duration_ms / 1_000), end: true },
        { title: words.when, show: ({ created_at }) => dateTime(created_at) },
      ]}
      actions={
        <>
          <FileButton onChange={(file) => void send(file)} accept="audio/*">
            {(props) => (
              <DoButton
                does="sounds.upload"
                act={props.onClick}
                variant="light"
                loading={upload.isBusy}
                leftSection={<Icon name="upload" />}
              >
                {words.upload}
              </DoButton>
            )}
          </FileButton>
          <Recorder />
        </>
      }
      make={{
        ...useSaving("sounds.speak", newSound),
        title: words.speak,
        blank: { name: "", text: "", language: languageFor(language) },
      }}
      change={useSaving("sounds.update", changedSound)}
      drop={useRemoving("sounds.delete", ({ id }) => ({ id }))}
      more={(sound) => (
        <DoIcon does="sounds.list" icon="play" label={`${words.listen}: ${sound.name}`} act={() => play(sound)} />
      )}
    >
      <Dialog opened={playing !== undefined} close={() => play(undefined)} title={playing?.name} size="lg">
        {playing && <Player url={`/console/sound/announcement/${playing.id}`} label={words.listen} />}
      </Dialog>
    </ListPage>
  );
}

function newSound({ name, text, language }: Draft) {
  return { name: String(name), text: String(text), language: language as Spoken }; // as the choice has it
}

async function changedSound({ id }: Sound, { name, file }: Draft) {
  const renamed = name === undefined ? {} : { name: String(name) };
  return { id, ...renamed, ...(file instanceof File ? { content: await dataUrlOf(file) } : {}) };
}
