// The exchange API's table of contents, in the order of its reference.

import type { Endpoint } from "../door/endpoint.ts";
import { deleteAnnouncement, listAnnouncements, updateAnnouncement, uploadAnnouncement } from "./announcements.ts";
import { blockNumber, listBlockedNumbers, unblockNumber } from "./blocked-numbers.ts";
import { changeOutboundCallerId, listCallerIds } from "./caller-ids.ts";
import {
  changeCampaign,
  createCampaign,
  deleteCampaign,
  downloadCampaignReport,
  listCampaigns,
  showCampaignReport,
  showOneCampaign,
} from "./campaigns.ts";
import { listCdrs, showCallRecord } from "./cdrs.ts";
import { createContactGroup, deleteContactGroup, listContactGroups, updateContactGroup } from "./contact-groups.ts";
import { createContact, deleteContact, listContacts, updateContact } from "./contacts.ts";
import { showCrmSettings, updateCrmSettings } from "./crm.ts";
import { listExtensions, setDnd, showExtension } from "./extensions.ts";
import { listQueues, setQueueMembers, showQueueMembers } from "./queues.ts";
import { createRecordingUrl, createVoicemailUrl, listVoicemailMessages } from "./recordings.ts";
import { listAgentStatuses, listUserStatuses } from "./statuses.ts";
import { downloadRecording } from "./tickets.ts";
import { createWebphoneToken } from "./webphone.ts";

export const exchangeApi: readonly Endpoint[] = [
  listCallerIds,
  changeOutboundCallerId,
  listExtensions,
  showExtension,
  setDnd,
  listUserStatuses,
  listAgentStatuses,
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
];
