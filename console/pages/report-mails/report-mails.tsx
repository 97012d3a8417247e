// Reports that go out by mail: the plans, and what became of each letter.

import { Alert, Badge, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { mailedReports, reportPlan, reportStretches, reportWeekdays } from "../../../src/nouns/report-plan.ts";
import { mailFailureInWords } from "../../../src/words/mail-failures.ts";
import { showDay } from "../../../src/words/stamps.ts";
import type { Reply } from "../../ask/ask.ts";
import { useStamps } from "../../ask/stamps.ts";
import { useRemoving, useSaving } from "../../ask/use-action.ts";
import { useAsk, useDo, useNamed } from "../../ask/use-ask.ts";
import { usePaged } from "../../ask/use-paged.ts";
import { DoIcon } from "../../ui/buttons.tsx";
import type { Draft } from "../../ui/field.ts";
import { ListPage } from "../../ui/list-page.tsx";
import { Surface } from "../../ui/page.tsx";
import { type Column, PagedRows } from "../../ui/rows.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { usePlanFields, usePlanMaking } from "./plan-form.ts";
import { texts } from "./texts.ts";

type Plan = Reply<"reportPlans.list">[number];
type Mail = Reply<"reportPlans.mails">["rows"][number];

/** Somebody waits to see that a letter went. */
const REFRESH_MS = 5_000;

export function ReportMails() {
  const words = useWords(texts);
  return (
    <ListPage<Plan>
      title={words.title}
      about={words.about}
      icon="inbox"
      empty={words.none}
      rows={useNamed("reportPlans.list", {}, { refetchMs: REFRESH_MS })}
      keyOf={({ id }) => id}
      nameOf={({ name }) => name}
      fields={usePlanFields()}
      columns={usePlanColumns()}
      make={{ ...usePlanMaking({}, {}), title: words.add }}
      change={useSaving("reportPlans.update", ({ id }: Plan, changes: Draft) => ({ id, changes }))}
      drop={useRemoving("reportPlans.delete", ({ id }: Plan) => ({ id }))}
      more={(plan) => <PlanButtons plan={plan} />}
      filters={<NoServer />}
    >
      <Letters />
    </ListPage>
  );
}

function usePlanColumns(): Column<Plan>[] {
  const words = useWords(texts);
  const { language } = useLanguage();
  const { dateTime } = useStamps();
  const whenOf = ({ every, weekday, month_day, send_at }: Plan) =>
    ({
      day: () => words.daily(send_at),
      week: () => words.weekly(reportWeekdays[weekday][language], send_at),
      month: () => words.monthly(month_day, send_at),
    })[every]();
  return [
    {
      title: reportPlan.fields.name.label[language],
      show: ({ name, maker }) => <Beside what={<strong>{name}</strong>} about={maker} />,
    },
    {
      title: words.report,
      show: ({ report, stretch, filter }) => (
        <Beside
          what={mailedReports[report][language]}
          about={[reportStretches[stretch][language], ...Object.values(filter).map(String)].join(" · ")}
        />
      ),
    },
    { title: words.to, show: ({ addresses }) => addresses.join(", ") },
    { title: words.when, show: whenOf },
    { title: words.next, show: ({ nextAt }) => (nextAt === null ? "—" : dateTime(nextAt)) },
    { title: words.last, show: ({ lastSentAt }) => (lastSentAt === null ? "—" : dateTime(lastSentAt)) },
    { title: words.state, show: (plan) => <PlanState plan={plan} /> },
  ];
}

function Beside({ what, about }: { what: ReactNode; about: string }) {
  return (
    <div>
      {what}
      <Text size="xs" c="dimmed">
        {about}
      </Text>
    </div>
  );
}

function PlanState({ plan: { active, waiting, failure, failureAbout } }: { plan: Plan }) {
  const words = useWords(texts);
  if (failure !== null) return <Failure failure={failure} about={failureAbout} />;
  if (waiting > 0) return <Badge color="blue">{words.waiting(waiting)}</Badge>;
  return active ? <Badge color="teal">{words.fine}</Badge> : <Badge color="gray">{words.paused}</Badge>;
}

function Failure({ failure, about }: { failure: Plan["failure"]; about: string | null }) {
  const { language } = useLanguage();
  return (
    <Text size="sm" c="red.8" maw={320}>
      {failure && mailFailureInWords(failure, about, language)}
    </Text>
  );
}

function PlanButtons({ plan: { id, name, active } }: { plan: Plan }) {
  const words = useWords(texts);
  const send = useDo("reportPlans.send", words.sending);
  const update = useDo("reportPlans.update");
  return (
    <>
      <DoIcon does="reportPlans.send" icon="out" label={words.sendNow(name)} act={() => void send({ id })} />
      <DoIcon
        does="reportPlans.update"
        icon={active ? "pause" : "play"}
        label={active ? words.pause(name) : words.resume(name)}
        act={() => void update({ id, changes: { active: !active } })}
      />
    </>
  );
}

/** What became of each letter, the newest first. */
function Letters() {
  const words = useWords(texts);
  const pages = usePaged("reportPlans.mails", {}, { refetchMs: REFRESH_MS });
  return (
    <Surface title={words.letters}>
      <PagedRows
        label={words.letters}
        pages={pages}
        columns={useLetterColumns()}
        keyOf={({ id }) => id}
        empty={{ icon: "inbox", says: words.noLetters }}
      />
    </Surface>
  );
}

/** Why nothing will come of it. */
function NoServer() {
  const words = useWords(texts);
  const { data } = useAsk("reportPlans.mails", { page: 1, limit: 1 });
  if (data?.sendsMail !== false) return null;
  return (
    <Alert color="yellow" title={words.noServer} m="md">
      {words.noServerAbout}
    </Alert>
  );
}

function useLetterColumns(): Column<Mail>[] {
  const words = useWords(texts);
  const { language } = useLanguage();
  const { dateTime } = useStamps();
  return [
    {
      title: words.day,
      show: ({ day, byHand }) => <Beside what={showDay(day, language)} about={byHand ? words.byHand : ""} />,
    },
    { title: words.plan, show: ({ plan }) => plan },
    { title: words.address, show: ({ address }) => address },
    {
      title: words.became,
      show: ({ sentAt, givenUpAt, failure, failureAbout }) =>
        sentAt !== null ? (
          words.sent(dateTime(sentAt))
        ) : (
          <>
            {givenUpAt !== null ? words.givenUp : failure === null ? words.onTheWay : words.tried}
            <Failure failure={failure} about={failureAbout} />
          </>
        ),
    },
  ];
}
