// Why a call ended: in Turkish the exchange's own labels, in English words beside them.

import { causes, type HangupCause } from "../exchange/calls/causes.ts";
import type { Language } from "../languages.ts";

const english: Record<HangupCause, string> = {
  USER_BUSY: "Busy",
  ORIGINATOR_CANCEL: "Given up",
  NO_ANSWER: "No answer",
  NORMAL_CLEARING: "Answered",
  CALL_REJECTED: "Refused",
  INCOMPATIBLE_DESTINATION: "No common codec",
  INCOMING_CALL_BARRED: "Refused",
  UNALLOCATED_NUMBER: "Wrong number",
  NO_ROUTE_DESTINATION: "Wrong number",
  NO_USER_RESPONSE: "Out of reach",
  NORMAL_UNSPECIFIED: "Answered",
  INVALID_NUMBER_FORMAT: "Wrong number",
  NOT_ALLOWED_BY_IYS: "No consent",
  FACILITY_REJECTED: "Error",
  SERVICE_NOT_IMPLEMENTED: "Error",
  FACILITY_NOT_IMPLEMENTED: "Error",
  SERVICE_UNAVAILABLE: "General error",
  INTERWORKING: "General error",
  REDIRECTION_TO_NEW_DESTINATION: "Forwarded by the phone",
  EXCHANGE_ROUTING_ERROR: "Could not be connected",
  MEDIA_TIMEOUT: "Sound stopped",
  SYSTEM_SHUTDOWN: "The exchange was stopped",
  ATTENDED_TRANSFER: "Attended transfer",
  PICKED_OFF: "Picked up elsewhere",
  DESTINATION_OUT_OF_ORDER: "Phone out of order",
  NORMAL_TEMPORARY_FAILURE: "Phone out of order",
  NETWORK_OUT_OF_ORDER: "Network out of order",
  RECOVERY_ON_TIMER_EXPIRE: "Timed out",
  ALLOTTED_TIMEOUT: "No answer",
  BEARERCAPABILITY_NOTIMPL: "Takes no voice calls",
  LOSE_RACE: "Another phone answered",
  CHAN_NOT_IMPLEMENTED: "Unknown kind of channel",
  NORMAL_CIRCUIT_CONGESTION: "No free line",
  INVALID_CALL_REFERENCE: "Unknown call",
};

const tables: Record<Language, (cause: HangupCause) => string> = {
  tr: (cause) => causes[cause].label,
  en: (cause) => english[cause],
};

/** By its name or its label: both are kept in places. What is neither is shown as it is. */
export function causeInWords(written: string, language: Language): string {
  const names = Object.keys(causes) as HangupCause[]; // its own keys
  const cause = names.find((name) => name === written || causes[name].label === written);
  if (!cause) return written;
  return tables[language](cause);
}
