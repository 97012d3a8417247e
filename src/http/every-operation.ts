// Every operation there is, in the order of the reference: requests, limits, the reference, the client and the tests
// of hostile callers are all served from this one list. The console's operations stand by name in console/api.ts.

import type { Endpoint } from "./door/endpoint.ts";
import {
  deleteAnnouncement,
  listAnnouncements,
  updateAnnouncement,
  uploadAnnouncement,
} from "./exchange/announcements.ts";
import { blockNumber, listBlockedNumbers, unblockNumber } from "./exchange/blocked-numbers.ts";
import { changeOutboundCallerId, listCallerIds } from "./exchange/caller-ids.ts";
import { answer, bridge, hangUp, mute, originate, transfer } from "./exchange/calls.ts";
import {
  changeCampaign,
  createCampaign,
  deleteCampaign,
  downloadCampaignReport,
  listCampaigns,
  showCampaignReport,
  showOneCampaign,
} from "./exchange/campaigns.ts";
import { listCdrs, showCallRecord } from "./exchange/cdrs.ts";
import {
  createContactGroup,
  deleteContactGroup,
  listContactGroups,
  updateContactGroup,
} from "./exchange/contact-groups.ts";
import { createContact, deleteContact, listContacts, updateContact } from "./exchange/contacts.ts";
import { showCrmSettings, updateCrmSettings } from "./exchange/crm.ts";
import { listExtensions, setDnd, showExtension } from "./exchange/extensions.ts";
import { orderFax } from "./exchange/fax-order.ts";
import { createDocumentUrl, downloadDocument, listOrders, listRecords } from "./exchange/faxes.ts";
import { showOffice, turnOffice } from "./exchange/office.ts";
import { fetchPhoneSettings } from "./exchange/phone-settings.ts";
import { listQueues, setQueueMembers, showQueueMembers } from "./exchange/queues.ts";
import { createRecordingUrl, createVoicemailUrl, listVoicemailMessages } from "./exchange/recordings.ts";
import { listAgentStatuses, listUserStatuses } from "./exchange/statuses.ts";
import { downloadRecording } from "./exchange/tickets.ts";
import { listWaitingCallers } from "./exchange/waiting.ts";
import { createWebphoneToken } from "./exchange/webphone.ts";
import { blacklist, listBlacklisted, unblacklist } from "./sms/blacklists.ts";
import { consentCampaigns, consentsOfCampaign, handInConsents } from "./sms/consents.ts";
import { balance, headers, inboundMessages, status } from "./sms/reports.ts";
import { cancel, sendCode, sendMany, sendOne } from "./sms/send.ts";
import { webphoneForms } from "./webphone/forms.ts";
import { webphoneRequests } from "./webphone/requests.ts";

export const everyOperation: readonly Endpoint[] = [
  originate,
  bridge,
  hangUp,
  answer,
  transfer,
  mute,
  listWaitingCallers,
  listCallerIds,
  changeOutboundCallerId,
  listExtensions,
  showExtension,
  setDnd,
  fetchPhoneSettings,
  listUserStatuses,
  listAgentStatuses,
  showOffice,
  turnOffice,
  listQueues,
  showQueueMembers,
  setQueueMembers,
  listCdrs,
  showCallRecord,
  createRecordingUrl,
  downloadRecording,
  listVoicemailMessages,
  createVoicemailUrl,
  listAnnouncements,
  uploadAnnouncement,
  updateAnnouncement,
  deleteAnnouncement,
  listBlockedNumbers,
  blockNumber,
  unblockNumber,
  listContactGroups,
  createContactGroup,
  updateContactGroup,
  deleteContactGroup,
  listContacts,
  createContact,
  updateContact,
  deleteContact,
  createCampaign,
  changeCampaign,
  deleteCampaign,
  listCampaigns,
  showOneCampaign,
  showCampaignReport,
  downloadCampaignReport,
  showCrmSettings,
  updateCrmSettings,
  createWebphoneToken,
  orderFax,
  listOrders,
  listRecords,
  createDocumentUrl,
  downloadDocument,
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
  ...webphoneRequests,
  ...webphoneForms,
];
