// The caller's card: who it is, how he came, what is still to be done about him, and what there was before.

import { Anchor, Badge, Button, Group, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { showDuration } from "../../../src/words/stamps.ts";
import { storyInWords } from "../../../src/words/story/story.ts";
import { useStamps } from "../../ask/stamps.ts";
import { useDo } from "../../ask/use-ask.ts";
import { DoButton } from "../../ui/buttons.tsx";
import { Direction } from "../../ui/direction.tsx";
import { Surface } from "../../ui/page.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { type Card, isWritten, NoteShown } from "./note-form.tsx";
import { texts } from "./texts.ts";

/** `link`: where the customer's own program knows more. */
export function CallerCard({ card, isRinging, link }: { card: Card; isRinging: boolean; link: string | undefined }) {
  const words = useWords(texts);
  const { call } = card;
  const state = isRinging ? words.ringing : call.isUp ? words.up : words.over;
  return (
    <Surface
      title={words.card}
      actions={
        <Group gap="xs">
          {link !== undefined && (
            <Button
              component="a"
              href={link}
              target="_blank"
              rel="noopener noreferrer"
              size="compact-sm"
              variant="light"
            >
              {words.openIn}
            </Button>
          )}
          <Badge color={isRinging ? "yellow" : call.isUp ? "teal" : "gray"}>{state}</Badge>
        </Group>
      }
    >
      <Stack gap="sm" p="md" pt="xs">
        <Who card={card} />
        <Facts card={card} />
        <OpenNotes card={card} />
        <Former card={card} />
      </Stack>
    </Surface>
  );
}

function Who({ card: { call, contact } }: { card: Card }) {
  const words = useWords(texts);
  const name = contact ? `${contact.name} ${contact.surname}`.trim() : call.name;
  const number = call.number || words.withheld;
  return (
    <div>
      <Title order={3} size="h3" style={{ overflowWrap: "anywhere" }}>
        {name || number}
      </Title>
      <Text c="dimmed" size="sm">
        {[name === "" ? "" : number, contact?.title, contact?.company].filter(Boolean).join(" · ")}
        {contact === null && call.direction !== "internal" && (name === "" ? words.unknown : ` · ${words.unknown}`)}
      </Text>
    </div>
  );
}

function Facts({ card: { call, contact, queue, keys } }: { card: Card }) {
  const words = useWords(texts);
  const { language } = useLanguage();
  const { time } = useStamps();
  const facts: [label: string, value: ReactNode][] = [
    [words.began, <span key="began">{time(call.at)}</span>],
    ...(call.queue === null
      ? []
      : ([
          [words.queue, `${call.queue} ${queue?.name ?? ""}`.trim()],
          [words.waited, showDuration(call.waitSeconds)],
        ] as [string, ReactNode][])),
    ...(keys.length === 0
      ? []
      : ([[words.pressed, keys.map((line) => storyInWords(line, language)).join("; ")]] as [string, ReactNode][])),
    ...([
      [words.email, contact?.email],
      [words.address, contact?.address],
      [words.contactNote, contact?.note],
    ].filter(([, value]) => value) as [string, ReactNode][]),
  ];
  return (
    <SimpleGrid cols={{ base: 2, sm: 3 }} spacing="sm">
      {facts.map(([label, value]) => (
        <div key={label}>
          <Text size="xs" c="dimmed">
            {label}
          </Text>
          <Text size="sm" component="div" style={{ overflowWrap: "anywhere", whiteSpace: "pre-wrap" }}>
            {value}
          </Text>
        </div>
      ))}
    </SimpleGrid>
  );
}

function OpenNotes({ card: { open, call } }: { card: Card }) {
  const words = useWords(texts);
  const { dateTime } = useStamps();
  const close = useDo("desk.closeNote", words.closed);
  if (open.length === 0) return null;
  return (
    <div>
      <Title order={3} size="h5">
        {words.openNotes}
      </Title>
      {open.map((note) => (
        <Group
          key={`${note.callUuid} ${note.extension}`}
          justify="space-between"
          wrap="nowrap"
          align="flex-start"
          py={4}
        >
          <div style={{ minWidth: 0 }}>
            <Text size="xs" c="dimmed">
              {dateTime(note.at)} · {note.extension}
            </Text>
            <NoteShown note={note} />
          </div>
          <DoButton
            does="desk.closeNote"
            size="compact-sm"
            variant="light"
            act={() => void close({ uuid: note.callUuid, about: call.callUuid, extension: note.extension })}
            style={{ flexShrink: 0 }}
          >
            {words.done}
          </DoButton>
        </Group>
      ))}
    </div>
  );
}

function Former({ card: { calls } }: { card: Card }) {
  const words = useWords(texts);
  const { dateTime } = useStamps();
  return (
    <div>
      <Title order={3} size="h5">
        {words.former}
      </Title>
      {calls.length === 0 && (
        <Text size="sm" c="dimmed">
          {words.noFormer}
        </Text>
      )}
      {calls.map(({ callUuid, isOpen, direction, at, talkSeconds, extension, extensionName, notes }) => (
        <div key={callUuid} style={{ padding: "4px 0" }}>
          <Group gap={8}>
            <Direction direction={direction} />
            {isOpen ? (
              <Anchor component={Link} href={`/calls/${callUuid}`} size="sm">
                {dateTime(at)}
              </Anchor>
            ) : (
              <Text size="sm">{dateTime(at)}</Text>
            )}
            <Text size="sm" c="dimmed">
              {extension === ""
                ? words.nobodyTook
                : `${words.with(`${extension} ${extensionName}`.trim())} · ${showDuration(talkSeconds)}`}
            </Text>
          </Group>
          {notes.filter(isWritten).map((note) => (
            <NoteShown key={note.extension} note={note} />
          ))}
        </div>
      ))}
    </div>
  );
}
