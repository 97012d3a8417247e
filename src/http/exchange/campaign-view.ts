// How a campaign and its report are shown: in the words with which a campaign is created, and with how far it is.

import { labelOf } from "../../exchange/features/campaigns/outcome.ts";
import type { ReportLine } from "../../store/campaign-report.ts";
import type { CountedCampaign } from "../../store/campaigns.ts";
import { showDuration, showStamp } from "../door/stamps.ts";

export function showCampaign(campaign: CountedCampaign, timeZone: string): object {
  const { counts } = campaign;
  return {
    id: campaign.id,
    name: campaign.name,
    call_type: campaign.callType,
    status: campaign.isOn ? "on" : "off",
    progress: {
      numbers: counts.numbers,
      finished: counts.finished,
      percent: counts.numbers === 0 ? 100 : Math.floor((counts.finished / counts.numbers) * 100),
      attempts: counts.attempts,
      answered: counts.answered,
      success_percent: share(counts.answered, counts.finished),
      abandoned: counts.abandoned,
      abandoned_percent: share(counts.abandoned, counts.queued),
    },
    created_at: showStamp(new Date(campaign.createdMs), timeZone),
    queue_number: campaign.queueNumber,
    thread_multiplier: campaign.threadMultiplier,
    max_thread_count: campaign.maxThreadCount,
    date_range_begin: campaign.dateBegin,
    date_range_end: campaign.dateEnd,
    time_range_begin: campaign.timeBegin,
    time_range_end: campaign.timeEnd,
    active_days: campaign.activeDays,
    ring_timeout: campaign.ringSeconds,
    cli: campaign.cli,
    welcome_announcement_id: campaign.welcomeAnnouncementId,
    call_retries: campaign.callRetries,
    webhook_url: campaign.webhookUrl,
    ...targetsOf(campaign),
    digit_retries: campaign.digitRetries,
    digit_timeout: campaign.digitTimeoutSeconds,
    is_commercial: campaign.isCommercial,
    iys_recipient_type: campaign.recipientType,
    iys_brand_code: campaign.brandCode,
    recording_enabled: campaign.recordingEnabled,
    detect_machines: campaign.detectsMachines,
    max_abandoned_percent: Math.round(campaign.abandonCap * 100),
  };
}

export function showLine(line: ReportLine, timeZone: string) {
  return {
    ivr_lead_id: line.id,
    phone: line.number,
    state: line.state,
    attempts: line.attempts,
    digit: line.digit,
    result: resultOf(line),
    duration: showDuration(line.talkSeconds),
    target: line.target,
    abandoned: line.abandoned,
    answering_machine: line.machine,
    cut_off: line.cutOff,
    call_uuid: line.callUuid,
    start_stamp: line.startedAt && showStamp(line.startedAt, timeZone),
  };
}

type ShownLine = ReturnType<typeof showLine>;

const columns = [
  ...["ivr_lead_id", "phone", "state", "attempts", "digit", "result", "duration", "target"],
  ...["abandoned", "answering_machine", "cut_off", "call_uuid", "start_stamp"],
] as (keyof ShownLine)[];

export const CSV_HEAD = `${columns.join(",")}\n`;

export function csvLine(line: ReportLine, timeZone: string): string {
  const shown = showLine(line, timeZone);
  return `${columns.map((column) => csvValue(shown[column])).join(",")}\n`;
}

/** A cell that a spreadsheet would take for a formula is given as text. */
function csvValue(value: string | number | boolean | null): string {
  const text = value === null ? "" : String(value);
  const harmless = /^[=+@-]./.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

function resultOf({ cause, answered }: ReportLine): string {
  return cause === null ? "" : labelOf({ answered, cause });
}

function targetsOf({ targets }: CountedCampaign): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const [key, target] of Object.entries(targets)) fields[fieldOf[key] ?? `digit_target_${key}`] = target;
  return fields;
}

const fieldOf: Partial<Record<string, string>> = {
  "*": "digit_target_star",
  "#": "digit_target_square",
  timeout: "timeout_target",
  invalid: "invalid_target",
};

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part / whole) * 1_000) / 10;
}

export const campaignExample = {
  id: 20212,
  name: "Memnuniyet anketi",
  call_type: "ivr",
  status: "on",
  progress: {
    numbers: 1000,
    finished: 250,
    percent: 25,
    attempts: 310,
    answered: 200,
    success_percent: 80,
    abandoned: 0,
    abandoned_percent: 0,
  },
  created_at: "2026-03-02 09:00:00 +0300",
  digit_target_1: "queue/200",
};

export const lineExample = {
  ivr_lead_id: 1878,
  phone: "905321234567",
  state: "finished",
  attempts: 2,
  digit: "1",
  result: "Cevaplandı",
  duration: "00:00:42",
  target: "queue/200",
  abandoned: false,
  answering_machine: false,
  cut_off: false,
  call_uuid: "aacdb242-5c50-4d2b-8d0c-3f2a1e5b7c11",
  start_stamp: "2026-03-02 10:12:31 +0300",
};
