// Why a message failed, in the numbers of the interface, whatever words a carrier has for it.

import type { FinalState } from "../store/sms-state.ts";

export const NO_ERROR = 0;

export const GSM_ERRORS: ReadonlyMap<number, string> = new Map([
  [1, "EC_UNKNOWN_SUBSCRIBER"],
  [6, "EC_ABSENT_SUBSCRIBER_SM"],
  [11, "EC_TELESERVICE_NOT_PROVISIONED"],
  [13, "EC_CALL_BARRED"],
  [27, "EC_ABSENT_SUBSCRIBER"],
  [31, "EC_SUBSCRIBER_BUSY_FOR_MT_SMS"],
  [32, "EC_SM_DELIVERY_FAILURE"],
  [34, "EC_SYSTEM_FAILURE"],
  [256, "EC_SM_DF_MEMORYCAPACITYEXCEEDED"],
  [257, "EC_SM_DF_EQUIPMENTPROTOCOLERROR"],
  [258, "EC_SM_DF_EQUIPMENTNOTSM_EQUIPPED"],
  [500, "EC_PROVIDER_GENERAL_ERROR"],
  [502, "EC_NO_RESPONSE"],
  [1030, "EC_OR_POTENTIALVERSIONINCOMPATIBILITY"],
  [1155, "EC_NNR_SUBSYSTEMFAILURE"],
  [1157, "EC_NNR_MTPFAILURE"],
  [1281, "EC_UA_USERSPECIFICREASON"],
  [1536, "EC_PA_PROVIDERMALFUNCTION"],
  [2048, "EC_TIME_OUT"],
  [2049, "EC_IMSI_BLACKLISTED"],
  [2050, "EC_DEST_ADDRESS_BLACKLISTED"],
  [2051, "EC_INVALIDMSCADDRESS"],
  [2053, "EC_BLACKLISTED_SENDERADDRESS"],
  [4100, "EC_MESSAGE_CANCELED"],
  [4101, "EC_VALIDITYEXPIRED"],
  [4103, "EC_DESTINATION_FLOODING"],
  [4104, "EC_DESTINATION_TXT_FLOODING"],
]);

/** The number for an ending about which the carrier said nothing more, or nothing we know. */
const PLAIN: { [State in FinalState]: number } = {
  DELIVERED: NO_ERROR,
  SENT: NO_ERROR,
  NOT_DELIVERED: 32,
  EXPIRED: 4101,
  INVALID_DESTINATION_ADDRESS: 1,
  REJECTED: 500,
  DOUBLE_SEND_ERROR: 4104,
  BLACKLISTED_DESTINATION_ADDRESS: 2050,
  NOT_ALLOWED_BY_IYS: 2050,
  MISSING_TARIFF: 500,
  ROUTE_NOT_AVAILABLE: 500,
  NETWORK_NOTCOVERED: 500,
  SEND_ERROR: 500,
  INTERNATIONAL_DENIED: 500,
};

export const NO_REPORT_CAME = 502;

export function gsmErrorFor(state: FinalState, carrierCode?: number): number {
  const plain = PLAIN[state];
  if (plain === NO_ERROR || carrierCode === undefined) return plain;
  return GSM_ERRORS.has(carrierCode) ? carrierCode : plain;
}
