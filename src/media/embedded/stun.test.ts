import { createHmac } from "node:crypto";
import { crc32 } from "node:zlib";
import { expect, test } from "vitest";
import { readCheck, writeAnswer } from "./stun.ts";
import { parseIp } from "./wire.ts";

// RFC 5769: a request with a short-term credential, and where two answers say that one came from.
const REQUEST = Buffer.from(
  "000100582112a442b7e7a701bc34d686fa87dfae" +
    "802200105354554e207465737420636c69656e74" +
    "002400046e0001ff80290008932ff9b151263b36" +
    "000600096576746a3a6836765920202000080014" +
    "9aeaa70cbfd8cb56781ef2b5b2d3f249c1b571a280280004e57a3bcf",
  "hex",
);
const PASSWORD = Buffer.from("VOkJxbRl1RmTxUk/WvJxBt");
const USERNAME = Buffer.from("evtj:h6vY");

/** Behind it stands only the mark by which STUN is told from other things. */
const SIGNED = REQUEST.length - 8;

const keys = { username: USERNAME, password: PASSWORD };
const asked = () => Buffer.from(REQUEST);

test("a check is believed by its name and password, and by nothing less", () => {
  const read = (packet: Buffer, known = keys) => readCheck(packet, packet.length, known);
  expect(read(asked())).toEqual({
    transaction: REQUEST.toString("latin1", 8, 20),
    isNominated: false,
    isControlled: true,
  });
  expect(read(asked(), { ...keys, username: Buffer.from("evtj:h6vZ") })).toBeUndefined();
  expect(read(asked(), { ...keys, password: Buffer.from("guessed") })).toBeUndefined();
  for (let at = 0; at < SIGNED; at++) {
    const bent = asked();
    bent[at]! ^= 1;
    expect(read(bent), `octet ${at}`).toBeUndefined();
  }
  for (let length = 0; length < REQUEST.length; length++) expect(readCheck(asked(), length, keys)).toBeUndefined();
});

test.each([
  ["192.0.2.1", "002000080001a147e112a643"],
  ["2001:db8:1234:5678:11:2233:4455:6677", "002000140002a1470113a9faa5d3f179bc25f4b5bed2b9d9"],
])("an answer says that it came from %s, and is signed", (address, mapped) => {
  const check = { transaction: REQUEST.toString("latin1", 8, 20), isNominated: true, isControlled: false };
  const answer = Buffer.alloc(128);
  const length = writeAnswer(answer, check, { ip: parseIp(address)!, port: 32_853 }, PASSWORD);
  const whole = answer.subarray(0, length);
  expect(whole.toString("hex", 20, 20 + mapped.length / 2)).toBe(mapped);
  expect(whole.readUInt16BE(0)).toBe(0x0101);
  expect(whole.readUInt16BE(2)).toBe(length - 20);
  expect(whole.readUInt32BE(length - 4)).toBe((crc32(whole.subarray(0, length - 8)) ^ 0x5354_554e) >>> 0);
  const signed = Buffer.from(whole.subarray(0, length - 32));
  signed.writeUInt16BE(length - 28, 2);
  expect(whole.subarray(length - 28, length - 8)).toEqual(createHmac("sha1", PASSWORD).update(signed).digest());
});

test("who takes us for the side that chooses is told that we are not", () => {
  const check = { transaction: REQUEST.toString("latin1", 8, 20), isNominated: false, isControlled: true };
  const answer = Buffer.alloc(128);
  const length = writeAnswer(answer, check, { ip: 1, port: 2 }, PASSWORD);
  expect(answer.readUInt16BE(0)).toBe(0x0111);
  expect(answer.toString("hex", 20, 28)).toBe("0009000400000457");
  expect(length).toBe(20 + 8 + 24 + 8);
});
