// Consents for the registry: handed in here, judged there, and kept with the judgement.

import { Badge } from "@mantine/core";
import { useState } from "react";
import { recipientTypes } from "../../../src/nouns/choices.ts";
import type { Parameters } from "../../ask/ask.ts";
import { useStamps } from "../../ask/stamps.ts";
import { useSaving } from "../../ask/use-action.ts";
import { useAsk } from "../../ask/use-ask.ts";
import { type RowOf, usePaged } from "../../ask/use-paged.ts";
import { DoIcon } from "../../ui/buttons.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import type { Draft, Field } from "../../ui/field.ts";
import { MakeButton } from "../../ui/list-page.tsx";
import { Surface } from "../../ui/page.tsx";
import { PagedRows, useRowButtons } from "../../ui/rows.tsx";
import { consentChoices, consentInWords } from "../../words/consent-words.ts";
import { useLanguage, useWords } from "../../words/language.tsx";
import { consentSources, consentStatuses, consentTypes } from "../../words/texts.ts";
import { phonesIn } from "./phones.ts";
import { texts } from "./texts.ts";

type Upload = Parameters<"sms.uploadConsents">;

const LIMIT = 50;

const blank = {
  title: "",
  type: "MESAJ",
  status: "ONAY",
  recipientType: "BIREYSEL",
  source: "HS_WEB",
  date: "",
  recipients: "",
};

export function Consents() {
  const words = useWords(texts);
  const { language } = useLanguage();
  const { dateTime } = useStamps();
  const [shown, show] = useState<number>();
  const campaigns = usePaged("sms.consentCampaigns", {}, { limit: LIMIT });
  const upload = useSaving("sms.uploadConsents", consentsOf);
  return (
    <Surface
      title={words.tabConsents}
      actions={<MakeButton fields={useFields()} make={{ ...upload, title: words.upload, blank }} />}
    >
      <PagedRows
        pages={campaigns}
        label={words.tabConsents}
        keyOf={({ id }) => id}
        empty={{ icon: "audit", says: words.noConsents }}
        columns={[
          { title: words.campaign, show: ({ id }) => <strong>{id}</strong> },
          { title: words.sender, show: ({ titleName }) => titleName },
          { title: words.source, show: ({ source }) => consentInWords(consentSources, source, language) },
          { title: words.when, show: ({ createdAt }) => dateTime(createdAt) },
          useRowButtons<RowOf<"sms.consentCampaigns">>(({ id }) => (
            <DoIcon does="sms.consentsOf" icon="audit" label={`${words.details}: ${id}`} act={() => show(id)} />
          )),
        ]}
      />
      <Dialog opened={shown !== undefined} close={() => show(undefined)} title={words.tabConsents} size="lg">
        {shown !== undefined && <ConsentRecords id={shown} />}
      </Dialog>
    </Surface>
  );
}

function consentsOf({ recipients, ...rest }: Draft) {
  return { ...(rest as Omit<Upload, "recipients">), recipients: phonesIn(recipients) }; // the form has its fields
}

function ConsentRecords({ id }: { id: number }) {
  const words = useWords(texts);
  const { language } = useLanguage();
  const consents = usePaged("sms.consentsOf", { id });
  return (
    <PagedRows
      pages={consents}
      label={words.tabConsents}
      keyOf={({ id }) => id}
      empty={{ icon: "audit" }}
      columns={[
        { title: words.phone, show: ({ recipient }) => recipient },
        { title: words.kind, show: ({ type }) => consentInWords(consentTypes, type, language) },
        { title: words.consent, show: ({ status }) => consentInWords(consentStatuses, status, language) },
        {
          title: words.state,
          show: ({ taken, error }) => (
            <Badge color={taken === null ? "gray" : taken ? "teal" : "red"}>
              {taken === null ? "…" : (error ?? "OK")}
            </Badge>
          ),
        },
      ]}
    />
  );
}

function useFields(): Record<string, Field> {
  const words = useWords(texts);
  const { language } = useLanguage();
  const overview = useAsk("sms.overview", {});
  return {
    title: {
      is: "choice",
      label: words.sender,
      options: overview.data?.titles.map(({ name }) => [name, name]) ?? [],
      required: true,
    },
    type: { is: "choice", label: words.kind, options: consentChoices(consentTypes, language) },
    status: { is: "choice", label: words.consent, options: consentChoices(consentStatuses, language) },
    recipientType: { is: "choice", label: words.recipientType, options: consentChoices(recipientTypes, language) },
    source: { is: "choice", label: words.source, options: consentChoices(consentSources, language) },
    date: { is: "text", label: words.date, longest: 32, required: true },
    recipients: { is: "area", label: words.recipients, about: words.recipientsAbout, longest: 500_000, required: true },
  };
}
