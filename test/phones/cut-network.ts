// The network between web phones and the exchange: pages, SIP and voice all pass through here, and here it can be cut.

import { createSocket, type Socket as Datagrams, type RemoteInfo } from "node:dgram";
import { createServer, type IncomingMessage, type RequestListener, request, type ServerResponse } from "node:http";
import { createServer as createSafeServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { WebSocket, WebSocketServer } from "ws";
import { whenOver } from "../ground/when-over.ts";

export type Network = {
  port: number;
  /** Nothing passes any more. What was open stays open and silent, as when a cable is pulled; nothing new is let in. */
  cut(): void;
  /** The same, and every socket that was open is torn, as when a router is started again. */
  tear(): void;
  /** New ways are open; the old ones stay dead. */
  mend(): void;
  /** How many SIP sockets have been opened so far. */
  sockets(): number;
};

export type NetworkOptions = {
  /** The exchange's HTTP address. */
  to: string;
  certificate?: { key: string; cert: string };
};

const HERE = "127.0.0.1";
const CANDIDATES = /^a=candidate:.*\r\n/gm;
/** Foundation, component, transport and priority; then where. */
const PLACE = /^(a=candidate:(?:\S+ ){4})(\S+) (\d+)/gm;
/** One for each call that a test makes through here, and for each try to come back to one. */
const MOST_RELAYS = 48;

type Life = { isOn: boolean };

export async function openNetwork({ to, certificate }: NetworkOptions): Promise<Network> {
  let life: Life = { isOn: true };
  let opened = 0;
  const relays = await openRelays();
  const pages: RequestListener = (asked, answer) => {
    if (life.isOn) pass(to, asked, answer);
    else asked.socket.destroy();
  };
  const server = certificate ? createSafeServer(certificate, pages) : createServer(pages);
  const open = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    open.add(socket);
    socket.on("close", () => open.delete(socket));
  });
  const doors = new WebSocketServer({ noServer: true, handleProtocols: () => "sip" });
  server.on("upgrade", (asked: IncomingMessage, socket: Duplex, head: Buffer) => {
    const ofNow = life;
    if (!ofNow.isOn) return void socket.destroy();
    if (!asked.url?.startsWith("/ws")) return passSocket(to, asked, socket);
    opened += 1;
    doors.handleUpgrade(asked, socket, head, (browser) =>
      join(browser, new WebSocket(`ws://${to}/ws`, "sip"), { relays, life: ofNow }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, HERE, resolve));
  whenOver(() => {
    for (const browser of doors.clients) browser.terminate();
    server.closeAllConnections();
    server.close();
    relays.close();
  });
  const cut = () => {
    life.isOn = false;
    relays.cut();
  };
  return {
    port: (server.address() as AddressInfo).port, // it listens on a port, not on a path
    cut,
    tear() {
      cut();
      for (const browser of doors.clients) browser.terminate();
      for (const socket of open) socket.destroy();
    },
    mend() {
      life = { isOn: true };
    },
    sockets: () => opened,
  };
}

function pass(to: string, asked: IncomingMessage, answer: ServerResponse): void {
  const { method, url, headers } = asked;
  const onward = request(`http://${to}${url}`, { method, headers }, (said) => {
    answer.writeHead(said.statusCode ?? 502, said.headers);
    said.pipe(answer);
  });
  onward.on("error", () => answer.destroy());
  asked.pipe(onward);
}

/** A socket of the pages, as it is. */
function passSocket(to: string, { url, headers }: IncomingMessage, browser: Duplex): void {
  const onward = request(`http://${to}${url}`, { headers });
  onward.on("error", () => browser.destroy());
  onward.on("response", () => browser.destroy()); // it was refused, which no test here wants to read
  onward.on("upgrade", (said: IncomingMessage, server: Duplex) => {
    const lines = said.rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${said.rawHeaders[at + 1]}`] : []));
    browser.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join("\r\n")}\r\n\r\n`);
    for (const side of [browser, server]) side.on("error", () => side.destroy());
    browser.on("close", () => server.destroy());
    server.on("close", () => browser.destroy());
    browser.pipe(server).pipe(browser);
  });
  onward.end();
}

