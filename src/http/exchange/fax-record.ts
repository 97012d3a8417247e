// How fax orders and fax records are shown: labels and stamps in the words of the interface.

import type { ListedFaxOrder } from "../../store/fax-orders.ts";
import type { FaxRecord } from "../../store/fax-records.ts";
import { showStamp } from "../door/stamps.ts";
import { directions } from "./call-record.ts";

/** An unfinished order waits, be it for its turn, for another try, or for the last page to be over. */
const WAITING = "Bekliyor";
const results = { well: "Başarılı", badly: "Başarısız" };

export function showOrder(order: ListedFaxOrder, timeZone: string) {
  return {
    id: order.id,
    created_at: localStamp(order.createdAt, timeZone),
    local_station_id: order.localStationId,
    remote_station_id: order.remoteStationId,
    status: WAITING,
  };
}

export function showRecord(record: FaxRecord, timeZone: string) {
  return {
    call_uuid: record.callUuid,
    direction: directions[record.direction],
    caller_id_number: record.callerIdNumber,
    local_station_header: record.localStationHeader,
    original_destination: record.originalDestination,
    pages_count: `${record.pages} / ${record.totalPages}`,
    transfer_rate: record.transferRate,
    start_stamp: localStamp(record.startStamp, timeZone),
    answer_stamp: record.answerStamp && localStamp(record.answerStamp, timeZone),
    end_stamp: localStamp(record.endStamp, timeZone),
    duration: record.durationSeconds,
    success: record.success,
    result: record.success ? results.well : results.badly,
  };
}

/** In the exchange's own time, without saying so. */
function localStamp(moment: Date, timeZone: string): string {
  return showStamp(moment, timeZone).slice(0, "2018-03-22 14:50:20".length);
}

export const orderExample = {
  id: 96,
  created_at: "2018-06-05 16:41:39",
  local_station_id: "902129630131",
  remote_station_id: "902123205072",
  status: WAITING,
};

export const recordExample = {
  call_uuid: "358c20bc-fd86-11e5-87a2-157d41a07454",
  direction: "Giden",
  caller_id_number: "902129630131",
  local_station_header: "Örnek A.Ş.",
  original_destination: "902123205072",
  pages_count: "2 / 2",
  transfer_rate: 14400,
  start_stamp: "2018-03-22 14:50:20",
  answer_stamp: "2018-03-22 14:50:25",
  end_stamp: "2018-03-22 14:51:32",
  duration: 72,
  success: true,
  result: results.well,
};
