// A short message service centre for tests, a process of its own: takes messages, reports on them in many dialects, and
// throttles, drops the line, repeats itself or answers late when told to. Its parent talks to it over the IPC channel.

import { createServer } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { COMMANDS, cString, deliverBody, framer, pdu, readBind, readSubmit, TLV, tlv } from "./pdu.mjs";

/** How it behaves; the parent may change any of it while it runs. */
const manner = {
  password: "secret",
  answerMs: 0,
  receiptMs: 5,
  receipts: true,
  throttleEvery: 0,
  dropEvery: 0,
  doubleReceiptEvery: 0,
  lateReceiptEvery: 0,
  receiptFirstEvery: 0,
  failEvery: 0,
  hexReceiptIds: false,
  silentLinks: false,
  keepBodies: true,
};

const taken = [];
const owed = new Map();
const lines = new Set();
let submits = 0;
let throttled = 0;
let drops = 0;
let binds = 0;
let refused = 0;
let signsOfLife = 0;
let nextId = 1000;
let sequence = 1;
let receiptsSent = 0;
let brought = 0;

function serve(socket) {
  const line = { socket, bound: false, inFlight: new Map() };
  lines.add(line);
  socket.setNoDelay(true);
  socket.on("error", () => undefined);
  socket.on("close", () => lines.delete(line));
  socket.on(
    "data",
    framer((request) => hear(line, request)),
  );
}

const heard = {
  [COMMANDS.bindTransceiver]: (line, { sequence, body }) => {
    const { password } = readBind(body);
    const status = password === manner.password ? 0 : 0x0e;
    say(line, pdu(COMMANDS.bindTransceiverResp, status, sequence, cString("smsc")));
    line.bound = status === 0;
    if (line.bound) binds++;
    else refused++;
    if (line.bound) setTimeout(() => deliverOwed(line), 20);
  },
  [COMMANDS.enquireLink]: (line, { sequence }) => {
    signsOfLife++;
    if (!manner.silentLinks) say(line, pdu(COMMANDS.enquireLinkResp, 0, sequence));
  },
  [COMMANDS.unbind]: (line, { sequence }) => {
    say(line, pdu(COMMANDS.unbindResp, 0, sequence));
    line.socket.end();
  },
  [COMMANDS.deliverSmResp]: (line, { sequence, status }) => {
    const key = line.inFlight.get(sequence);
    line.inFlight.delete(sequence);
    if (status === 0) owed.delete(key);
  },
  [COMMANDS.submitSm]: takeSubmit,
};

function hear(line, request) {
  const act = heard[request.command];
  if (act) act(line, request);
  else say(line, pdu(COMMANDS.genericNack, 0x03, request.sequence));
}

const isEvery = (count, every) => every > 0 && count % every === 0;

function takeSubmit(line, { sequence, body }) {
  submits++;
  if (isEvery(submits, manner.throttleEvery)) {
    throttled++;
    return say(line, pdu(COMMANDS.submitSmResp, 0x58, sequence));
  }
  const message = readSubmit(body);
  const id = nextId++;
  taken.push(
    manner.keepBodies ? recordOf(message, id) : { dest: message.dest, text: message.message.toString("latin1") },
  );
  if (isEvery(taken.length, manner.dropEvery)) return drop(line, message, id);
  const answer = () => say(line, pdu(COMMANDS.submitSmResp, 0, sequence, cString(String(id))));
  const report = () => manner.receipts && message.registered === 1 && oweReceipt(message, id);
  if (isEvery(taken.length, manner.receiptFirstEvery)) {
    report();
    deliverOwed(line);
    setTimeout(answer, 30);
  } else {
    if (manner.answerMs > 0) setTimeout(answer, manner.answerMs);
    else answer();
    const late = isEvery(taken.length, manner.lateReceiptEvery) ? 1_500 : 0;
    if (manner.receipts) setTimeout(report, manner.answerMs + manner.receiptMs + late);
  }
}

/** The message was taken, and nobody will ever hear of it: the answer dies with the line. */
function drop(line, message, id) {
  drops++;
  setTimeout(() => manner.receipts && oweReceipt(message, id), 50);
  line.socket.destroy();
}