/** SIP in both directions: the exchange is told no address of the browser, and the browser is told ours. */
function join(browser: WebSocket, exchange: WebSocket, { relays, life }: { relays: Relays; life: Life }): void {
  const early: string[] = [];
  const tell = (text: string) => (exchange.readyState === WebSocket.OPEN ? exchange.send(text) : early.push(text));
  exchange.on("open", () => {
    for (const text of early.splice(0)) exchange.send(text);
  });
  browser.on("message", (octets: Buffer) => {
    if (life.isOn) tell(withBody(octets.toString(), (body) => body.replace(CANDIDATES, "")));
  });
  exchange.on("message", (octets: Buffer) => {
    if (life.isOn) browser.send(withBody(octets.toString(), relays.through));
  });
  browser.on("close", () => exchange.terminate());
  exchange.on("close", () => life.isOn && browser.close());
  for (const socket of [browser, exchange]) socket.on("error", () => undefined); // its close follows
}

function withBody(message: string, change: (body: string) => string): string {
  const end = message.indexOf("\r\n\r\n");
  const head = message.slice(0, end);
  if (!/^content-type:\s*application\/sdp/im.test(head)) return message;
  const body = change(message.slice(end + 4));
  return `${head.replace(/^content-length:.*$/im, `Content-Length: ${Buffer.byteLength(body)}`)}\r\n\r\n${body}`;
}

type Relays = {
  /** The same description, with a place of ours for each of theirs. */
  through(description: string): string;
  cut(): void;
  close(): void;
};

/** Opened beforehand, so that a place is there at once when a description comes by. */
async function openRelays(): Promise<Relays> {
  const free = await Promise.all(Array.from({ length: MOST_RELAYS }, openRelay));
  const all = [...free];
  const byPlace = new Map<string, Relay>();
  const relayTo = (address: string, port: number) => {
    const place = `${address}:${port}`;
    const relay = byPlace.get(place) ?? free.shift();
    if (!relay) throw new Error("more calls than there are relays");
    relay.lead({ address, port });
    byPlace.set(place, relay);
    return relay;
  };
  return {
    through: (description) =>
      description.replace(
        PLACE,
        (_, begin: string, address: string, port: string) => `${begin}${HERE} ${relayTo(address, Number(port)).port}`,
      ),
    cut() {
      for (const relay of byPlace.values()) relay.lead(undefined);
      byPlace.clear();
    },
    close() {
      for (const relay of all) relay.close();
    },
  };
}

type Place = { address: string; port: number };

/** One that leads nowhere swallows what comes, from either side. */
type Relay = { port: number; lead(to: Place | undefined): void; close(): void };

/** Each address of the browser gets a socket of its own, so that the exchange can tell them apart. */
async function openRelay(): Promise<Relay> {
  let to: Place | undefined;
  const sides = new Map<string, Datagrams>();
  const socket = createSocket("udp4");
  const sideOf = (browser: RemoteInfo) => {
    const name = `${browser.address}:${browser.port}`;
    const side = sides.get(name) ?? createSocket("udp4");
    if (!sides.has(name)) side.on("message", (packet) => to && socket.send(packet, browser.port, browser.address));
    sides.set(name, side);
    return side;
  };
  socket.on("message", (packet, browser) => to && sideOf(browser).send(packet, to.port, to.address));
  await new Promise<void>((resolve) => socket.bind(0, HERE, resolve));
  return {
    port: socket.address().port,
    lead(place) {
      to = place;
    },
    close() {
      to = undefined;
      for (const one of [socket, ...sides.values()]) one.close();
    },
  };
}
