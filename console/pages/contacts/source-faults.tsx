// Entries of a source that cannot be contacts, each with its reason.

import { Button } from "@mantine/core";
import { useState } from "react";
import { sourceFaultInWords } from "../../../src/words/contact-sources.ts";
import { useAsk } from "../../ask/use-ask.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Rows } from "../../ui/rows.tsx";
import { Asked } from "../../ui/states.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import type { Source } from "./source.ts";
import { sourceTexts } from "./texts.ts";

export function FaultsButton({ source: { name, unreadable } }: { source: Source }) {
  const words = useWords(sourceTexts);
  const [isOpen, setOpen] = useState(false);
  if (unreadable === 0) return null;
  return (
    <>
      <Button size="compact-xs" variant="subtle" onClick={() => setOpen(true)} aria-haspopup="dialog">
        {words.unreadable(unreadable)}
      </Button>
      {isOpen && (
        <Dialog opened close={() => setOpen(false)} title={`${words.leftOut}: ${name}`} size="lg">
          <Faults name={name} />
        </Dialog>
      )}
    </>
  );
}

function Faults({ name }: { name: string }) {
  const words = useWords(sourceTexts);
  const { language } = useLanguage();
  return (
    <Asked query={useAsk("contactSources.faults", { name })}>
      {(faults) => (
        <Rows
          label={words.leftOut}
          rows={faults}
          keyOf={({ foreignId }) => foreignId}
          empty={{ icon: "book" }}
          columns={[
            { title: words.entry, show: ({ foreignId }) => foreignId },
            { title: words.why, show: ({ why }) => sourceFaultInWords(why, language) },
            { title: words.value, show: ({ value }) => value || "—" },
          ]}
        />
      )}
    </Asked>
  );
}
