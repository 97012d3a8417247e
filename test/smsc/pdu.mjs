// SMPP 3.4 PDUs as octets, from the specification's tables; shares no code with the client under test.

export const COMMANDS = {
  genericNack: 0x80000000,
  bindTransceiver: 0x00000009,
  bindTransceiverResp: 0x80000009,
  submitSm: 0x00000004,
  submitSmResp: 0x80000004,
  deliverSm: 0x00000005,
  deliverSmResp: 0x80000005,
  unbind: 0x00000006,
  unbindResp: 0x80000006,
  enquireLink: 0x00000015,
  enquireLinkResp: 0x80000015,
};

export const TLV = {
  receiptedMessageId: 0x001e,
  userMessageReference: 0x0204,
  sarReference: 0x020c,
  sarTotal: 0x020e,
  sarNumber: 0x020f,
  networkErrorCode: 0x0423,
  messagePayload: 0x0424,
  messageState: 0x0427,
};

export function pdu(command, status, sequence, body = Buffer.alloc(0)) {
  const head = Buffer.alloc(16);
  head.writeUInt32BE(16 + body.length, 0);
  head.writeUInt32BE(command, 4);
  head.writeUInt32BE(status, 8);
  head.writeUInt32BE(sequence, 12);
  return Buffer.concat([head, body]);
}

export const cString = (text) => Buffer.from(`${text}\0`, "latin1");

export function tlv(tag, value) {
  const head = Buffer.alloc(4);
  head.writeUInt16BE(tag, 0);
  head.writeUInt16BE(value.length, 2);
  return Buffer.concat([head, value]);
}

/** Cuts a stream into PDUs. */
export function framer(hear) {
  let held = Buffer.alloc(0);
  return (chunk) => {
    held = held.length > 0 ? Buffer.concat([held, chunk]) : chunk;
    let at = 0;
    while (held.length - at >= 16) {
      const length = held.readUInt32BE(at);
      if (held.length - at < length) break;
      hear({
        command: held.readUInt32BE(at + 4),
        status: held.readUInt32BE(at + 8),
        sequence: held.readUInt32BE(at + 12),
        body: held.subarray(at + 16, at + length),
      });
      at += length;
    }
    held = held.subarray(at);
  };
}

export function readBind(body) {
  const [systemId, password] = cStrings(body);
  return { systemId, password };
}

export function readSubmit(body) {
  let at = 0;
  const octet = () => body[at++];
  const text = () => {
    const end = body.indexOf(0, at);
    const value = body.toString("latin1", at, end);
    at = end + 1;
    return value;
  };
  const fields = { serviceType: text(), sourceTon: octet(), sourceNpi: octet(), source: text() };
  Object.assign(fields, { destTon: octet(), destNpi: octet(), dest: text(), esmClass: octet() });
  Object.assign(fields, { protocolId: octet(), priority: octet(), schedule: text(), validity: text() });
  Object.assign(fields, { registered: octet(), replace: octet(), coding: octet(), canned: octet() });
  const length = octet();
  fields.message = body.subarray(at, at + length);
  at += length;
  const tlvs = new Map();
  while (at + 4 <= body.length) {
    const size = body.readUInt16BE(at + 2);
    tlvs.set(body.readUInt16BE(at), body.subarray(at + 4, at + 4 + size));
    at += 4 + size;
  }
  return { ...fields, tlvs };
}

/** `message` goes into the short message; everything longer than that into the payload. */
export function deliverBody({ source, dest, esmClass, coding = 0, message, tlvs = [] }) {
  const short = message.length <= 254 ? message : Buffer.alloc(0);
  const rest = short.length < message.length ? [tlv(TLV.messagePayload, message)] : [];
  return Buffer.concat([
    cString(""),
    Buffer.from([1, 1]),
    cString(source),
    Buffer.from([0, 1]),
    cString(dest),
    Buffer.from([esmClass, 0, 0, 0, 0, 0, 0, coding, 0, short.length]),
    short,
    ...rest,
    ...tlvs,
  ]);
}

function cStrings(body) {
  return body.toString("latin1").split("\0");
}
