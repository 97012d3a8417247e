import { once } from "node:events";
import { connect as connectPlain } from "node:net";
import { connect, type TLSSocket } from "node:tls";
import { expect, test } from "vitest";
import { selfSigned } from "../../../test/ground/certificate.ts";
import { testClock } from "../../../test/ground/test-clock.ts";
import { ear, optionsText, portOf, sender } from "../../../test/sip/sip-doors.ts";
import { openTls, type TlsOptions, type TlsTransport } from "./tls.ts";

const first = selfSigned("first.example");
const second = selfSigned("second.example");
const tenant = selfSigned("tenant.example");

async function openDoor(more: Partial<TlsOptions> = {}) {
  const certificates = { default: first, byName: { "tenant.example": tenant } };
  const clock = testClock();
  const door = await openTls({ clock, address: "127.0.0.1", port: 0, certificates, ...more });
  const listening = ear();
  door.start(listening);
  return { door, listening, clock };
}

async function phoneTo(door: TlsTransport, servername?: string): Promise<TLSSocket> {
  const options = { host: "127.0.0.1", port: portOf(door), rejectUnauthorized: false };
  const socket = connect({ ...options, ...(servername && { servername }) });
  await once(socket, "secureConnect");
  return socket;
}

/** Begins no handshake. */
function knockAt(door: TlsTransport, localAddress = "127.0.0.1") {
  const socket = connectPlain({ port: portOf(door), host: "127.0.0.1", localAddress, allowHalfOpen: true });
  return { socket: socket.on("error", () => {}).resume(), closed: once(socket, "end") };
}

const nameOf = (socket: TLSSocket) => socket.getPeerCertificate().subject.CN;

test("each name has its certificate, and an unknown one gets the default", async () => {
  const { door } = await openDoor();
  for (const [asked, shown] of [
    ["tenant.example", "tenant.example"],
    ["TENANT.example", "tenant.example"],
    ["other.example", "first.example"],
    [undefined, "first.example"],
  ] as const) {
    const phone = await phoneTo(door, asked);
    expect(nameOf(phone)).toBe(shown);
    phone.destroy();
  }
  await door.close();
});

test("a new certificate serves new connections, and those that are up stay up", async () => {
  const { door, listening } = await openDoor();
  const before = await phoneTo(door);
  door.reload({ default: second, byName: { "tenant.example": second } });
  const after = await phoneTo(door);
  expect(nameOf(after)).toBe("second.example");
  const tenants = await phoneTo(door, "tenant.example");
  expect(nameOf(tenants)).toBe("second.example");
  before.write(optionsText("TLS", "k1"));
  const { source, octets } = await listening.next();
  expect(octets).toContain("Call-ID: k1");
  expect(source.transport).toBe("tls");
  door.send("answer", source, sender());
  expect(String((await once(before, "data"))[0])).toBe("answer");
  expect(() => door.reload({ default: { key: "none", cert: "none" } })).toThrow();
  const still = await phoneTo(door);
  expect(nameOf(still)).toBe("second.example");
  for (const phone of [before, after, tenants, still]) phone.destroy();
  await door.close();
});

test("we trust a server we call only by its certificate", async () => {
  const { door: server, listening } = await openDoor();
  const there = { transport: "tls", address: "127.0.0.1", port: portOf(server), serverName: "first.example" } as const;
  const { door: wary } = await openDoor();
  const distrust = sender();
  wary.send("x", there, distrust);
  expect(await distrust.failure).toBeTruthy();
  const { door: knowing } = await openDoor({ trusted: [first.cert] });
  knowing.send(optionsText("TLS", "v1"), there, sender());
  expect((await listening.next()).octets).toContain("Call-ID: v1");
  const wrongName = sender();
  knowing.send("x", { ...there, port: portOf(wary), serverName: "elsewhere.example" }, wrongName);
  expect(await wrongName.failure).toBeTruthy();
  await Promise.all([server.close(), wary.close(), knowing.close()]);
});

