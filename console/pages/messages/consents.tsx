// Consents for the registry: handed in here, judged there, and kept with the judgement.

import { Badge, Modal } from "@mantine/core";
import { useState } from "react";
import { useSession } from "../../app/session.tsx";
import type { Parameters } from "../../ask/ask.ts";
import { useAsk, useDo } from "../../ask/use-ask.ts";
import { usePaged } from "../../ask/use-paged.ts";
import { DoIcon } from "../../ui/buttons.tsx";
import type { Draft, Field } from "../../ui/editor.tsx";
import { MakeButton } from "../../ui/list-page.tsx";
import { Surface } from "../../ui/page.tsx";
import { PagedRows } from "../../ui/rows.tsx";
import {
  consentChoices,
  consentInWords,
  consentSources,
  consentStatuses,
  consentTypes,
  recipientTypes,
} from "../../words/consent-words.ts";
import { useLanguage, useWords } from "../../words/language.tsx";
import { general } from "../../words/nouns.ts";
import { showDateTime } from "../../words/stamps.ts";
import { texts } from "./texts.ts";

type Upload = Parameters<"sms.uploadConsents">;

const LIMIT = 50;

export function Consents() {
  const words = useWords(texts);
  const { actions, saved, close } = useWords(general);
  const { language } = useLanguage();
  const { exchange } = useSession();
  const [shown, show] = useState<number>();
  const campaigns = usePaged("sms.consentCampaigns", {}, { limit: LIMIT });
  const upload = useDo("sms.uploadConsents", saved);
  const fields = useFields();
  const make = ({ recipients, ...rest }: Draft) =>
    upload({
      ...(rest as Omit<Upload, "recipients">),
      recipients: String(recipients)
        .split(/[\s,;]+/)
        .filter((it) => it !== ""),
    });
  return (
    <Surface
      title={words.tabConsents}
      actions={
        <MakeButton
          fields={fields}
          make={{
            ...{ does: "sms.uploadConsents", title: words.upload, act: make, isBusy: upload.isBusy },
            blank: {
              title: "",
              type: "MESAJ",
              status: "ONAY",
              recipientType: "BIREYSEL",
              source: "HS_WEB",
              date: "",
              recipients: "",
            },
          }}
        />
      }
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
          { title: words.when, show: ({ createdAt }) => showDateTime(createdAt, language, exchange.timeZone) },
          {
            title: actions,
            end: true,
            show: ({ id }) => (
              <DoIcon does="sms.consentsOf" icon="audit" label={`${words.details}: ${id}`} act={() => show(id)} />
            ),
          },
        ]}
      />
      <Modal
        opened={shown !== undefined}
        onClose={() => show(undefined)}
        title={words.tabConsents}
        size="lg"
        closeButtonProps={{ "aria-label": close }}
      >
        {shown !== undefined && <ConsentRecords id={shown} />}
      </Modal>
    </Surface>
  );
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
            <Badge variant="light" color={taken === null ? "gray" : taken ? "teal" : "red"}>
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
