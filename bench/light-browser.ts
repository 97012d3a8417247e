// Browsers without pages, many to a process: real ICE, DTLS by OpenSSL and SRTP, on sockets of the C library.

import { createHmac, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";
import { loadLibc } from "../src/libc.ts";
import { fingerprintOf, makeCertificate } from "../src/media/embedded/certificate.ts";
import { type Association, type DtlsLibrary, openDtls } from "../src/media/embedded/dtls.ts";
import { Session } from "../src/media/embedded/srtp.ts";
import { cryptoLibrary } from "../src/media/embedded/srtp-crypto.ts";
import { looksLikeStun, readCheck, writeAnswer } from "../src/media/embedded/stun.ts";
import { type Address, makeAddress, parseIp, type SocketHandle } from "../src/media/embedded/wire.ts";
import { LibcWire } from "../src/media/embedded/wire-libc.ts";
import { readAudio } from "../src/sdp/audio.ts";
import { fingerprintAttribute } from "../src/sdp/dtls.ts";
import { parseSdp } from "../src/sdp/parse.ts";
import { attribute } from "../src/sdp/session.ts";

const HOST = "127.0.0.1";
const HERE = parseIp(HOST)!; // it is one
const HEADER = 12;
const VOICE = 160;
const A_LAW = 8;
const MAGIC = 0x2112_a442;
/** Of what is heard every so manieth packet is decrypted: that it can be is shown, and the load stays light. */
const LISTENED = 50;

const answer = Buffer.alloc(128);
const out = Buffer.alloc(HEADER + VOICE + 64, 0xd5);

export type LightPhone = { socket: SocketHandle; port: number };

export class LightBrowsers {
  readonly wire: LibcWire;
  readonly #library: DtlsLibrary;
  readonly #fingerprint: string;
  readonly #at: (LightBrowser | undefined)[] = [];
  readonly #phones = new Set<SocketHandle>();
  readonly heard = { byBrowsers: 0, byPhones: 0, understood: 0, garbled: 0 };

  constructor() {
    const libc = loadLibc();
    if (!libc) throw new Error("the C library cannot be called here");
    const certificate = makeCertificate();
    const library = openDtls(certificate);
    if (!library) throw new Error("OpenSSL cannot be called here");
    this.#library = library;
    this.#fingerprint = fingerprintAttribute(fingerprintOf(certificate)).value ?? "";
    this.wire = new LibcWire(libc);
    // It only notes whom to tell: what comes is taken by `drain`.
    this.wire.serve({
      woke: () => undefined,
      turn: () => 0,
      takeCommands: () => false,
      arrived: (socket, length) => {
        if (this.#phones.has(socket)) this.heard.byPhones += 1;
        else this.#at[socket]?.take(length);
      },
    });
  }

  open(): LightBrowser {
    const socket = this.wire.bind(HERE, 0)!; // the system chooses a free one
    const browser = new LightBrowser(this, { socket, library: this.#library, fingerprint: this.#fingerprint });
    this.#at[socket] = browser;
    return browser;
  }

  close(browser: LightBrowser): void {
    this.#at[browser.socket] = undefined;
    this.wire.close(browser.socket);
  }

  /** The telephone of a call. */
  openPhone(): LightPhone {
    const socket = this.wire.bind(HERE, 0)!; // as above
    this.#phones.add(socket);
    return { socket, port: this.wire.portOf(socket) };
  }

  closePhone({ socket }: LightPhone): void {
    this.#phones.delete(socket);
    this.wire.close(socket);
  }

  sayFromPhone({ socket, port }: LightPhone, to: Address, sequence: number): void {
    writeVoice(sequence, port);
    this.wire.send(socket, out, HEADER + VOICE, to);
  }
}

export class LightBrowser {
  readonly socket: SocketHandle;
  readonly #all: LightBrowsers;
  readonly #library: DtlsLibrary;
  readonly #fingerprint: string;
  readonly #ufrag = randomBytes(6).toString("base64");
  readonly #password = randomBytes(18).toString("base64");
  readonly #ssrc = randomBytes(4).readUInt32BE();
  #theirs = { username: Buffer.alloc(0), password: Buffer.alloc(0) };
  #to: Address | undefined;
  #association: Association | undefined;
  #terms: Parameters<DtlsLibrary["begin"]>[0] = { isClient: true, fingerprints: [] };
  #session: Session | undefined;
  #isFound = false;

  constructor(all: LightBrowsers, made: { socket: SocketHandle; library: DtlsLibrary; fingerprint: string }) {
    this.#all = all;
    this.socket = made.socket;
    this.#library = made.library;
    this.#fingerprint = made.fingerprint;
  }

  get isUp(): boolean {
    return this.#session !== undefined;
  }

  offer(): string {
    const port = this.#all.wire.portOf(this.socket);
    return [
      ...["v=0", `o=- 1 1 IN IP4 ${HOST}`, "s=-", "t=0 0", "a=group:BUNDLE 0"],
      ...[`m=audio ${port} UDP/TLS/RTP/SAVPF 8 126`, `c=IN IP4 ${HOST}`, "a=mid:0", "a=sendrecv", "a=rtcp-mux"],
      ...["a=rtpmap:8 PCMA/8000", "a=rtpmap:126 telephone-event/8000"],
      ...[`a=ice-ufrag:${this.#ufrag}`, `a=ice-pwd:${this.#password}`],
      ...[`a=fingerprint:${this.#fingerprint}`, "a=setup:actpass"],
      `a=candidate:1 1 udp 2130706431 ${HOST} ${port} typ host`,
      "",
    ].join("\r\n");
  }

  understand(text: string): void {
    const parsed = parseSdp(text);
    const description = parsed.is === "malformed" ? undefined : parsed.description;
    const line = description?.media[0];
    const audio = description && line && readAudio(description, line);
    if (!description || !line || !audio) throw new Error(`not an answer: ${text}`);
    const read = (name: string) => attribute(line, name) ?? attribute(description, name) ?? "";
    const [, , , , address = HOST, port = "0"] = read("candidate").split(" ");
    this.#theirs = {
      username: Buffer.from(`${read("ice-ufrag")}:${this.#ufrag}`),
      password: Buffer.from(read("ice-pwd")),
    };
    this.#to = makeAddress(parseIp(address) ?? HERE, Number(port));
    this.#terms = { isClient: audio.setup !== "active", fingerprints: audio.fingerprints };
  }

  /** Every few seconds once it is up, and oftener before. */
  check(): void {
    if (!this.#to) return;
    this.#all.wire.send(this.socket, answer, writeCheck(answer, this.#theirs), this.#to);
    if (!this.#isFound) return;
    this.#associate()?.tick();
  }

  #associate(): Association | undefined {
    const to = this.#to;
    if (to)
      this.#association ??= this.#library.begin(this.#terms, (datagram) =>
        this.#all.wire.send(this.socket, datagram, datagram.length, to),
      );
    return this.#association;
  }

  take(length: number): void {
    const { packet, fromIp, fromPort } = this.#all.wire;
    if (looksLikeStun(packet)) {
      if (packet.readUInt16BE(0) === 0x0101) this.#isFound = true;
      const ours = { username: Buffer.from(swapped(this.#theirs.username)), password: Buffer.from(this.#password) };
      const check = readCheck(packet, length, ours);
      const to = makeAddress(fromIp, fromPort);
      if (check) {
        const size = writeAnswer(answer, { ...check, isControlled: false }, to, ours.password);
        this.#all.wire.send(this.socket, answer, size, to);
      }
    } else if (packet[0]! >= 20 && packet[0]! <= 63) {
      const keys = this.#associate()?.take(packet.subarray(0, length));
      if (keys === "failed") throw new Error("a handshake failed");
      if (keys) this.#session = new Session(keys, cryptoLibrary());
    } else if (length > 100) this.#hear(length);
  }

  say(sequence: number): void {
    if (!this.#session || !this.#to) return;
    writeVoice(sequence, this.#ssrc);
    this.#all.wire.send(this.socket, out, this.#session.protect(out, HEADER + VOICE), this.#to);
    out.fill(0xd5, HEADER);
  }

  close(): void {
    this.#association?.close();
    this.#session?.close();
    this.#all.close(this);
  }

  #hear(length: number): void {
    const { heard, wire } = this.#all;
    heard.byBrowsers += 1;
    if (heard.byBrowsers % LISTENED !== 0) return;
    if ((this.#session?.unprotect(wire.packet, length) ?? -1) === HEADER + VOICE) heard.understood += 1;
    else heard.garbled += 1;
  }
}

function swapped(username: Buffer): string {
  const [theirs = "", ours = ""] = username.toString().split(":");
  return `${ours}:${theirs}`;
}

function writeVoice(sequence: number, ssrc: number): void {
  out[0] = 0x80;
  out[1] = A_LAW;
  out.writeUInt16BE(sequence & 0xffff, 2);
  out.writeUInt32BE((sequence * VOICE) >>> 0, 4);
  out.writeUInt32BE(ssrc, 8);
}

/** A check of the side that chooses, which has chosen. */
function writeCheck(into: Buffer, { username, password }: { username: Buffer; password: Buffer }): number {
  into.writeUInt16BE(1, 0);
  into.writeUInt32BE(MAGIC, 4);
  randomBytes(12).copy(into, 8);
  let at = 20;
  const add = (type: number, value: Buffer) => {
    into.writeUInt16BE(type, at);
    into.writeUInt16BE(value.length, at + 2);
    value.copy(into, at + 4);
    at += 4 + value.length + ((4 - (value.length & 3)) & 3);
  };
  add(0x0006, username);
  add(0x0024, Buffer.from([0x6e, 0, 1, 0xff]));
  add(0x802a, Buffer.alloc(8, 7));
  add(0x0025, Buffer.alloc(0));
  into.writeUInt16BE(at + 24 - 20, 2);
  add(0x0008, createHmac("sha1", password).update(into.subarray(0, at)).digest());
  into.writeUInt16BE(at + 8 - 20, 2);
  const mark = Buffer.alloc(4);
  mark.writeUInt32BE((crc32(into.subarray(0, at)) ^ 0x5354_554e) >>> 0);
  add(0x8028, mark);
  return at;
}
