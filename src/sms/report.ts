// One message's fate and one inbound message as the interface writes them, in answers and in pushes.

import type { Inbound } from "../store/sms-inbound.ts";
import { isFinal, statusWord } from "../store/sms-state.ts";
import type { MessageStatus } from "../store/sms-status.ts";
import { gsmErrorFor, NO_ERROR } from "./gsm-error.ts";
import { offsetStamp, plainStamp } from "./stamp.ts";

/** The order of the fields is the interface's own. */
export function reportOf(message: MessageStatus, zone: string) {
  const { state } = message;
  const arrived = state === "DELIVERED" || state === "SENT";
  const report = {
    campaign_id: message.campaignId,
    campaign_custom_id: message.campaignCustomId,
    message_id: String(message.messageId),
    message_custom_id: message.messageCustomId,
    dest: message.dest,
    size: message.size,
    international_multiplier: message.multiplier,
    credits: message.credits,
    status: statusWord(state),
    gsm_error: String(message.gsmError ?? (isFinal(state) ? gsmErrorFor(state) : NO_ERROR)),
    sent_at: arrived && message.sentAt ? plainStamp(message.sentAt, zone) : null,
    done_at: message.doneAt ? plainStamp(message.doneAt, zone) : null,
  };
  // Said only where it is so: whoever knows the fields of the interface finds just those.
  return message.lacksOptOut ? { ...report, opt_out_missing: true } : report;
}

export function deliveryReport(message: MessageStatus, zone: string) {
  return { type: "outbound", ...reportOf(message, zone) };
}

export function inboundPush(inbound: Inbound, zone: string) {
  const { id, createdAt, network, sourceAddr, destinationAddr, keyword, content, receivedAt } = inbound;
  return {
    message_id: id,
    type: "inbound",
    created_at: plainStamp(createdAt, zone),
    network,
    source_addr: sourceAddr,
    destination_addr: destinationAddr,
    keyword,
    content,
    received_at: plainStamp(receivedAt, zone),
  };
}

export function inboundRow(inbound: Inbound, zone: string) {
  const { id, createdAt, network, sourceAddr, destinationAddr, keyword, content, receivedAt } = inbound;
  return {
    message_id: id,
    created_at: offsetStamp(createdAt, zone),
    network,
    source_addr: sourceAddr,
    destination_addr: destinationAddr,
    keyword,
    content,
    received_at: offsetStamp(receivedAt, zone),
  };
}
