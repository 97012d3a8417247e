// Random messages that are valid, and random ways to spell them: what is read must be what was meant.

import type { Header, Message } from "../../src/sip/message/message.ts";
import { below, pick, type Random } from "./sip-mutator.ts";

const METHODS = ["INVITE", "BYE", "OPTIONS", "REGISTER", "SUBSCRIBE", "NOTIFY", "REFER", "INFO", "X-Own!"];
const HOSTS = ["santral.example", "192.0.2.14", "[2001:db8::1]", "a-b.c_d.example", "xn--9krt00a.example"];
const TOKEN = "abcXYZ019-.!%*_+`'~";
const TEXT = "abc XYZ,;:<>@()[]{}?/=\\\"'\xc3\xbc\xe7\x01";

const word = (random: Random, from: string, longest: number): string =>
  Array.from({ length: 1 + below(random, longest) }, () => from[below(random, from.length)]).join("");

const token = (random: Random) => word(random, TOKEN, 12);
const quoted = (random: Random) => `"${word(random, TEXT, 16).replace(/["\\]/g, "\\$&")}"`;
const port = (random: Random) => (random() < 0.5 ? "" : `:${below(random, 65536)}`);
const uri = (random: Random) =>
  `${pick(random, ["sip", "sips"])}:${random() < 0.2 ? "" : `${word(random, "abc019-_.!~*'()&=+$,;?/", 10)}@`}${pick(random, HOSTS)}${port(random)}`;

function parameters(random: Random): string {
  return Array.from({ length: below(random, 4) }, () => {
    const value = random() < 0.3 ? "" : `=${random() < 0.3 ? quoted(random) : token(random)}`;
    return `;x-${token(random)}${value}`;
  }).join("");
}

function address(random: Random, tag: string): string {
  const display = random() < 0.3 ? "" : random() < 0.5 ? `${quoted(random)} ` : "Reception Desk ";
  return `${display}<${uri(random)};x=y>${tag}${parameters(random)}`;
}

function via(random: Random): string {
  const transport = pick(random, ["UDP", "TCP", "TLS", "WS"]);
  return `SIP/2.0/${transport} ${pick(random, HOSTS)}${port(random)};branch=z9hG4bK${token(random)}${parameters(random)}`;
}

/** Everything but Content-Length, which belongs to the wire. */
export function randomMessage(random: Random): Message {
  const method = pick(random, METHODS);
  const headers: Header[] = [
    { name: "Via", value: via(random) },
    { name: "From", value: address(random, `;tag=${token(random)}`) },
    { name: "To", value: address(random, random() < 0.5 ? "" : `;tag=${token(random)}`) },
    { name: "Call-ID", value: `${token(random)}@${token(random)}` },
    { name: "CSeq", value: `${below(random, 0x80000000)} ${method}` },
    ...Array.from({ length: below(random, 8) }, () => optional(random)),
  ];
  const body = random() < 0.5 ? "" : word(random, "\r\n\0\xffv=0 abc", 200);
  return random() < 0.7
    ? { is: "request", method, uri: uri(random), headers, body }
    : {
        is: "response",
        status: 100 + below(random, 600),
        reason: pick(random, ["", "OK", "\xc3\xbc = 1"]),
        headers,
        body,
      };
}

function optional(random: Random): Header {
  return pick<() => Header>(random, [
    () => ({ name: "Via", value: `${via(random)}, ${via(random)}` }),
    () => ({ name: "Contact", value: address(random, "") }),
    () => ({ name: "Route", value: `<${uri(random)};lr>,<${uri(random)};lr>` }),
    () => ({ name: "Supported", value: `${token(random)}, ${token(random)}` }),
    () => ({ name: "Subject", value: quoted(random) }),
    () => ({ name: `X-${token(random)}`, value: token(random) }),
    () => ({ name: "Content-Type", value: "application/sdp" }),
    () => ({ name: "Subject", value: "" }),
  ])();
}

const COMPACT: Record<string, string> = {
  Via: "v",
  From: "f",
  To: "t",
  "Call-ID": "i",
  Contact: "m",
  Supported: "k",
  Subject: "s",
  "Content-Type": "c",
};

/** The same message as somebody else might write it: other case, compact names, blanks, folds. */
export function spell(message: Message, random: Random): string {
  const start =
    message.is === "request"
      ? `${message.method} ${message.uri} SIP/2.0`
      : `SIP/2.0 ${message.status} ${message.reason}`;
  const length = { name: pick(random, ["Content-Length", "l", "content-LENGTH"]), value: `${message.body.length}` };
  const lines = [...message.headers, length].map(({ name, value }) => {
    const blank = pick(random, ["", " ", " \t", "\r\n ", "\r\n\t\t"]);
    return `${spellName(name, random)}${pick(random, ["", " ", "\t "])}:${blank}${value}${pick(random, ["", " ", "\t"])}`;
  });
  return [start, ...lines, "", message.body].join("\r\n");
}

function spellName(name: string, random: Random): string {
  if (name.startsWith("X-")) return name;
  const spelled = random() < 0.3 ? (COMPACT[name] ?? name) : name;
  return [...spelled].map((letter) => (random() < 0.5 ? letter.toUpperCase() : letter.toLowerCase())).join("");
}
