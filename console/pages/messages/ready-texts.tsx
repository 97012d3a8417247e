// Texts that are kept ready: the list of them, and the choice of one while writing.

import { Select, SimpleGrid, TextInput } from "@mantine/core";
import { useState } from "react";
import { filledIn, variablesIn } from "../../../src/sms/ready-text.ts";
import type { Reply } from "../../ask/ask.ts";
import { useRemoving, useSaving } from "../../ask/use-action.ts";
import { useNamed } from "../../ask/use-ask.ts";
import type { Draft } from "../../ui/field.ts";
import { ListSurface } from "../../ui/list-page.tsx";
import { useWords } from "../../words/language.tsx";
import { texts } from "./texts.ts";

type ReadyText = Reply<"readyTexts.list">[number];

export function ReadyTexts() {
  const words = useWords(texts);
  return (
    <ListSurface<ReadyText>
      title={words.tabReady}
      icon="message"
      empty={words.noReady}
      rows={useNamed("readyTexts.list", {})}
      keyOf={({ id }) => id}
      nameOf={({ name }) => name}
      fields={{
        name: { is: "text", label: words.readyName, longest: 60, required: true },
        text: { is: "area", label: words.text, about: words.readyAbout, longest: 1_071, required: true },
      }}
      columns={[
        { title: words.readyName, show: ({ name }) => <strong>{name}</strong> },
        { title: words.text, show: ({ text }) => text },
      ]}
      make={{
        ...useSaving("readyTexts.create", ({ name, text }: Draft) => ({ name: String(name), text: String(text) })),
        title: words.addReady,
        blank: { name: "", text: "" },
      }}
      drop={useRemoving("readyTexts.delete", ({ name }) => ({ name }))}
    />
  );
}

/** One of them becomes the text that is being written, with what stands in braces filled in. */
export function ReadyTextChoice({ write }: { write(text: string): void }) {
  const words = useWords(texts);
  const ready = useNamed("readyTexts.list", {});
  const [chosen, choose] = useState<ReadyText>();
  const [values, setValues] = useState<Record<string, string>>({});
  if (!ready.data || ready.data.length === 0) return null;
  const take = (next: ReadyText | undefined, filled: Record<string, string>) => {
    choose(next);
    setValues(filled);
    if (next) write(filledIn(next.text, filled));
  };
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <Select
        label={words.useReady}
        clearable
        data={ready.data.map(({ name }) => name)}
        value={chosen?.name ?? null}
        onChange={(name) =>
          take(
            ready.data.find((it) => it.name === name),
            {},
          )
        }
      />
      {variablesIn(chosen?.text ?? "").map((variable) => (
        <TextInput
          key={variable}
          label={`{${variable}}`}
          value={values[variable] ?? ""}
          onChange={(event) => {
            const { value } = event.currentTarget;
            const { [variable]: _, ...others } = values;
            take(chosen, value === "" ? others : { ...others, [variable]: value });
          }}
        />
      ))}
    </SimpleGrid>
  );
}
