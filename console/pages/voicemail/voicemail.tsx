// Messages that callers left, to be heard here; hearing one marks it as heard.

import { Badge, SegmentedControl, Select } from "@mantine/core";
import { useState } from "react";
import { showDuration } from "../../../src/words/stamps.ts";
import type { Reply } from "../../ask/ask.ts";
import { useExtensionChoices } from "../../ask/choices.ts";
import { useStamps } from "../../ask/stamps.ts";
import { useDo } from "../../ask/use-ask.ts";
import { usePaged } from "../../ask/use-paged.ts";
import { DeleteIcon, DoIcon } from "../../ui/buttons.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { PageFrame, Surface } from "../../ui/page.tsx";
import { Player } from "../../ui/player.tsx";
import { type Column, PagedRows, useRowButtons } from "../../ui/rows.tsx";
import { useWords } from "../../words/language.tsx";
import { general } from "../../words/texts.ts";
import { texts } from "./texts.ts";

type Message = Reply<"voicemail.list">["rows"][number];

export function Voicemail() {
  const words = useWords(texts);
  const { all } = useWords(general);
  const [extension, setExtension] = useState<string | null>(null);
  const [which, setWhich] = useState("all");
  const [playing, play] = useState<Message>();
  const heard = which === "all" ? {} : { read: which === "heard" };
  const messages = usePaged("voicemail.list", { extension: extension ?? "", ...heard });
  const columns = useColumns(play);
  return (
    <PageFrame
      title={words.title}
      actions={
        <>
          <Select
            aria-label={words.extension}
            placeholder={words.anybody}
            clearable
            searchable
            data={useExtensionChoices()}
            value={extension}
            onChange={setExtension}
          />
          <SegmentedControl
            aria-label={words.show}
            value={which}
            onChange={setWhich}
            data={[
              { value: "all", label: all },
              { value: "unheard", label: words.unheard },
              { value: "heard", label: words.heard },
            ]}
          />
        </>
      }
    >
      <Surface>
        <PagedRows
          pages={messages}
          label={words.title}
          keyOf={({ uuid }) => uuid}
          columns={columns}
          empty={{ icon: "voicemail", says: words.none }}
        />
      </Surface>
      <Dialog opened={playing !== undefined} close={() => play(undefined)} title={playing?.callerIdNumber} size="lg">
        {playing && <Player url={`/console/sound/voicemail/${playing.uuid}`} label={words.listen} />}
      </Dialog>
    </PageFrame>
  );
}

function useColumns(play: (message: Message) => void): Column<Message>[] {
  const words = useWords(texts);
  const { removed } = useWords(general);
  const { dateTime } = useStamps();
  const remove = useDo("voicemail.delete", removed);
  const markRead = useDo("voicemail.markRead");
  const hear = (message: Message) => {
    play(message);
    if (message.readStamp === null) void markRead({ uuid: message.uuid });
  };
  return [
    { title: words.when, show: ({ startStamp }) => dateTime(startStamp) },
    { title: words.extension, show: ({ userNumber }) => <strong>{userNumber}</strong> },
    { title: words.from, show: ({ callerIdNumber, callerIdName }) => `${callerIdNumber} ${callerIdName}`.trim() },
    { title: words.length, show: ({ durationSeconds }) => showDuration(durationSeconds), end: true },
    {
      title: words.state,
      show: ({ readStamp }) => (
        <Badge color={readStamp ? "gray" : "orange"}>{readStamp ? words.heard : words.unheard}</Badge>
      ),
    },
    useRowButtons<Message>((message) => (
      <>
        <DoIcon
          does="voicemail.list"
          icon="play"
          label={`${words.listen}: ${message.callerIdNumber}`}
          act={() => hear(message)}
        />
        <DeleteIcon
          does="voicemail.delete"
          what={message.callerIdNumber}
          act={() => remove({ uuid: message.uuid, extension: message.userNumber })}
        />
      </>
    )),
  ];
}
