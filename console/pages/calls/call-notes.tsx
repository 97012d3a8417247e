// What agents wrote about one call, and the way to the desk where it is written.

import { Anchor, Stack, Text } from "@mantine/core";
import { Link } from "wouter";
import type { Reply } from "../../ask/ask.ts";
import { useSession } from "../../ask/session.tsx";
import { useStamps } from "../../ask/stamps.ts";
import { Surface } from "../../ui/page.tsx";
import { useWords } from "../../words/language.tsx";
import { texts } from "./texts.ts";

type Note = Reply<"calls.show">["notes"][number];

export function CallNotes({ uuid, notes }: { uuid: string; notes: Note[] }) {
  const words = useWords(texts);
  const { extension, may } = useSession();
  const hasDesk = may.includes("desk.show") && extension !== null;
  if (notes.length === 0 && !hasDesk) return null;
  return (
    <Surface
      title={words.notes}
      actions={
        hasDesk && (
          <Anchor component={Link} href={`/desk?call=${uuid}`} size="sm">
            {words.atDesk}
          </Anchor>
        )
      }
    >
      <Stack gap="sm" p="md" pt="xs">
        {notes.length === 0 && (
          <Text size="sm" c="dimmed">
            —
          </Text>
        )}
        {notes.map((note) => (
          <OneNote key={note.extension} note={note} />
        ))}
      </Stack>
    </Surface>
  );
}

function OneNote({ note }: { note: Note }) {
  const words = useWords(texts);
  const { dateTime } = useStamps();
  const given = [
    note.disposition ?? (note.owesDisposition ? words.owesDisposition : ""),
    ...note.tags.map((tag) => `#${tag}`),
    note.isOpen ? words.openNote : "",
  ].filter((text) => text !== "");
  return (
    <div>
      <Text size="xs" c="dimmed">
        {words.writtenBy(note.extension, dateTime(note.changedAt ?? note.at))}
      </Text>
      <Text size="sm" fw={600}>
        {given.join(" · ")}
      </Text>
      <Text size="sm" style={{ overflowWrap: "anywhere", whiteSpace: "pre-wrap" }}>
        {note.note}
      </Text>
    </div>
  );
}
