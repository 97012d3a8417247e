// A button that fetches a table as a file: one sees how much has come, and may stop it.

import { Alert, Button, Group } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { useHas } from "../ask/session.tsx";
import { useLanguage, useWords } from "../words/language.tsx";
import { showBytes } from "../words/stamps.ts";
import { Icon } from "./icon.tsx";
import { downloadTexts } from "./texts.ts";

type State = { is: "idle" } | { is: "coming"; bytes: number } | { is: "failed" };

/** Not shown to who may not carry tables away. */
export function Download({ file, wanted, label }: { file: string; wanted: object; label: string }) {
  const words = useWords(downloadTexts);
  const { language } = useLanguage();
  const [state, setState] = useState<State>({ is: "idle" });
  const stop = useRef<AbortController>(undefined);
  useEffect(() => () => stop.current?.abort(), []);
  const asked = Object.entries({ ...wanted, lang: language }).map(([name, value]) => [name, String(value)]);
  const address = `/console/${file}?${new URLSearchParams(asked)}`;
  const fetchIt = async () => {
    const ours = new AbortController();
    stop.current = ours;
    setState({ is: "coming", bytes: 0 });
    try {
      save(await piecesOf(address, ours.signal, (bytes) => setState({ is: "coming", bytes })), file);
      setState({ is: "idle" });
    } catch {
      setState({ is: ours.signal.aborted ? "idle" : "failed" });
    }
  };
  const isAllowed = useHas("exports");
  if (!isAllowed) return null;
  if (state.is === "coming")
    return (
      <Group gap="xs" role="status" className="unprinted">
        {words.coming(label, showBytes(state.bytes, language))}
        <Button variant="light" color="red" onClick={() => stop.current?.abort()}>
          {words.stop}
        </Button>
      </Group>
    );
  return (
    <>
      {state.is === "failed" && (
        <Alert color="red" p="xs">
          {words.notFetched}
        </Alert>
      )}
      <Button
        component="a"
        href={address}
        download
        className="unprinted"
        variant="light"
        leftSection={<Icon name="download" />}
        onClick={(event) => {
          event.preventDefault();
          void fetchIt();
        }}
      >
        {label}
      </Button>
    </>
  );
}

async function piecesOf(address: string, signal: AbortSignal, progress: (bytes: number) => void): Promise<Blob> {
  const answer = await fetch(address, { signal });
  if (!answer.ok || !answer.body) throw new Error(`the table was refused: ${answer.status}`);
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  const reader = answer.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Blob(pieces, { type: answer.headers.get("content-type") ?? "" });
    pieces.push(value);
    bytes += value.length;
    progress(bytes);
  }
}

function save(table: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(table);
  link.download = name;
  link.click();
  // After the browser has taken it.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
