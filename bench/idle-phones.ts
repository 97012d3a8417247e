// Thousands of phones that only stay registered: each refreshes in its turn and answers challenges as phones do.

import { createSocket, type Socket } from "node:dgram";
import { hash } from "../src/exchange/signalling/registrar/hashing.ts";
import { DOMAIN, FIRST_USER, passwordOf } from "./registrar-server.ts";

type Phone = { user: number; socket: Socket; port: number; cseq: number; nonce: string; count: number; ha1: string };

export type Idle = {
  /** Every phone once, so many a second; resolves when all have been answered. */
  register(perSecond: number): Promise<void>;
  counts(): { sent: number; accepted: number; challenged: number; refused: number };
  close(): void;
};

const ADDRESSES = 10;
const URI = `sip:${DOMAIN}`;
const HA2 = hash("MD5", `REGISTER:${URI}`);

export async function openPhones(total: number, serverPort: number): Promise<Idle> {
  const counts = { sent: 0, accepted: 0, challenged: 0, refused: 0 };
  const sockets = await Promise.all(Array.from({ length: ADDRESSES }, (_, index) => boundTo(`127.0.0.${index + 2}`)));
  const phones = Array.from({ length: total }, (_, index): Phone => {
    const socket = sockets[index % ADDRESSES]!;
    const user = FIRST_USER + index;
    const ha1 = hash("MD5", `${user}:${DOMAIN}:${passwordOf(user)}`);
    return { user, socket, port: socket.address().port, cseq: 0, nonce: "", count: 0, ha1 };
  });
  for (const socket of sockets) socket.on("message", hear);
  return { register, counts: () => ({ ...counts }), close: () => sockets.forEach((socket) => void socket.close()) };

  async function register(perSecond: number): Promise<void> {
    const target = counts.accepted + total;
    const began = performance.now();
    for (let next = 0; next < total; ) {
      const due = Math.min(total, Math.floor(((performance.now() - began) / 1_000) * perSecond) + 1);
      for (; next < due; next++) send(phones[next]!);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    const end = performance.now() + 10_000;
    while (counts.accepted < target && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 20));
  }

  function send(phone: Phone): void {
    const { user, socket } = phone;
    const { address, port } = socket.address();
    phone.cseq++;
    counts.sent++;
    const text =
      `REGISTER ${URI} SIP/2.0\r\nVia: SIP/2.0/UDP ${address}:${port};branch=z9hG4bK${user}x${phone.cseq};rport\r\n` +
      `Max-Forwards: 70\r\nFrom: <sip:${user}@${DOMAIN}>;tag=${user}\r\nTo: <sip:${user}@${DOMAIN}>\r\n` +
      `Call-ID: idle-${user}@${address}\r\nCSeq: ${phone.cseq} REGISTER\r\nContact: <sip:${user}@${address}:${port}>\r\n` +
      `User-Agent: baresip v1.0.0 (idle)\r\nExpires: 120\r\n${authorization(phone)}Content-Length: 0\r\n\r\n`;
    socket.send(text, serverPort, "127.0.0.1");
  }

  function hear(datagram: Buffer): void {
    const text = datagram.toString("latin1");
    const user = Number(/\r\nCall-ID: idle-(\d+)@/.exec(text)?.[1]);
    const phone = phones[user - FIRST_USER];
    if (!phone) return;
    if (text.startsWith("SIP/2.0 200")) counts.accepted++;
    else if (text.startsWith("SIP/2.0 401")) {
      counts.challenged++;
      phone.nonce = /nonce="([^"]+)"/.exec(text)?.[1] ?? "";
      phone.count = 0;
      send(phone);
    } else counts.refused++;
  }
}

function authorization(phone: Phone): string {
  if (phone.nonce === "") return "";
  const nc = (++phone.count).toString(16).padStart(8, "0");
  const response = hash("MD5", `${phone.ha1}:${phone.nonce}:${nc}:c:auth:${HA2}`);
  return (
    `Authorization: Digest username="${phone.user}", realm="${DOMAIN}", nonce="${phone.nonce}", uri="${URI}", ` +
    `response="${response}", algorithm=MD5, qop=auth, nc=${nc}, cnonce="c"\r\n`
  );
}

function boundTo(address: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = createSocket({ type: "udp4", recvBufferSize: 4 << 20, sendBufferSize: 4 << 20 });
    socket.once("error", reject);
    socket.bind(0, address, () => resolve(socket));
  });
}
