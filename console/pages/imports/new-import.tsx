// A file on its way in: what it is, what its columns are, a look at what would become of it, and the word to begin.

import { Button, FileButton, Group, SegmentedControl, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useSearchParams } from "wouter";
import type { Parameters, Reply } from "../../ask/ask.ts";
import { useDo } from "../../ask/use-ask.ts";
import { DoButton } from "../../ui/buttons.tsx";
import type { Draft } from "../../ui/field.ts";
import { FieldInput } from "../../ui/field-input.tsx";
import { base64Of } from "../../ui/files.ts";
import { Icon } from "../../ui/icon.tsx";
import { Surface } from "../../ui/page.tsx";
import { useReplacing, useUnsaved } from "../../ui/unsaved.ts";
import { useWords } from "../../words/language.tsx";
import { Mapping } from "./mapping.tsx";
import { PreviewTables } from "./preview.tsx";
import { type ImportKind, settingsIn, useSettingFields } from "./settings.ts";
import { texts } from "./texts.ts";

type Uploaded = Reply<"imports.upload"> & { fileName: string };
type Preview = Reply<"imports.preview">;

const KINDS: readonly ImportKind[] = ["contacts", "recipients", "consents", "campaign"];

export function NewImport() {
  const words = useWords(texts);
  const [query] = useSearchParams();
  const [kind, setKind] = useState<ImportKind>(KINDS.find((it) => it === query.get("kind")) ?? "contacts");
  const [uploaded, setUploaded] = useState<Uploaded>();
  const upload = useDo("imports.upload");
  useUnsaved(uploaded !== undefined);
  const replacing = useReplacing();
  const choose = async (file: File | null) => {
    if (!file) return;
    const sent = await upload({ kind, fileName: file.name.slice(0, 255), content: await base64Of(file) });
    if (sent) setUploaded({ ...sent, fileName: file.name });
  };
  const change = (next: string) => {
    setKind(KINDS.find((it) => it === next) ?? "contacts");
    setUploaded(undefined);
  };
  return (
    <Surface title={words.newImport}>
      <Stack p="md" pt="xs">
        <SegmentedControl
          aria-label={words.kind}
          value={kind}
          onChange={(next) => replacing(() => change(next))}
          data={KINDS.map((value) => ({ value, label: words[value] }))}
          className="wraps"
        />
        <Group>
          <FileButton key={uploaded?.id ?? 0} onChange={(file) => void choose(file)} accept=".csv,.txt,.tsv,.xlsx">
            {(props) => (
              <Button {...props} variant="light" loading={upload.isBusy} leftSection={<Icon name="upload" />}>
                {uploaded ? words.another : words.choose}
              </Button>
            )}
          </FileButton>
          {uploaded && <Text fw={600}>{uploaded.fileName}</Text>}
        </Group>
        {uploaded && <Prepared key={uploaded.id} kind={kind} uploaded={uploaded} done={() => setUploaded(undefined)} />}
      </Stack>
    </Surface>
  );
}

function Prepared({ kind, uploaded, done }: { kind: ImportKind; uploaded: Uploaded; done(): void }) {
  const words = useWords(texts);
  const fields = useSettingFields(kind);
  const [draft, setDraft] = useState<Draft>({});
  const [columns, setColumns] = useState(uploaded.fields);
  const [preview, setPreview] = useState<Preview>();
  const look = useDo("imports.preview");
  const begin = useDo("imports.begin", words.begun);
  const wanted: Parameters<"imports.begin"> = {
    id: uploaded.id,
    fields: columns,
    settings: settingsIn(fields, draft),
  };
  const changed = () => setPreview(undefined);
  return (
    <>
      <Stack gap="sm" maw={640}>
        {Object.entries(fields).map(([name, { first, ...field }]) => (
          <FieldInput
            key={name}
            field={field}
            value={draft[name] ?? first}
            change={(value) => {
              setDraft((before) => ({ ...before, [name]: value }));
              changed();
            }}
          />
        ))}
      </Stack>
      <Mapping
        uploaded={uploaded}
        columns={columns}
        change={(next) => {
          setColumns(next);
          changed();
        }}
      />
      {preview && <PreviewTables preview={preview} />}
      <Group>
        <DoButton
          does="imports.preview"
          variant={preview ? "light" : "filled"}
          loading={look.isBusy}
          act={() => void look(wanted).then(setPreview)}
        >
          {words.look}
        </DoButton>
        {preview && (
          <DoButton
            does="imports.begin"
            loading={begin.isBusy}
            disabled={preview.good === 0}
            act={() => void begin(wanted).then((begun) => begun && done())}
          >
            {words.begin}
          </DoButton>
        )}
      </Group>
    </>
  );
}
