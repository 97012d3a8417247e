// Backups: made now or by a plan, fetched, and deleted.

import { Alert, Code, Group, Stack, Text } from "@mantine/core";
import type { Parameters, Reply } from "../../ask/ask.ts";
import { useStamps } from "../../ask/stamps.ts";
import { useAsk, useDo } from "../../ask/use-ask.ts";
import { DeleteIcon, DoButton, DoIcon } from "../../ui/buttons.tsx";
import { FieldInput } from "../../ui/field-input.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Surface } from "../../ui/page.tsx";
import { Rows, useRowButtons } from "../../ui/rows.tsx";
import { Asked } from "../../ui/states.tsx";
import { useDraft } from "../../ui/use-draft.ts";
import { useWords } from "../../words/language.tsx";
import { useBytes } from "./bytes.ts";
import { texts } from "./texts.ts";

type Kept = Reply<"backups.list">;
type File = Kept["files"][number];
type Plan = Parameters<"backups.plan">;

const LOOK_AGAIN_MS = 2_000;

export function Backups() {
  const words = useWords(texts);
  const make = useDo("backups.make", words.begun);
  const query = useAsk("backups.list", {}, { refetchMs: LOOK_AGAIN_MS });
  const isBusy = make.isBusy || (query.data?.underWaySinceMs ?? null) !== null;
  return (
    <Surface
      title={words.backups}
      actions={
        <DoButton does="backups.make" loading={isBusy} leftSection={<Icon name="download" />} act={() => void make({})}>
          {words.make}
        </DoButton>
      }
    >
      <Asked query={query}>{(kept) => <Listed kept={kept} />}</Asked>
    </Surface>
  );
}

function Listed({ kept: { files, plan, underWaySinceMs, failed } }: { kept: Kept }) {
  const words = useWords(texts);
  const { dateTime } = useStamps();
  const bytes = useBytes();
  const lend = useDo("backups.download");
  const remove = useDo("backups.delete");
  const fetchIt = async ({ name }: File) => {
    const lent = await lend({ name });
    if (lent) window.location.assign(`/console/backup/${lent.word}`);
  };
  const buttons = useRowButtons<File>((file) => (
    <>
      <DoIcon
        does="backups.download"
        icon="download"
        label={`${words.download}: ${file.name}`}
        act={() => void fetchIt(file)}
      />
      <DeleteIcon does="backups.delete" what={file.name} act={() => remove({ name: file.name })} />
    </>
  ));
  return (
    <>
      <Stack px="md" pb="sm" gap="sm">
        <Text size="sm" c="dimmed">
          {words.keepSafe}
        </Text>
        {underWaySinceMs !== null && <Alert role="status">{words.underWay(dateTime(underWaySinceMs))}</Alert>}
        {failed && (
          <Alert color="red">
            {words.failed(dateTime(failed.atMs))} <Code>{failed.why}</Code>
          </Alert>
        )}
      </Stack>
      <Rows
        label={words.backups}
        rows={files}
        keyOf={({ name }) => name}
        empty={{ icon: "server", says: words.none }}
        columns={[
          { title: words.file, show: ({ name }) => <strong>{name}</strong> },
          { title: words.size, end: true, show: (file) => bytes(file.bytes) },
          { title: words.when, show: ({ madeMs }) => dateTime(madeMs) },
          buttons,
        ]}
      />
      <PlanForm plan={plan} />
    </>
  );
}

function PlanForm({ plan }: { plan: Kept["plan"] }) {
  const words = useWords(texts);
  const save = useDo("backups.plan", words.saved);
  const kept: Plan = plan
    ? { every: plan.every, at: plan.at, keep: plan.keep }
    : { every: "never", at: "03:00", keep: 7 };
  const { draft, change, saved } = useDraft(kept);
  const submit = () => save(draft as Plan).then((done) => done && saved(draft)); // the form has its fields
  const often = (["never", "day", "week"] as const).map((it): [string, string] => [it, words[it]]);
  return (
    <Group p="md" align="flex-end" gap="sm">
      <FieldInput
        field={{ is: "choice", label: words.every, options: often }}
        value={draft.every}
        change={(every) => change("every", every)}
      />
      <FieldInput
        field={{ is: "time", label: words.at }}
        value={draft.at}
        change={(at) => change("at", String(at ?? "03:00"))}
      />
      <FieldInput
        field={{ is: "whole", label: words.keep, least: 1, most: 365 }}
        value={draft.keep}
        change={(keep) => change("keep", Number(keep))}
      />
      <DoButton does="backups.plan" loading={save.isBusy} act={() => void submit()}>
        {words.save}
      </DoButton>
    </Group>
  );
}
