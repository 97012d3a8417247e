// An announcement made where it is needed, in the middle of a form: spoken, recorded or uploaded, and chosen at once.

import { ActionIcon, FileButton, Select, Stack, Tabs, Textarea, TextInput, Tooltip } from "@mantine/core";
import { useState } from "react";
import { spokenChoices } from "../../src/nouns/choices.ts";
import { languageFor, type Language as Spoken } from "../../src/speech/language.ts";
import { useWhyNot } from "../ask/session.tsx";
import { useDo } from "../ask/use-ask.ts";
import { useLanguage, useWords } from "../words/language.tsx";
import { general } from "../words/texts.ts";
import { DoButton } from "./buttons.tsx";
import { Dialog } from "./dialog.tsx";
import { dataUrlOf } from "./files.ts";
import { Icon } from "./icon.tsx";
import { choicesOf } from "./noun-form.ts";
import { Recording } from "./recorder.tsx";
import { newSoundTexts, recorderTexts } from "./texts.ts";
import { useReplacing, useUnsaved } from "./unsaved.ts";

/** A small button beside whatever chooses a sound. */
export function NewSound({ forWhat, made }: { forWhat: string; made(id: number): void }) {
  const words = useWords(newSoundTexts);
  const [isOpen, setOpen] = useState(false);
  const whyNot = useWhyNot("sounds.speak");
  const done = (id: number) => {
    setOpen(false);
    made(id);
  };
  return (
    <>
      <Tooltip label={whyNot ?? words.make}>
        <ActionIcon
          size="input-sm"
          variant="default"
          aria-label={`${words.make}: ${forWhat}`}
          aria-haspopup="dialog"
          aria-disabled={whyNot !== undefined}
          onClick={whyNot ? undefined : () => setOpen(true)}
        >
          <Icon name="plus" />
        </ActionIcon>
      </Tooltip>
      <Dialog opened={isOpen} close={() => setOpen(false)} title={words.make} size="lg">
        <Ways done={done} />
      </Dialog>
    </>
  );
}

function Ways({ done }: { done(id: number): void }) {
  const words = useWords(newSoundTexts);
  const { record } = useWords(recorderTexts);
  const [way, take] = useState<string | null>("speak");
  const replacing = useReplacing();
  return (
    <Tabs value={way} onChange={(next) => replacing(() => take(next))} keepMounted={false}>
      <Tabs.List mb="md">
        <Tabs.Tab value="speak">{words.speak}</Tabs.Tab>
        <Tabs.Tab value="record">{record}</Tabs.Tab>
        <Tabs.Tab value="upload">{words.upload}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="speak">
        <Speaking done={done} />
      </Tabs.Panel>
      <Tabs.Panel value="record">
        <Recording done={done} />
      </Tabs.Panel>
      <Tabs.Panel value="upload">
        <Uploading done={done} />
      </Tabs.Panel>
    </Tabs>
  );
}

/** No form of its own: it may stand inside one, which would be sent with it. */
function Speaking({ done }: { done(id: number): void }) {
  const words = useWords(newSoundTexts);
  const { name: nameWord, saved } = useWords(general);
  const { language } = useLanguage();
  const speak = useDo("sounds.speak", saved);
  const [name, setName] = useState("");
  const [text, setText] = useState("");
  const [spoken, setSpoken] = useState<Spoken>(languageFor(language));
  useUnsaved(name !== "" || text !== "");
  const say = async () => {
    const made = await speak({ name, text, language: spoken });
    if (made) done(made.id);
  };
  return (
    <Stack>
      <TextInput
        label={nameWord}
        required
        maxLength={255}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Textarea
        label={words.text}
        required
        autosize
        minRows={3}
        maxLength={1_000}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Select
        label={words.language}
        data={choicesOf(spokenChoices, language).map(([value, label]) => ({ value, label }))}
        value={spoken}
        allowDeselect={false}
        onChange={(next) => next && setSpoken(next as Spoken)} // one of the choices
      />
      <DoButton
        does="sounds.speak"
        act={() => void say()}
        loading={speak.isBusy}
        disabled={name.trim() === "" || text.trim() === ""}
      >
        {words.keep}
      </DoButton>
    </Stack>
  );
}

function Uploading({ done }: { done(id: number): void }) {
  const words = useWords(newSoundTexts);
  const { saved } = useWords(general);
  const upload = useDo("sounds.upload", saved);
  const send = async (file: File | null) => {
    if (!file) return;
    const kept = await upload({ name: file.name.replace(/\.\w+$/, ""), content: await dataUrlOf(file) });
    if (kept) done(Number(kept.said));
  };
  return (
    <FileButton onChange={(file) => void send(file)} accept="audio/*">
      {(props) => (
        <DoButton does="sounds.upload" act={props.onClick} loading={upload.isBusy} leftSection={<Icon name="upload" />}>
          {words.choose}
        </DoButton>
      )}
    </FileButton>
  );
}
