// Campaigns of automatic calls: what was asked for, and whether they run.

export const campaignKeys = [
  ...["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "*", "#"],
  "timeout",
  "invalid",
] as const;
/** What a called person did: a key, no key in time, or a key that leads nowhere. */
export type CampaignKey = "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "*" | "#" | "timeout" | "invalid";

export type CampaignLanguage = "tr-TR" | "en-US" | "ar-XA";

export type Campaign = {
  id: number;
  exchangeId: number;
  name: string;
  callType: "ivr" | "queue";
  /** Queue campaigns: where answered calls go. */
  queueNumber: string | null;
  /** Queue campaigns: calls at once as a multiple of the agents who are free. */
  threadMultiplier: number;
  /** Calls at once; null: what the exchange allows for automatic calls. */
  maxThreadCount: number | null;
  /** YYYY-MM-DD and HH:MM by the exchange's own clock; the last minute is inside. */
  dateBegin: string;
  dateEnd: string;
  timeBegin: string;
  timeEnd: string;
  /** 1 is Monday, 7 is Sunday. */
  activeDays: number[];
  ringSeconds: number;
  /** The number of ours that is shown; null: the exchange's own choice. */
  cli: string | null;
  welcomeAnnouncementId: number | null;
  /** Further attempts on busy, unreachable and no answer. */
  callRetries: number;
  webhookUrl: string | null;
  /** Targets in the slash form; a key without one is not among them. */
  targets: Partial<Record<CampaignKey, string>>;
  /** How often the menu is said again after a wrong key or none. */
  digitRetries: number;
  digitTimeoutSeconds: number;
  isCommercial: boolean;
  recipientType: "BIREYSEL" | "TACIR" | null;
  brandCode: number | null;
  recordingEnabled: boolean;
  /** Whether an answering machine is recognised and hung up on. */
  detectsMachines: boolean;
  /** The greatest share of answered calls that may find no agent, 0 to 1. */
  abandonCap: number;
  /** Switched on; whether it dials now is a matter of its dates and hours. */
  isOn: boolean;
  createdMs: number;
};

export type CampaignNumberState =
  /** Never dialled, or to be dialled again. */
  | "waiting"
  /** Claimed: its call may be under way. */
  | "dialling"
  /** Will not be dialled again. */
  | "finished";

export type CampaignNumber = {
  /** The interface's ivr_lead_id. */
  id: number;
  /** 90… or 00…, as the interface stores numbers. */
  number: string;
  /** Said to this person instead of the welcome sound. */
  phrase: string | null;
  language: CampaignLanguage;
  attempts: number;
  state: CampaignNumberState;
};
