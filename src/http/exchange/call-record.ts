// How a call record is shown: labels, stamps and durations in the words of the interface.

import { codecNames } from "../../codecs/codec.ts";
import { isHangupCause, resultLabel } from "../../exchange/calls/causes.ts";
import type { Cdr, CdrLeg } from "../../store/cdrs.ts";
import { showDuration, showStamp } from "../door/stamps.ts";

export const directions: Record<Cdr["direction"], string> = {
  inbound: "Gelen",
  outbound: "Giden",
  internal: "Santral içi",
};
const origins: Record<Cdr["origin"], string | undefined> = {
  phone: undefined,
  api: "Giden (API)",
  campaign: "Giden (IVR)",
};

export function showCall(cdr: Cdr, timeZone: string) {
  return {
    start_stamp: showStamp(cdr.startStamp, timeZone),
    direction: origins[cdr.origin] ?? directions[cdr.direction],
    caller_id_number: cdr.callerIdNumber,
    caller_id_name: cdr.callerIdName,
    destination_number: cdr.destinationNumber,
    destination_name: cdr.destinationName,
    duration: showDuration(cdr.durationSeconds),
    talk_duration: showDuration(cdr.talkSeconds),
    queue_wait_seconds: showDuration(cdr.queueWaitSeconds),
    queue: cdr.queue,
    result: result(cdr),
    missed: cdr.missed,
    return_uuid: cdr.returnUuid,
    recording_present: String(cdr.recording === "present"),
    sip_hangup_disposition: cdr.sipHangupDisposition,
    call_uuid: cdr.callUuid,
    answer_stamp: cdr.answerStamp && showStamp(cdr.answerStamp, timeZone),
    end_stamp: showStamp(cdr.endStamp, timeZone),
  };
}

export function showCallDetail(cdr: Cdr, timeZone: string) {
  const shown = showCall(cdr, timeZone);
  return {
    direction: shown.direction,
    caller_id_number: shown.caller_id_number,
    destination_number: shown.destination_number,
    result: shown.result,
    sip_hangup_disposition: shown.sip_hangup_disposition,
    missed: shown.missed,
    return_uuid: shown.return_uuid,
    call_uuid: shown.call_uuid,
    start_stamp: shown.start_stamp,
    answer_stamp: shown.answer_stamp,
    end_stamp: shown.end_stamp,
    duration: shown.duration,
    talk_duration: shown.talk_duration,
    queue_wait_seconds: shown.queue_wait_seconds,
    recording_present: shown.recording_present,
  };
}

export function showLeg(leg: CdrLeg, timeZone: string) {
  return {
    destination_number: leg.destinationNumber,
    start_stamp: showStamp(leg.startStamp, timeZone),
    answer_stamp: leg.answerStamp && showStamp(leg.answerStamp, timeZone),
    end_stamp: showStamp(leg.endStamp, timeZone),
    duration: showDuration((leg.endStamp.getTime() - leg.startStamp.getTime()) / 1_000),
    ip_address: leg.ipAddress,
    sip_user_agent: leg.sipUserAgent,
    write_codec: leg.writeCodec,
    read_codec: leg.readCodec,
    result: result(leg),
  };
}

/** A cause we do not know came from an older version of ourselves; the call still has a result. */
function result({ answerStamp, hangupCause }: { answerStamp: Date | null; hangupCause: string }): string {
  const cause = isHangupCause(hangupCause) ? hangupCause : "INTERWORKING";
  return resultLabel({ answered: answerStamp !== null, cause });
}

export const CALL_UUID = "358c20bc-fd86-11e5-87a2-157d41a07454";

export const callExample = {
  start_stamp: "2017-08-03 12:30:32 +0300",
  direction: "Gelen",
  caller_id_number: "03121234567",
  caller_id_name: "Ayşe Yılmaz",
  destination_number: "902129876543",
  destination_name: "DAHİLİ-1",
  duration: "00:00:41",
  talk_duration: "00:00:35",
  queue_wait_seconds: "00:00:04",
  queue: "200",
  result: "Cevaplandı",
  missed: false,
  return_uuid: null,
  recording_present: "true",
  sip_hangup_disposition: "caller",
  call_uuid: CALL_UUID,
  answer_stamp: "2017-08-03 12:30:38 +0300",
  end_stamp: "2017-08-03 12:31:13 +0300",
};

const { caller_id_name: _caller, destination_name: _destination, queue: _queue, ...detail } = callExample;
export const detailExample = detail;

export const legExample = {
  destination_number: "1000",
  start_stamp: "2017-08-03 12:30:34 +0300",
  answer_stamp: "2017-08-03 12:30:38 +0300",
  end_stamp: "2017-08-03 12:31:13 +0300",
  duration: "00:00:39",
  ip_address: "192.0.2.10",
  sip_user_agent: "Deskphone/1.0",
  write_codec: codecNames[0]!,
  read_codec: codecNames[0]!,
  result: "Cevaplandı",
};