test("a trunk's own trust decides: its authority, its name, or no proof at all; and why it was refused is told", async () => {
  const expired = selfSigned("old.example", { days: -1 });
  const { door: server, listening } = await openDoor();
  const { door: old } = await openDoor();
  old.reload({ default: expired });
  const { door: client } = await openDoor();
  const there = { transport: "tls", address: "127.0.0.1", port: portOf(server), serverName: "first.example" } as const;
  const refusal = async (to: Parameters<typeof client.send>[1]) => {
    const told = sender();
    client.send("x", to, told);
    return told.failure;
  };
  const own = { verify: true, authorities: first.cert };
  expect(await refusal(there)).toBe("DEPTH_ZERO_SELF_SIGNED_CERT");
  expect(await refusal({ ...there, trust: own, serverName: "else.example" })).toBe("ERR_TLS_CERT_ALTNAME_INVALID");
  const toOld = { ...there, port: portOf(old), serverName: "old.example" };
  expect(await refusal({ ...toOld, trust: { verify: true, authorities: expired.cert } })).toBe("CERT_HAS_EXPIRED");
  client.send(optionsText("TLS", "t1"), { ...there, trust: own }, sender());
  expect((await listening.next()).octets).toContain("Call-ID: t1");
  client.send(optionsText("TLS", "t2"), { ...there, trust: { verify: false } }, sender());
  expect((await listening.next()).octets).toContain("Call-ID: t2");
  // A stream that one has opened without asking for proof is not given to another who wants it.
  expect(await refusal(there)).toBe("DEPTH_ZERO_SELF_SIGNED_CERT");
  await Promise.all([server.close(), old.close(), client.close()]);
});

test("noise at the door is a failed handshake and nothing more", async () => {
  const { door, listening } = await openDoor();
  const noise = connectPlain(portOf(door), "127.0.0.1");
  noise.on("error", () => {});
  noise.write("OPTIONS sip:127.0.0.1 SIP/2.0\r\n\r\n");
  noise.resume();
  expect(await listening.nextRefusal()).toBe("handshake");
  await once(noise, "close");
  await door.close();
});

test("whoever never ends his handshake is closed in time, is counted, and keeps no door from closing", async () => {
  const { door, listening, clock } = await openDoor({ limits: { connectionsPerSource: 4 } });
  const knock = () => knockAt(door);
  const slow = knock();
  await expect.poll(() => door.connections()).toBe(1);
  clock.pass(10_000);
  await slow.closed;
  expect(await listening.nextRefusal()).toBe("handshake");
  const [one, two] = [knock(), knock()];
  await expect.poll(() => door.connections()).toBe(2);
  const three = knock();
  await one.closed;
  expect(await listening.nextRefusal()).toBe("too-many-from-source");
  await door.close();
  await Promise.all([two.closed, three.closed]);
  for (const { socket } of [slow, one, two, three]) socket.destroy();
  expect(clock.waiting()).toBe(0);
});

test("handshakes that nobody ends, from wherever, keep no phone out, and push out none that has begun where somebody is known", async () => {
  const { door, listening } = await openDoor({ limits: { connections: 10, connectionsPerSource: 6 } });
  const strangers = ["127.0.0.2", "127.0.0.3", "127.0.0.4"];
  const knocks = strangers.flatMap((address) => [1, 2, 3, 4].map(() => knockAt(door, address)));
  for (let dropped = 0; dropped < 10; dropped++) await listening.nextRefusal();
  expect(door.connections()).toBe(2);
  const phone = await phoneTo(door);
  phone.write(optionsText("TLS", "h1"));
  expect((await listening.next()).octets).toContain("Call-ID: h1");

  listening.isProved = ({ address }) => address === "127.0.0.1";
  const slow = [knockAt(door), knockAt(door)];
  await expect.poll(() => door.connections()).toBe(4); // the phone took the place of a stranger
  const refused = listening.refusals.length;
  for (const address of strangers) knocks.push(knockAt(door, address), knockAt(door, address));
  await expect.poll(() => listening.refusals.length).toBe(refused + 5);
  expect(door.connections()).toBe(5);
  expect(slow.map(({ socket }) => socket.readableEnded)).toEqual([false, false]);
  for (const { socket } of [...knocks, ...slow]) socket.destroy();
  phone.destroy();
  await door.close();
});

test("in one office what nobody ends or logs in over goes before a phone of it is kept out", async () => {
  const { door, listening } = await openDoor({ limits: { connectionsPerSource: 2 } });
  listening.isProved = () => true;
  const phones: TLSSocket[] = [];
  const knocks = [knockAt(door), knockAt(door)];
  await expect.poll(() => door.connections()).toBe(2);
  for (const id of ["o1", "o2"]) {
    const phone = await phoneTo(door);
    phone.write(optionsText("TLS", id));
    const { source } = await listening.next();
    const heard = once(phone, "data");
    door.send("SIP/2.0 200 OK\r\nCSeq: 1 REGISTER\r\nContent-Length: 0\r\n\r\n", source, sender());
    await heard;
    phones.push(phone);
  }
  expect(listening.refusals).toEqual(["too-many-from-source", "too-many-from-source"]);
  const late = knockAt(door);
  await late.closed;
  expect(door.connections()).toBe(2);
  for (const { socket } of [...knocks, late]) socket.destroy();
  for (const phone of phones) phone.destroy();
  await door.close();
});
