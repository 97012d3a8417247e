// The SMS API's table of contents, in the order of its reference.

import { blacklist, listBlacklisted, unblacklist } from "./blacklists.ts";
import { consentCampaigns, consentsOfCampaign, handInConsents } from "./consents.ts";
import { type SmsDoor, type SmsEndpoint, smsDoor } from "./door.ts";
import { balance, headers, inboundMessages, status } from "./reports.ts";
import { cancel, sendCode, sendMany, sendOne } from "./send.ts";

export const smsApi: readonly SmsEndpoint[] = [
  sendMany,
  sendOne,
  cancel,
  status,
  inboundMessages,
  headers,
  balance,
  listBlacklisted,
  blacklist,
  unblacklist,
  handInConsents,
  consentCampaigns,
  consentsOfCampaign,
  sendCode,
];

/** For the HTTP server's list of plugins. */
export function smsPlugin(door: SmsDoor) {
  return smsDoor(smsApi, door);
}
