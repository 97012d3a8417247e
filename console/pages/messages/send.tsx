// Sending: the parts are counted by the server's own rules while one types.

import { Group, SimpleGrid, Stack, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { useState } from "react";
import { recipientTypes } from "../../../src/nouns/choices.ts";
import { showCount } from "../../../src/words/stamps.ts";
import type { Parameters } from "../../ask/ask.ts";
import { useSession } from "../../ask/session.tsx";
import { useAsk, useDo } from "../../ask/use-ask.ts";
import { DoButton } from "../../ui/buttons.tsx";
import { changesBetween, type Field } from "../../ui/field.ts";
import { FieldInput } from "../../ui/field-input.tsx";
import { Surface } from "../../ui/page.tsx";
import { useUnsaved } from "../../ui/unsaved.ts";
import { choicesIn, useLanguage, useWords } from "../../words/language.tsx";
import { momentAt } from "../../words/stamps.ts";
import { phonesIn } from "./phones.ts";
import { ReadyTextChoice } from "./ready-texts.tsx";
import { texts } from "./texts.ts";

type Sending = Omit<Parameters<"sms.send">, "phones" | "sendAt"> & { recipients: string; later: string };

const blank: Sending = {
  title: "",
  recipients: "",
  text: "",
  coding: "auto",
  later: "",
  commercial: false,
  recipientType: "BIREYSEL",
  addOptOut: false,
};

export function SendForm() {
  const words = useWords(texts);
  const { language } = useLanguage();
  const { timeZone } = useSession().exchange;
  const overview = useAsk("sms.overview", {});
  const [draft, setDraft] = useState(blank);
  const [sent, setSent] = useState(blank);
  useUnsaved(Object.keys(changesBetween(sent, draft)).length > 0);
  const change = (name: keyof Sending, next: unknown) => setDraft((before) => ({ ...before, [name]: next }));
  const send = useDo("sms.send");
  const { recipients, later, ...order } = draft;
  const phones = phonesIn(recipients);
  const title = draft.title || (overview.data?.titles[0]?.name ?? "");
  const submit = async () => {
    const sendAt = later === "" ? {} : { sendAt: momentAt(later, timeZone) };
    const taken = await send({ ...order, title, phones, ...sendAt });
    if (!taken) return;
    notifications.show({ message: words.sent(taken.campaignId), color: "teal" });
    // The next text may go to the same people; to leave them here is no loss.
    setSent({ ...draft, text: "" });
    change("text", "");
  };
  return (
    <Surface title={words.tabSend}>
      <Stack p="md" pt="xs" maw={860}>
        <SendFields
          draft={{ ...draft, title }}
          change={change}
          titles={overview.data?.titles.map(({ name }) => name) ?? []}
        />
        <Counter text={draft.text} coding={draft.coding} people={phones.length} />
        <Group justify="space-between">
          <Text size="sm" c="dimmed">
            {words.credits}: {showCount(overview.data?.accounts[0]?.credits ?? 0, language)}
          </Text>
          <DoButton
            does="sms.send"
            loading={send.isBusy}
            disabled={phones.length === 0 || draft.text === ""}
            act={() => void submit()}
          >
            {words.send}
          </DoButton>
        </Group>
      </Stack>
    </Surface>
  );
}

function SendFields({
  draft,
  change,
  titles,
}: {
  draft: Sending;
  change(name: keyof Sending, next: unknown): void;
  titles: string[];
}) {
  const words = useWords(texts);
  const input = (name: keyof Sending, field: Field) => (
    <FieldInput field={field} value={draft[name]} change={(next) => change(name, next)} />
  );
  const codings = (["auto", "gsm", "turkish", "unicode"] as const).map((it): [string, string] => [it, words[it]]);
  const { language } = useLanguage();
  const { timeZone } = useSession().exchange;
  const kinds = choicesIn(recipientTypes, language);
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {input("title", { is: "choice", label: words.sender, options: titles.map((it) => [it, it]) })}
        {input("coding", { is: "choice", label: words.coding, options: codings })}
      </SimpleGrid>
      {input("recipients", { is: "area", label: words.recipients, about: words.recipientsAbout, longest: 500_000 })}
      <ReadyTextChoice write={(text) => change("text", text)} />
      {input("text", { is: "area", label: words.text, longest: 10_000 })}
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          label={words.later}
          description={words.laterAbout(timeZone)}
          type="datetime-local"
          value={draft.later}
          onChange={(event) => change("later", event.currentTarget.value)}
        />
        {input("recipientType", { is: "choice", label: words.recipientType, options: kinds, fixed: !draft.commercial })}
      </SimpleGrid>
      {input("commercial", { is: "switch", label: words.commercial })}
      {input("addOptOut", { is: "switch", label: words.addOptOut, about: words.addOptOutAbout })}
    </>
  );
}

function Counter({ text, coding, people }: { text: string; coding: Sending["coding"]; people: number }) {
  const words = useWords(texts);
  const [settled] = useDebouncedValue(text, 250);
  const counted = useAsk("sms.count", settled === "" ? undefined : { text: settled, coding });
  return (
    <Text size="sm" c="dimmed" role="status">
      {settled !== "" && counted.data ? `${words.counted(counted.data.units, counted.data.parts)} · ` : ""}
      {words.people(people)}
    </Text>
  );
}
