// Where contacts come from outside: the sources, how each of them fares, and what somebody has to decide.

import { Badge, Button, Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { contactSource } from "../../../src/nouns/contact-source.ts";
import { sourceFailureInWords } from "../../../src/words/contact-sources.ts";
import type { Parameters } from "../../ask/ask.ts";
import { useStamps } from "../../ask/stamps.ts";
import { useSaving } from "../../ask/use-action.ts";
import { useDo, useNamed } from "../../ask/use-ask.ts";
import { DoButton, DoIcon } from "../../ui/buttons.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import type { Draft, Field } from "../../ui/field.ts";
import { ListSurface } from "../../ui/list-page.tsx";
import { blankOf, setIn } from "../../ui/noun-form.ts";
import { useNoun } from "../../ui/use-noun.ts";
import { useLanguage, useWords } from "../../words/language.tsx";
import { general } from "../../words/texts.ts";
import type { Source } from "./source.ts";
import { FaultsButton } from "./source-faults.tsx";
import { sourceTexts } from "./texts.ts";
import { TryButton } from "./try-source.tsx";

type Changes = Parameters<"contactSources.update">["changes"];

const LOOK_AGAIN_MS = 5_000;
const blank = { name: "", ...blankOf(contactSource) };

export function ContactSources() {
  const words = useWords(sourceTexts);
  const { name } = useWords(general);
  const fields = useFields();
  return (
    <ListSurface<Source>
      title={words.title}
      icon="book"
      empty={words.empty}
      rows={useNamed("contactSources.list", {}, { refetchMs: LOOK_AGAIN_MS })}
      keyOf={({ id }) => id}
      nameOf={({ name }) => name}
      fields={fields}
      filters={
        <Text size="sm" c="dimmed" px="md" pb="xs">
          {words.about}
        </Text>
      }
      columns={[
        { title: name, show: (row) => <Called source={row} /> },
        { title: words.state, show: (row) => <State source={row} /> },
        { title: words.lastRun, show: (row) => <LastRun source={row} /> },
        { title: words.contacts, show: ({ contacts }) => contacts, end: true },
      ]}
      make={{ ...useSaving("contactSources.create", newSource), title: words.add, blank }}
      change={{
        ...useSaving("contactSources.update", ({ name }: Source, changes: Draft) => ({
          name,
          changes: changes as Changes,
        })),
        draftOf: draftOf,
      }}
      aside={(row) => (form) => <TryButton form={form} source={row} />}
      more={(row) => <RowButtons source={row} />}
    />
  );
}

function newSource(draft: Draft): Parameters<"contactSources.create"> {
  const { kind: _kind, url: _url, ...changes } = setIn(contactSource, draft);
  return { name: String(draft.name), kind: draft.kind as Source["kind"], url: String(draft.url), changes };
}

/** What is set of it, without how it fares. */
function draftOf({ kind, url, address_book, username, columns, every_minutes, active }: Source): Draft {
  return { kind, url, address_book: address_book ?? "", username: username ?? "", columns, every_minutes, active };
}

function useFields(): Record<string, Field> {
  const { name } = useWords(general);
  const fields = useNoun(contactSource);
  const isBook = ({ kind }: Draft) => kind === undefined || kind === "carddav";
  const isFile = ({ kind }: Draft) => kind === undefined || kind === "file";
  return {
    name: { is: "text", label: name, longest: 64, required: true, fixed: true },
    ...fields,
    address_book: { ...fields.address_book, when: isBook },
    columns: { ...fields.columns, when: isFile },
  };
}

function Called({ source: { name, url, kind } }: { source: Source }) {
  const { kind: kinds } = contactSource.fields;
  const { language } = useLanguage();
  return (
    <Stack gap={2}>
      <strong>{name}</strong>
      <Text size="xs" c="dimmed" style={{ overflowWrap: "anywhere" }}>
        {kinds.among[kind][language]} · {url}
      </Text>
    </Stack>
  );
}

function State({ source }: { source: Source }) {
  const words = useWords(sourceTexts);
  const { language } = useLanguage();
  const { dateTime } = useStamps();
  const { active, isRunning, failure, failureAbout, failingSince, heldRemovals } = source;
  const [color, text] = !active
    ? ["gray", words.paused]
    : isRunning
      ? ["blue", words.running]
      : failure
        ? ["red", words.failing]
        : heldRemovals > 0
          ? ["yellow", words.waiting]
          : ["teal", words.working];
  return (
    <Stack gap={2} align="flex-start">
      <Badge color={color}>{text}</Badge>
      {failure && (
        <Text size="xs" c="dimmed">
          {sourceFailureInWords(failure, failureAbout, language)}
          {failingSince ? ` (${words.since(dateTime(Date.parse(failingSince)))})` : ""}
        </Text>
      )}
      {heldRemovals > 0 && <Held source={source} />}
    </Stack>
  );
}

function Held({ source: { name, heldRemovals } }: { source: Source }) {
  const words = useWords(sourceTexts);
  const confirm = useDo("contactSources.confirm", words.confirmed);
  return (
    <Group gap="xs">
      <Text size="xs">{words.held(heldRemovals)}</Text>
      <DoButton
        does="contactSources.confirm"
        size="compact-xs"
        color="red.8"
        variant="light"
        loading={confirm.isBusy}
        act={() => void confirm({ name })}
      >
        {words.confirm}
      </DoButton>
    </Group>
  );
}

function LastRun({ source }: { source: Source }) {
  const words = useWords(sourceTexts);
  const { dateTime } = useStamps();
  const { lastRunAt, nextRunAt, added, changed, removed, active } = source;
  return (
    <Stack gap={2} align="flex-start">
      <Text size="sm">{lastRunAt ? dateTime(Date.parse(lastRunAt)) : words.never}</Text>
      {lastRunAt && (
        <Text size="xs" c="dimmed">
          {words.counts(added, changed, removed)}
        </Text>
      )}
      {active && (
        <Text size="xs" c="dimmed">
          {words.nextRun}: {dateTime(Date.parse(nextRunAt))}
        </Text>
      )}
      <FaultsButton source={source} />
    </Stack>
  );
}

function RowButtons({ source: { name, active } }: { source: Source }) {
  const words = useWords(sourceTexts);
  const run = useDo("contactSources.run", words.asked);
  const update = useDo("contactSources.update", useWords(general).saved);
  return (
    <>
      {active && (
        <DoIcon
          does="contactSources.run"
          act={() => void run({ name })}
          icon="refresh"
          label={`${words.run}: ${name}`}
        />
      )}
      <DoIcon
        does="contactSources.update"
        act={() => void update({ name, changes: { active: !active } })}
        icon={active ? "pause" : "play"}
        label={`${active ? words.pause : words.resume}: ${name}`}
      />
      <RemoveIcon name={name} />
    </>
  );
}

function RemoveIcon({ name }: { name: string }) {
  const words = useWords(sourceTexts);
  const { cancel, remove, removed } = useWords(general);
  const [isOpen, setOpen] = useState(false);
  const drop = useDo("contactSources.delete", removed);
  const act = (keeps: boolean) => void drop({ name, keeps }).then(() => setOpen(false));
  return (
    <>
      <DoIcon
        does="contactSources.delete"
        act={() => setOpen(true)}
        icon="trash"
        label={`${remove}: ${name}`}
        color="red"
      />
      <Dialog opened={isOpen} close={() => setOpen(false)} title={`${words.removeTitle}: ${name}`}>
        <Stack>
          <Text>{words.removeAbout}</Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={() => setOpen(false)}>
              {cancel}
            </Button>
            <Button variant="light" loading={drop.isBusy} onClick={() => act(true)}>
              {words.removeKeep}
            </Button>
            <Button color="red.8" loading={drop.isBusy} onClick={() => act(false)}>
              {words.removeAll}
            </Button>
          </Group>
        </Stack>
      </Dialog>
    </>
  );
}
