// What the agent writes about the call in front of him, while it lasts and afterwards.

import { Badge, Button, Checkbox, Chip, Group, Input, Stack, TagsInput, Text, Textarea } from "@mantine/core";
import type { FormEvent } from "react";
import type { Reply } from "../../ask/ask.ts";
import { useStamps } from "../../ask/stamps.ts";
import { useDo } from "../../ask/use-ask.ts";
import { DoButton } from "../../ui/buttons.tsx";
import { Surface } from "../../ui/page.tsx";
import { useWords } from "../../words/language.tsx";
import { asSaved, type NoteDraft, useNoteDraft } from "./drafts.ts";
import { noteTexts } from "./texts.ts";

export type Card = Reply<"desk.card">;
type Note = Card["notes"][number];

const nothing: NoteDraft = { note: "", tags: [], disposition: null, open: false };

export function NoteForm({
  card,
  extension,
  tags,
  isWrappingUp,
}: {
  card: Card;
  extension: string;
  tags: string[];
  isWrappingUp: boolean;
}) {
  const words = useWords(noteTexts);
  const { time } = useStamps();
  const own = card.notes.find((note) => note.extension === extension);
  const { draft, isDirty, change } = useNoteDraft(card.call.callUuid, own ? draftOf(own) : nothing);
  const save = useDo("desk.note", words.saved);
  const ready = useDo("desk.ready");
  const submit = () => save({ uuid: card.call.callUuid, ...asSaved(draft) });
  const isOwed = card.queue?.dispositionRequired === true && own?.owesDisposition === true;
  return (
    <Surface
      title={words.title}
      actions={
        <Text size="sm" c="dimmed" component="div" role="status">
          {isDirty ? (
            <Badge color="orange">{words.unsaved}</Badge>
          ) : (
            own?.changedAt && words.savedAt(time(own.changedAt))
          )}
        </Text>
      }
    >
      <form
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          void submit();
        }}
      >
        <Stack gap="sm" p="md" pt="xs">
          <Dispositions
            choices={card.queue?.dispositions ?? []}
            isOwed={isOwed}
            value={draft.disposition}
            change={(disposition) => change({ disposition })}
          />
          <Textarea
            label={words.note}
            value={draft.note}
            onChange={(event) => change({ note: event.currentTarget.value })}
            autosize
            minRows={3}
            maxRows={12}
            maxLength={10_000}
          />
          <TagsInput
            label={words.tags}
            placeholder={draft.tags.length === 0 ? words.tagsHint : ""}
            data={tags}
            value={draft.tags}
            onChange={(next) => change({ tags: next.map((tag) => tag.replaceAll(",", " ").trim().slice(0, 50)) })}
            maxTags={20}
          />
          <Checkbox
            label={words.isOpen}
            checked={draft.open}
            onChange={(event) => change({ open: event.currentTarget.checked })}
          />
          <Group justify="flex-end" gap="xs">
            {isWrappingUp && (
              <DoButton
                does="desk.note"
                variant="light"
                loading={ready.isBusy}
                act={() => void submit().then((done) => done && ready({}))}
              >
                {words.saveAndReady}
              </DoButton>
            )}
            <Button type="submit" loading={save.isBusy} disabled={!isDirty}>
              {words.save}
            </Button>
          </Group>
          <OthersNotes notes={card.notes.filter((note) => note.extension !== extension && isWritten(note))} />
        </Stack>
      </form>
    </Surface>
  );
}

function Dispositions({
  choices,
  isOwed,
  value,
  change,
}: {
  choices: readonly string[];
  isOwed: boolean;
  value: string | null;
  change(next: string | null): void;
}) {
  const words = useWords(noteTexts);
  // One that was taken off the list since still stands where it was given.
  const shown = value !== null && !choices.includes(value) ? [...choices, value] : choices;
  if (shown.length === 0) return null;
  return (
    <Input.Wrapper
      label={isOwed ? `${words.disposition} (${words.required})` : words.disposition}
      labelElement="div"
      role="radiogroup"
      aria-label={words.disposition}
    >
      <Chip.Group value={value} onChange={(next) => change(next as string)}>
        <Group gap={6} mt={4}>
          {shown.map((choice) => (
            <Chip key={choice} value={choice} onClick={() => value === choice && !isOwed && change(null)}>
              {choice}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
    </Input.Wrapper>
  );
}

function OthersNotes({ notes }: { notes: Note[] }) {
  const words = useWords(noteTexts);
  return notes.map((note) => (
    <div key={note.extension}>
      <Text size="xs" c="dimmed">
        {words.byOthers(note.extension)}
      </Text>
      <NoteShown note={note} />
    </div>
  ));
}

/** One note as it reads: what became of it, its tags, its text. */
export function NoteShown({
  note: { disposition, tags, note },
}: {
  note: Pick<Note, "disposition" | "tags" | "note">;
}) {
  const first = [disposition ?? "", ...tags.map((tag) => `#${tag}`)].filter((text) => text !== "").join(" · ");
  return (
    <>
      {first !== "" && (
        <Text size="sm" fw={600}>
          {first}
        </Text>
      )}
      {note !== "" && (
        <Text size="sm" style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
          {note}
        </Text>
      )}
    </>
  );
}

export function isWritten({ disposition, tags, note }: Pick<Note, "disposition" | "tags" | "note">): boolean {
  return disposition !== null || tags.length > 0 || note !== "";
}

function draftOf({ note, tags, disposition, isOpen }: Note): NoteDraft {
  return { note, tags, disposition, open: isOpen };
}
