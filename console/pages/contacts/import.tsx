// A table of contacts: looked at before it is taken, with a reason for each row that is left out.

import { Alert, Button, FileButton, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { Reply } from "../../ask/ask.ts";
import { useDo } from "../../ask/use-ask.ts";
import { DoButton } from "../../ui/buttons.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { base64Of } from "../../ui/files.ts";
import { Icon } from "../../ui/icon.tsx";
import { Rows } from "../../ui/rows.tsx";
import { useWords } from "../../words/language.tsx";
import { general } from "../../words/texts.ts";
import { texts } from "./texts.ts";

type Preview = Reply<"contacts.preview">;

export function ImportButton() {
  const words = useWords(texts);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <DoButton does="contacts.import" variant="light" leftSection={<Icon name="upload" />} act={() => setOpen(true)}>
        {words.import}
      </DoButton>
      {isOpen && <ImportDialog close={() => setOpen(false)} />}
    </>
  );
}

function ImportDialog({ close }: { close(): void }) {
  const words = useWords(texts);
  const [table, setTable] = useState<string>();
  const [preview, setPreview] = useState<Preview>();
  const look = useDo("contacts.preview");
  const take = useDo("contacts.import", words.imported);
  const choose = async (file: File | null) => {
    if (!file) return;
    const content = await base64Of(file);
    setTable(content);
    setPreview(await look({ table: content }));
  };
  return (
    <Dialog opened close={close} title={words.importTitle} size="lg">
      <Stack>
        <Text size="sm" c="dimmed">
          {words.importAbout}
        </Text>
        <FileButton onChange={(file) => void choose(file)} accept=".csv,.txt,.xlsx">
          {(props) => (
            <Button {...props} variant="light" loading={look.isBusy} leftSection={<Icon name="upload" />}>
              {words.choose}
            </Button>
          )}
        </FileButton>
        {preview && <PreviewTables preview={preview} />}
        {preview && table && (
          <DoButton
            does="contacts.import"
            loading={take.isBusy}
            disabled={preview.good === 0}
            act={() => void take({ table }).then((done) => done && close())}
          >
            {words.doImport}
          </DoButton>
        )}
      </Stack>
    </Dialog>
  );
}

function PreviewTables({ preview: { good, bad, faults, first } }: { preview: Preview }) {
  const words = useWords(texts);
  const { name } = useWords(general);
  return (
    <>
      <Alert color={good > 0 ? "teal" : "red"} role="status">
        {words.good(good)} · {words.bad(bad)}
      </Alert>
      <Rows
        label={words.preview}
        rows={first}
        keyOf={({ phone }) => phone}
        empty={{ icon: "book" }}
        columns={[
          { title: words.phone, show: ({ phone }) => phone },
          { title: name, show: (contact) => `${contact.name} ${contact.surname}`.trim() },
          { title: words.company, show: ({ company_name }) => company_name ?? "—" },
          { title: words.group, show: ({ group }) => group || "—" },
        ]}
      />
      {faults.length < bad && (
        <Text size="sm" c="dimmed">
          {words.firstFaults(faults.length)}
        </Text>
      )}
      {faults.length > 0 && (
        <Rows
          label={words.why}
          rows={faults}
          keyOf={({ row }) => row}
          empty={{ icon: "book" }}
          columns={[
            { title: words.row, show: ({ row }) => row },
            { title: words.why, show: ({ why }) => words[why] },
            { title: words.value, show: ({ value }) => value || "—" },
          ]}
        />
      )}
    </>
  );
}
