// Automatic calling: how far each campaign is, a switch for it, and what became of each number.

import { Badge, Group, Progress, Switch, Text } from "@mantine/core";
import { useState } from "react";
import { Link, useLocation } from "wouter";
import { causeInWords } from "../../../src/words/causes.ts";
import { showCount, showDuration, showShare } from "../../../src/words/stamps.ts";
import type { Reply } from "../../ask/ask.ts";
import { useWhyNot } from "../../ask/session.tsx";
import { useDo } from "../../ask/use-ask.ts";
import { usePaged } from "../../ask/use-paged.ts";
import { DeleteIcon, DoIcon } from "../../ui/buttons.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { PageFrame, Surface } from "../../ui/page.tsx";
import { type Column, PagedRows, useRowButtons } from "../../ui/rows.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { general } from "../../words/texts.ts";
import { NewCampaign, numbersFor } from "./new-campaign.tsx";
import { campaignTexts } from "./texts.ts";

type Campaign = Reply<"campaigns.list">["rows"][number];

const LOOK_AGAIN_MS = 5_000;

export function Campaigns() {
  const words = useWords(campaignTexts);
  const [shown, show] = useState<Campaign>();
  const campaigns = usePaged("campaigns.list", {}, { refetchMs: LOOK_AGAIN_MS });
  return (
    <PageFrame title={words.title} about={words.about} actions={<NewCampaign />}>
      <Surface>
        <PagedRows
          pages={campaigns}
          label={words.title}
          keyOf={({ id }) => id}
          columns={useColumns(show)}
          empty={{ icon: "out", says: words.empty }}
        />
      </Surface>
      <Dialog opened={shown !== undefined} close={() => show(undefined)} title={shown?.name} size="xl">
        {shown && <Report id={shown.id} />}
      </Dialog>
    </PageFrame>
  );
}

function useColumns(show: (campaign: Campaign) => void): Column<Campaign>[] {
  const words = useWords(campaignTexts);
  const { name, removed } = useWords(general);
  const remove = useDo("campaigns.delete", removed);
  const [, go] = useLocation();
  return [
    { title: name, show: (campaign) => <strong>{campaign.name}</strong> },
    { title: words.kind, show: ({ callType, queueNumber }) => `${words[callType]} ${queueNumber ?? ""}`.trim() },
    { title: words.dates, show: ({ dateBegin, dateEnd }) => `${dateBegin} – ${dateEnd}` },
    { title: words.progress, show: ({ counts }) => <Done part={counts.finished} whole={counts.numbers} /> },
    { title: words.answered, show: ({ counts }) => counts.answered, end: true },
    { title: words.on, show: (campaign) => <OnSwitch campaign={campaign} /> },
    useRowButtons<Campaign>((campaign) => (
      <>
        <DoIcon
          does="campaigns.report"
          icon="audit"
          label={`${words.report}: ${campaign.name}`}
          act={() => show(campaign)}
        />
        <DoIcon
          does="imports.upload"
          icon="upload"
          label={`${words.fromFile}: ${campaign.name}`}
          act={() => go(numbersFor(campaign.id))}
        />
        <DeleteIcon does="campaigns.delete" what={campaign.name} act={() => remove({ id: campaign.id })} />
      </>
    )),
  ];
}

function OnSwitch({ campaign: { id, name, isOn } }: { campaign: Campaign }) {
  const words = useWords(campaignTexts);
  const turn = useDo("campaigns.switch");
  const whyNot = useWhyNot("campaigns.switch");
  return (
    <Switch
      aria-label={`${words.on}: ${name}`}
      title={whyNot}
      disabled={whyNot !== undefined}
      checked={isOn}
      onChange={(event) => void turn({ id, on: event.currentTarget.checked })}
    />
  );
}

function Done({ part, whole }: { part: number; whole: number }) {
  const { language } = useLanguage();
  const share = whole === 0 ? 0 : part / whole;
  return (
    <Group gap="xs" wrap="nowrap" miw={140}>
      <Progress value={share * 100} flex={1} aria-label={showShare(share, language)} />
      <Text size="sm">
        {showCount(part, language)} / {showCount(whole, language)}
      </Text>
    </Group>
  );
}

function Report({ id }: { id: number }) {
  const words = useWords(campaignTexts);
  const { language } = useLanguage();
  const { number } = useWords(general);
  const report = usePaged("campaigns.report", { id }, { refetchMs: LOOK_AGAIN_MS });
  return (
    <PagedRows
      pages={report}
      label={words.report}
      keyOf={({ id }) => id}
      empty={{ icon: "out" }}
      columns={[
        {
          title: number,
          show: ({ number, callUuid }) => (callUuid ? <Link href={`/calls/${callUuid}`}>{number}</Link> : number),
        },
        {
          title: words.result,
          show: ({ state, answered, cause }) => (
            <Badge color={answered ? "teal" : state === "finished" ? "red" : "blue"}>
              {state === "finished" ? (cause ? causeInWords(cause, language) : words.finished) : words[state]}
            </Badge>
          ),
        },
        { title: words.attempts, show: ({ attempts }) => attempts, end: true },
        { title: words.key, show: ({ digit }) => digit || "—", end: true },
        { title: words.talk, show: ({ talkSeconds }) => showDuration(talkSeconds), end: true },
      ]}
    />
  );
}
