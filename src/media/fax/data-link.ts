// A fax as data: UDPTL between the machine and the other side, at a port of its own.

import type { Socket } from "node:dgram";
import type { AddressInfo } from "node:net";
import { asWritten, canonical } from "../../addresses.ts";
import type { AgreedImage } from "../../sdp/image.ts";
import type { DataMachine } from "./t30.ts";
import { UdptlReceiver, UdptlSender } from "./udptl.ts";

/** Datagrams of one fax to where nothing has come from yet: a machine that waits to be greeted has been by then. */
const MOST_UNPROVED = 150;

export class DataLink {
  readonly port: number;
  readonly #socket: Socket;
  readonly #receiver = new UdptlReceiver();
  #sender: UdptlSender | undefined;
  #machine: DataMachine | undefined;
  #to: { address: string; port: number } | undefined;
  #alsoFrom: string | undefined;
  #isLocked = false;
  /** Something has come from there, or its signalling does. */
  #isProved = false;
  /** Left to be sent to addresses where that is not so, however many are named. */
  #left = MOST_UNPROVED;
  #isClosed = false;

  constructor(socket: Socket) {
    this.#socket = socket;
    this.port = (socket.address() as AddressInfo).port;
    // A host that refuses packets is as good as one that loses them.
    socket.on("error", () => undefined);
    socket.on("message", (packet, from) => this.#take(packet, from));
  }

  /** Once, or again when the other side moves. `alsoFrom`: its signalling comes from there, so its packets may. */
  direct(agreed: AgreedImage, alsoFrom: string | undefined): void {
    const { address, port } = agreed.remote;
    // A name is nobody's address: it is not looked up, and who goes by it is heard from first.
    this.#to = canonical(address) === undefined ? undefined : { address: asWritten(address), port };
    this.#alsoFrom = alsoFrom;
    this.#isLocked = false;
    this.#isProved = address === alsoFrom;
    this.#sender ??= new UdptlSender(agreed);
  }

  connect(machine: DataMachine): void {
    this.#machine = machine;
  }

  send(ifp: Uint8Array, times: number): void {
    const [sender, to] = [this.#sender, this.#to];
    if (this.#isClosed || !sender || !to) return;
    const packet = sender.wrap(ifp);
    for (let time = 0; time < times && this.#mayGo(); time++)
      this.#socket.send(packet, to.port, this.#dressed(to.address));
  }

  close(): void {
    if (!this.#isClosed) this.#socket.close();
    this.#isClosed = true;
  }

  #mayGo(): boolean {
    if (!this.#isProved) this.#left -= 1;
    return this.#isProved || this.#left >= 0;
  }

  /** A socket for both families wants IPv4 addresses in IPv6 clothing. */
  #dressed(address: string): string {
    const isBoth = this.#socket.address().family === "IPv6" && /^[\d.]+$/.test(address);
    return isBoth ? `::ffff:${address}` : address;
  }

  /** Behind NAT packets come from elsewhere than was said; answers go where the first good one came from. */
  #take(packet: Uint8Array, from: { address: string; port: number }): void {
    const { port } = from;
    const address = asWritten(from.address);
    if (!this.#sender || (address !== this.#to?.address && (this.#isLocked || address !== this.#alsoFrom))) return;
    const packets = this.#receiver.unwrap(packet);
    if (!packets) return;
    this.#to = { address, port };
    this.#isLocked = true;
    this.#isProved = true;
    for (const { octets, sequence } of packets) this.#machine?.take(octets, sequence);
  }
}
