// The network in a box takes calls without a login, so nobody but the exchange itself may reach it.

import { createSocket } from "node:dgram";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import { freePorts } from "../ground/free-ports.ts";
import type { Baresip } from "../phones/baresip.ts";
import { talked } from "../phones/ear.ts";
import { type RealTown, realTown } from "../town/real-town.ts";

/** Stands for the public address that a server listens at. */
const PUBLIC = "127.0.0.77";
const LOOPBACK = "127.0.0.1";
const NUMBER = "908505321111";

let town: RealTown;
let door: number;
let ann: Baresip;

beforeAll(async () => {
  door = await freePorts(1);
  town = await realTown({ SANTRAL_SIP: `${PUBLIC}:${door}` });
  await town.command("number", "create", NUMBER, "user/1000");
  ann = await town.phone("1000", 440, { server: `${PUBLIC}:${door}` });
});

test("at the address that strangers reach, a server has no door for signalling but its own", () => {
  const { pid } = town.santral.run;
  const voice = voicePorts(pid);
  const isVoice = (port: number) => voice.some(([from = 0, to = 0]) => from <= port && port <= to);
  const open = datagramDoors(pid).filter(({ address, port }) => address === PUBLIC && !isVoice(port));
  expect(open.map(({ port }) => port)).toEqual([door]);
});

test("who calls a number of the box, or says that he calls from it, is met with silence at every door on loopback", async () => {
  const doors = datagramDoors(town.santral.run.pid).filter(({ address }) => address === LOOPBACK);
  expect(doors).not.toEqual([]);
  for (const { port } of doors) {
    expect(await answersTo(port, "905000000001")).toEqual([]);
    expect(await answersTo(port, NUMBER)).toEqual([]);
  }
});

test("the exchange itself still calls into the box and is called from it", async () => {
  await ann.dial("05000000001");
  await ann.event("CALL_ESTABLISHED");
  await talked([ann, 440]);
  await ann.hangUp();
  await ann.event("CALL_CLOSED");
  await town.command("sandbox", "call", "--from", "905000000002", "--to", NUMBER);
  await ann.event("CALL_INCOMING");
  await ann.command("accept");
  await talked([ann, 440]);
  await ann.hangUp();
});

test("an exchange with a trunk of its own is not called from the box, and is told why", async () => {
  await town.command("trunk", "create", "carrier", "127.0.0.99");
  const call = () => town.command("sandbox", "call", "--from", "905000000002", "--to", NUMBER).catch(String);
  await expect.poll(call).toContain("has trunks of its own");
  await town.command("trunk", "delete", "carrier", "--yes");
});

/** The first and the last of those that voice has for itself, of phones and of browsers. */
function voicePorts(pid: number): number[][] {
  const given = readFileSync(`/proc/${pid}/environ`, "utf8");
  const ranges = given.matchAll(/SANTRAL_(?:RTP|WEB)_PORTS=(\d+-\d+)/g);
  return [...ranges].map(([, range = ""]) => range.split("-").map(Number));
}

/** Where a process listens by UDP. */
function datagramDoors(pid: number): { address: string; port: number }[] {
  const open = new Set(
    readdirSync(`/proc/${pid}/fd`).flatMap(
      (fd) => /^socket:\[(\d+)\]$/.exec(linkOf(`/proc/${pid}/fd/${fd}`))?.[1] ?? [],
    ),
  );
  return readFileSync(`/proc/${pid}/net/udp`, "utf8")
    .trim()
    .split("\n")
    .slice(1)
    .map((line) => line.trim().split(/\s+/))
    .filter((columns) => open.has(columns[9] ?? ""))
    .map(([, at = ""]) => {
      const [address = "", port = ""] = at.split(":");
      const octets = address.match(/../g) ?? [];
      return {
        address: octets
          .reverse()
          .map((octet) => Number.parseInt(octet, 16))
          .join("."),
        port: Number.parseInt(port, 16),
      };
    });
}

/** A descriptor may be gone again. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}

/** What comes back from there for an INVITE whose voice is to go to somebody else; the exchange's OPTIONS bounds the wait. */
async function answersTo(port: number, called: string): Promise<string[]> {
  const socket = createSocket("udp4");
  await new Promise<void>((bound) => socket.bind(0, LOOPBACK, bound));
  const heard: string[] = [];
  let answered = () => {};
  const isAnswered = new Promise<void>((resolve) => {
    answered = resolve;
  });
  socket.on("message", (octets, { port: from }) => {
    if (from === door) answered();
    else heard.push(octets.toString().split("\r\n")[0] ?? "");
  });
  const say = (text: string, to: number, address: string) => socket.send(text, to, address);
  const own = socket.address().port;
  for (let time = 0; time < 3; time++) {
    say(message("INVITE", called, own, `${port}-${time}`), port, LOOPBACK);
    // The door beside it is asked last, so that whatever answers has had its turn.
    await new Promise((turn) => setImmediate(turn));
  }
  say(message("OPTIONS", "santral", own, `${port}`), door, PUBLIC);
  await isAnswered;
  socket.close();
  return heard;
}

function message(method: string, called: string, own: number, id: string): string {
  const sdp = ["v=0", "o=- 1 1 IN IP4 127.0.0.66", "s=-", "c=IN IP4 127.0.0.66", "t=0 0", "m=audio 9 RTP/AVP 8", ""];
  const body = method === "INVITE" ? sdp.join("\r\n") : "";
  return [
    `${method} sip:${called}@${LOOPBACK} SIP/2.0`,
    `Via: SIP/2.0/UDP ${LOOPBACK}:${own};branch=z9hG4bK${method}${called}${id};rport`,
    "Max-Forwards: 70",
    `From: <sip:905320000000@victim.example>;tag=a${id}`,
    `To: <sip:${called}@${LOOPBACK}>`,
    `Call-ID: ${method}${called}${id}`,
    `CSeq: 1 ${method}`,
    `Contact: <sip:x@${LOOPBACK}:${own}>`,
    "X-Santral-Exchange: 1",
    ...(body ? ["Content-Type: application/sdp"] : []),
    `Content-Length: ${body.length}`,
    "",
    body,
  ].join("\r\n");
}
