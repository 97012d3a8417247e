// A button that fetches a table as a file: one sees how much has come, and may stop it.

import { Alert, Button, Group } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { showCount } from "../../src/words/stamps.ts";
import { useHas } from "../ask/session.tsx";
import { useLanguage, useWords } from "../words/language.tsx";
import { showBytes } from "../words/stamps.ts";
import { bring, type Come, placeFor } from "./bring-file.ts";
import { Icon } from "./icon.tsx";
import { downloadTexts } from "./texts.ts";

type State = { is: "idle" } | ({ is: "coming" } & Come) | { is: "failed" };

/** Not shown to who may not carry tables away. */
export function Download({
  file,
  wanted,
  label,
  expected,
}: {
  file: string;
  wanted: object;
  label: string;
  /** Rows, where that is known. */
  expected?: number | undefined;
}) {
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
    try {
      const place = await placeFor(file, expected);
      setState({ is: "coming", bytes: 0, rows: 0 });
      await bring(address, { place, signal: ours.signal, progress: (come) => setState({ is: "coming", ...come }) });
      setState({ is: "idle" });
    } catch (error) {
      const isUnwanted = ours.signal.aborted || (error instanceof DOMException && error.name === "AbortError");
      setState({ is: isUnwanted ? "idle" : "failed" });
    }
  };
  const isAllowed = useHas("exports");
  if (!isAllowed) return null;
  if (state.is === "coming")
    return (
      <Group gap="xs" role="status" className="unprinted">
        {state.rows > 0 && expected !== undefined
          ? words.rows(label, showCount(Math.min(state.rows, expected), language), showCount(expected, language))
          : words.coming(label, showBytes(state.bytes, language))}
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
