// The exchange's settings, one tab for each concern.

import { SimpleGrid, Stack } from "@mantine/core";
import { exchange } from "../../../src/nouns/exchange.ts";
import type { Parameters, Reply } from "../../ask/ask.ts";
import { useAsk, useDo } from "../../ask/use-ask.ts";
import { DoButton } from "../../ui/buttons.tsx";
import type { Field } from "../../ui/field.ts";
import { FieldInput } from "../../ui/field-input.tsx";
import { refusedFields } from "../../ui/form-faults.ts";
import { PageFrame, Surface } from "../../ui/page.tsx";
import { Asked } from "../../ui/states.tsx";
import { PageTabs } from "../../ui/tabs.tsx";
import { useDraft } from "../../ui/use-draft.ts";
import { useNoun } from "../../ui/use-noun.ts";
import { useLanguage, useWords } from "../../words/language.tsx";
import { general } from "../../words/texts.ts";
import { Archive } from "./archive/archive.tsx";
import { Deliveries } from "./deliveries.tsx";
import { Events } from "./events.tsx";
import { Keys } from "./keys.tsx";
import { SignOn } from "./sign-on/sign-on.tsx";
import { texts } from "./texts.ts";

export function Settings() {
  const words = useWords(texts);
  return (
    <PageFrame title={words.title}>
      <PageTabs
        tabs={[
          { name: "general", label: words.tabGeneral, needs: "settings.show", show: General },
          { name: "keys", label: words.tabKeys, needs: "keys.list", show: Keys },
          { name: "events", label: words.tabEvents, needs: "settings.show", show: Events },
          { name: "deliveries", label: words.tabDeliveries, needs: "deliveries.list", show: Deliveries },
          { name: "sign-on", label: words.tabSignOn, needs: "sso.show", show: SignOn },
          { name: "archive", label: words.tabArchive, needs: "archive.show", show: Archive },
        ]}
      />
    </PageFrame>
  );
}

function General() {
  const settings = useAsk("settings.show", {});
  return <Asked query={settings}>{(shown) => <GeneralForm settings={shown} />}</Asked>;
}

function GeneralForm({ settings }: { settings: Reply<"settings.show"> }) {
  const { save, saved } = useWords(general);
  const { language } = useLanguage();
  const groups = useGroups();
  const update = useDo("settings.update", saved);
  const { draft, change, changes, isDirty, saved: isSaved } = useDraft(settings);
  const submit = () =>
    // The form has its fields.
    update({ changes: changes as Parameters<"settings.update">["changes"] }).then((done) => done && isSaved(draft));
  const faults = refusedFields(update.fault, Object.assign({}, ...groups.map(({ fields }) => fields)), language);
  return (
    <Stack>
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
        {groups.map(({ title, fields }) => (
          <Surface key={title} title={title}>
            <Stack gap="sm" p="md" pt="xs">
              {Object.entries(fields).map(([name, field]) => (
                <FieldInput
                  key={name}
                  field={faults[name] === undefined ? field : { ...field, error: faults[name] }}
                  value={draft[name]}
                  change={(next) => change(name, next)}
                />
              ))}
            </Stack>
          </Surface>
        ))}
      </SimpleGrid>
      <DoButton
        does="settings.update"
        loading={update.isBusy}
        disabled={!isDirty}
        act={() => void submit()}
        style={{ alignSelf: "flex-end" }}
      >
        {save}
      </DoButton>
    </Stack>
  );
}

/** One for each heading of the exchange's settings; its domain is shown with the first. */
function useGroups(): { title: string; fields: Record<string, Field> }[] {
  const { language } = useLanguage();
  const domain: Field = { is: "text", label: exchange.fields.sip_domain.label[language], fixed: true };
  const { name, ...others } = useNoun(exchange);
  const fields: Record<string, Field> = { name, sip_domain: { ...domain, under: name.under }, ...others };
  return [...new Set(Object.values(fields).map(({ under }) => under ?? ""))].map((title) => ({
    title,
    fields: Object.fromEntries(Object.entries(fields).filter(([, { under }]) => under === title)),
  }));
}