function recordOf(message, id) {
  const { tlvs, message: octets, ...fields } = message;
  const payload = tlvs.get(TLV.messagePayload);
  const number = (tag) => (tlvs.has(tag) ? tlvs.get(tag).readUIntBE(0, tlvs.get(tag).length) : undefined);
  return {
    ...fields,
    id,
    octets: octets.toString("hex"),
    payload: payload?.toString("hex"),
    reference: number(TLV.userMessageReference),
    sar: [number(TLV.sarReference), number(TLV.sarTotal), number(TLV.sarNumber)],
    text: octets.toString("latin1"),
  };
}

const DIALECTS = [
  (id, stat, err) =>
    `id:${id} sub:001 dlvrd:001 submit date:2601051200 done date:2601051201 stat:${stat} err:${err} text:`,
  (id, stat, err) =>
    `Id:${id} Sub:001 Dlvrd:001 Submit Date:260105120000 Done Date:260105120100 Stat:${stat} Err:${err} Text:Merhaba`,
  (id, stat) => `id:${String(id).padStart(10, "0")} stat:${stat}`,
  (id, stat, err) => `id:"${id}" stat:"${stat}" err:"${err}"`,
  () => undefined,
];

/** Receipts are owed until they are acknowledged, over any number of lines. */
function oweReceipt(message, id) {
  const count = ++receiptsSent;
  const failed = isEvery(id, manner.failEvery);
  const stat = failed ? "UNDELIV" : "DELIVRD";
  const told = manner.hexReceiptIds ? id.toString(16) : String(id);
  const text = DIALECTS[count % DIALECTS.length](told, stat, failed ? "027" : "000");
  const tlvs =
    text === undefined
      ? [tlv(TLV.receiptedMessageId, cString(told)), tlv(TLV.messageState, Buffer.from([failed ? 5 : 2]))]
      : [];
  if (text === undefined && failed) tlvs.push(tlv(TLV.networkErrorCode, Buffer.from([3, 0, 27])));
  const receipt = {
    source: message.dest,
    dest: message.source,
    esmClass: 0x04,
    message: Buffer.from(text ?? ""),
    tlvs,
  };
  owed.set(`r${count}`, deliverBody(receipt));
  if (isEvery(count, manner.doubleReceiptEvery)) owed.set(`r${count}-again`, deliverBody(receipt));
  scheduleDelivery();
}

let scheduled = false;
function scheduleDelivery() {
  if (scheduled) return;
  scheduled = true;
  setImmediate(() => {
    scheduled = false;
    const line = [...lines].find(({ bound }) => bound);
    if (line) deliverOwed(line);
  });
}

function deliverOwed(line) {
  const onTheWay = new Set(line.inFlight.values());
  for (const [key, body] of owed) {
    if (line.inFlight.size >= 200) break;
    if (!onTheWay.has(key)) deliver(line, key, body);
  }
  if (owed.size > line.inFlight.size) setTimeout(() => lines.has(line) && deliverOwed(line), 20);
}

function deliver(line, key, body) {
  const number = sequence++;
  line.inFlight.set(number, key);
  say(line, pdu(COMMANDS.deliverSm, 0, number, body));
}

function say(line, octets) {
  if (line.socket.writable) line.socket.write(octets);
}

const sizes = () => ({ taken: taken.length, owed: owed.size, lines: lines.size });

const orders = {
  manner: (changes) => Object.assign(manner, changes),
  counts: () => ({ submits, throttled, drops, binds, refused, signsOfLife, ...sizes() }),
  taken: (from = 0) => taken.slice(from),
  /** How often each text to each number was taken. */
  tally: () => {
    const tally = {};
    for (const { dest, text } of taken) tally[`${dest} ${text}`] = (tally[`${dest} ${text}`] ?? 0) + 1;
    return tally;
  },
  forget: () => {
    taken.length = 0;
    owed.clear();
    return true;
  },
  bring: ({ message, ...fields }) => {
    owed.set(`m${++brought}`, deliverBody({ ...fields, message: Buffer.from(message, "hex") }));
    scheduleDelivery();
    return true;
  },
  hangUp: () => {
    for (const { socket } of lines) socket.destroy();
    return true;
  },
};

process.on("message", ({ number, order, given }) => process.send({ number, result: orders[order](given) }));
process.on("disconnect", () => process.exit(0));

const [certificate, key] = process.argv.slice(2);
const server = certificate ? createTlsServer({ cert: certificate, key }, serve) : createServer(serve);
server.listen(0, "127.0.0.1", () => process.send({ port: server.address().port }));
