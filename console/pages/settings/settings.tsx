// The exchange's settings, one tab for each concern.

import { SimpleGrid, Stack } from "@mantine/core";
import { useState } from "react";
import type { Parameters, Reply } from "../../ask/ask.ts";
import { useAsk, useDo } from "../../ask/use-ask.ts";
import { DoButton } from "../../ui/buttons.tsx";
import { changesBetween } from "../../ui/editor.tsx";
import type { Draft, Field } from "../../ui/field.ts";
import { FieldInput } from "../../ui/field-input.tsx";
import { PageFrame, Surface } from "../../ui/page.tsx";
import { Asked } from "../../ui/states.tsx";
import { PageTabs } from "../../ui/tabs.tsx";
import { useWords } from "../../words/language.tsx";
import { general } from "../../words/nouns.ts";
import { Deliveries } from "./deliveries.tsx";
import { Events } from "./events.tsx";
import { Keys } from "./keys.tsx";
import { texts } from "./texts.ts";

export function Settings() {
  const words = useWords(texts);
  return (
    <PageFrame title={words.title}>
      <PageTabs
        tabs={[
          { name: "general", label: words.tabGeneral, show: General },
          { name: "keys", label: words.tabKeys, show: Keys },
          { name: "events", label: words.tabEvents, show: Events },
          { name: "deliveries", label: words.tabDeliveries, show: Deliveries },
        ]}
      />
    </PageFrame>
  );
}

function General() {
  const settings = useAsk("settings.show", {});
  return <Asked query={settings}>{(shown) => <GeneralForm key={JSON.stringify(shown)} settings={shown} />}</Asked>;
}

function GeneralForm({ settings }: { settings: Reply<"settings.show"> }) {
  const { save, saved } = useWords(general);
  const groups = useGroups();
  const update = useDo("settings.update", saved);
  const [draft, setDraft] = useState<Draft>(settings);
  const changes = changesBetween(settings, draft) as Parameters<"settings.update">["changes"]; // the form has its fields
  return (
    <Stack>
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
        {groups.map(({ title, fields }) => (
          <Surface key={title} title={title}>
            <Stack gap="sm" p="md" pt="xs">
              {Object.entries(fields).map(([name, field]) => (
                <FieldInput
                  key={name}
                  field={field}
                  value={draft[name]}
                  change={(next) => setDraft((before) => ({ ...before, [name]: next }))}
                />
              ))}
            </Stack>
          </Surface>
        ))}
      </SimpleGrid>
      <DoButton
        does="settings.update"
        loading={update.isBusy}
        disabled={Object.keys(changes).length === 0}
        act={() => void update({ changes })}
        style={{ alignSelf: "flex-end" }}
      >
        {save}
      </DoButton>
    </Stack>
  );
}

function useGroups(): { title: string; fields: Record<string, Field> }[] {
  const words = useWords(texts);
  return [
    {
      title: words.general,
      fields: {
        name: { is: "text", label: words.exchangeName, required: true },
        sip_domain: { is: "text", label: words.domain, fixed: true },
        time_zone: { is: "text", label: words.timeZone, required: true },
        office_opens: { is: "time", label: words.officeOpens },
        office_closes: { is: "time", label: words.officeCloses },
        office_days: { is: "days", label: words.officeDays },
        default_caller_id: { is: "own-number", label: words.defaultCallerId },
        ring_seconds: { is: "whole", label: words.ringSeconds, least: 5, most: 300 },
      },
    },
    {
      title: words.recording,
      fields: {
        record_calls: { is: "switch", label: words.recordCalls },
        record_inbound: { is: "switch", label: words.recordInbound },
        record_outbound: { is: "switch", label: words.recordOutbound },
        record_internal: { is: "switch", label: words.recordInternal },
        recording_retention_days: { is: "whole", label: words.retention, least: 1, most: 36_500 },
        fax_retention_days: { is: "whole", label: words.faxRetention, least: 1, most: 36_500, orNothing: true },
      },
    },
    {
      title: words.limits,
      fields: {
        international_calls: { is: "switch", label: words.international },
        channel_limit: { is: "whole", label: words.channels, least: 1, most: 100_000, orNothing: true },
        max_call_seconds: { is: "whole", label: words.maxCall, least: 60, most: 86_400 },
        campaign_channels: { is: "whole", label: words.campaignChannels, least: 1, most: 1_000 },
      },
    },
    {
      title: words.integrations,
      fields: {
        program_url: { is: "text", label: words.programUrl, longest: 2_000, placeholder: "https://" },
        program_spare_target: { is: "target", label: words.programSpare, orNothing: true },
        external_contacts: { is: "switch", label: words.externalContacts },
        special_day_messages: { is: "switch", label: words.specialDays },
      },
    },
  ];
}
