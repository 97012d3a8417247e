// How settings say addresses: listeners, our public address, the local networks; and lists and numbers in general.

import { isIP } from "node:net";
import { asWritten, canonical, familyOf, type Network, networkOf, PRIVATE_NETWORKS } from "./addresses.ts";
import { addressOf } from "./store/hosts.ts";

export type Unreadable = { unreadable: string };

export type Setting<Value> = {
  variable: string;
  means: string;
  byDefault: string;
  read(text: string): Value | Unreadable;
};

export type ListenAt = { host: string; port: number };

/** Peers that reach us at the address of the way to them, without anybody translating it. */
export type LocalNetworks = { networks: readonly Network[]; own: boolean; said: string };

export function listenAt(text: string): ListenAt | Unreadable {
  const colon = text.lastIndexOf(":");
  const port = wholeNumber(text.slice(colon + 1), { least: 0, most: 65_535 });
  const host = asWritten(text.slice(0, colon).replace(/^\[|\]$/g, ""));
  if (colon < 0 || host === "" || typeof port !== "number") return { unreadable: "host:port" };
  return { host, port };
}

export function listenAtEach(text: string): [ListenAt, ...ListenAt[]] | Unreadable {
  const words = parts(text);
  const [first, ...others] = words.map(listenAt).flatMap((at) => (isUnreadable(at) ? [] : at));
  if (!first || others.length + 1 < words.length) return { unreadable: "host:port, or several separated by commas" };
  return [first, ...others];
}

export function publicIp(text: string): string[] | Unreadable {
  const addresses = parts(text).map((part) => canonical(part));
  const families = new Set(addresses.map((address) => address && familyOf(address)));
  if (addresses.includes(undefined) || families.size < addresses.length)
    return { unreadable: "an address, or one of each family separated by a comma" };
  return addresses.flatMap((address) => address ?? []);
}

export function addresses(text: string): string[] | Unreadable {
  const read = parts(text).map((part) => canonical(part));
  if (read.includes(undefined)) return { unreadable: "addresses separated by commas" };
  return read.flatMap((address) => address ?? []);
}

export function localNetworks(text: string): LocalNetworks | Unreadable {
  const words = parts(text);
  const meant = words.map((word) => NAMED_NETWORKS.get(word) ?? networkOf(word));
  if (meant.includes(undefined) || (words.includes("none") && words.length > 1))
    return { unreadable: "networks such as 10.0.0.0/8, private, own, separated by commas, or none" };
  return { networks: meant.flatMap((networks) => networks ?? []), own: words.includes("own"), said: text };
}

const NAMED_NETWORKS = new Map<string, readonly Network[]>([
  ["private", PRIVATE_NETWORKS],
  ["own", []],
  ["none", []],
]);

export function parts(text: string): string[] {
  return text.split(",").flatMap((part) => part.trim() || []);
}

export function wholeNumber(text: string, { least, most }: { least: number; most: number }): number | Unreadable {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < least || value > most)
    return { unreadable: `a whole number from ${least} to ${most}` };
  return value;
}

export function isUnreadable(value: unknown): value is Unreadable {
  return typeof value === "object" && value !== null && "unreadable" in value;
}

/** Each with its port where that is not the usual one. */
export function nameServers(text: string): string[] | Unreadable {
  const listed = parts(text);
  const wrong = listed.find((it) => !isIP(it.replace(/^\[(.*)\](:\d+)?$|^([^:]+):\d+$/, "$1$3")));
  return wrong === undefined ? listed : { unreadable: "addresses of name servers, with a port or without" };
}

export function databaseAddress(text: string): string | undefined | Unreadable {
  if (text === "") return undefined;
  const address = addressOf(text);
  return "unreadable" in address ? address : text;
}

export function portRange(text: string): { from: number; to: number } | Unreadable {
  const [, from, to] = /^(\d{1,5})-(\d{1,5})$/.exec(text) ?? [];
  const range = { from: Number(from), to: Number(to) };
  if (!(range.from >= 1_024 && range.from + 3 <= range.to && range.to <= 65_535))
    return { unreadable: "first-last, between 1024 and 65535" };
  return range;
}

export function publicUrl(text: string): string | undefined | Unreadable {
  if (text === "") return undefined;
  if (!URL.canParse(text) || !/^https?:/.test(text)) return { unreadable: "an http or https URL" };
  return text.replace(/(?<!\/)\/+$/, "");
}

export function wholeNumbers(text: string): number[] | Unreadable {
  const numbers = text.split(",").map((part) => Number(part.trim() || Number.NaN));
  return numbers.every((number) => Number.isInteger(number) && number >= 0 && number <= 86_400)
    ? numbers
    : { unreadable: "whole numbers up to 86400, separated by commas" };
}
