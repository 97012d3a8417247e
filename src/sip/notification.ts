// The bodies phones understand in a NOTIFY: waiting messages (RFC 3842), busy lamps (RFC 4235), presence (RFC 3863).

import type { DialogId } from "./dialogs.ts";
import type { Octets } from "./message/message.ts";
import { octetsOf } from "./message/text.ts";
import { escapeUser } from "./message/uri.ts";
import type { News } from "./subscription.ts";

export function messageSummary(box: { account: string; unheard: number; heard: number }): News {
  const { account, unheard, heard } = box;
  const lines = [
    `Messages-Waiting: ${unheard > 0 ? "yes" : "no"}`,
    `Message-Account: ${account}`,
    `Voice-Message: ${unheard}/${heard}`,
  ];
  return news("application/simple-message-summary", `${lines.join("\r\n")}\r\n`);
}

export type LampCall = {
  id: string;
  state: "trying" | "early" | "confirmed" | "terminated";
  /** Who began it, seen from the watched extension. */
  direction: "initiator" | "recipient";
  /** The other side; a number that is empty was withheld. */
  remote?: { number: string; name: string };
  /** As the watched phone knows it; what somebody who takes the call puts into his Replaces. */
  dialog?: DialogId;
};

export type WatchedLine = {
  number: string;
  name: string;
  domain: string;
  /** Counts up by one with each NOTIFY of the same subscription. */
  version: number;
  calls: readonly LampCall[];
};

/** `sees`: who is on the line, or only that somebody is. `owns`: it is his own. */
export type Watcher = { sees: boolean; owns: boolean };

export function dialogInfo({ number, name, domain, version, calls }: WatchedLine, { sees, owns }: Watcher): News {
  const entity = uriOf(number, domain);
  const dialogs = calls.map(({ id, state, direction, remote, dialog }) => {
    // Whoever knows the names of a call can speak in it: they are for him who may take it.
    const mayTake = owns || (state === "early" && direction === "recipient");
    const { callId, localTag, remoteTag } = (sees && mayTake && dialog) || {};
    const named = { id, "call-id": callId, "local-tag": localTag, "remote-tag": remoteTag, direction };
    const parties = [
      partyIn("local", entity, name),
      remote && partyIn("remote", uriOf(remote.number, domain), remote.name),
    ];
    return `<dialog${attributes(named)}><state>${state}</state>${sees ? parties.join("") : ""}</dialog>`;
  });
  const root = { xmlns: "urn:ietf:params:xml:ns:dialog-info", version: String(version), state: "full", entity };
  return news("application/dialog-info+xml", `${XML}<dialog-info${attributes(root)}>${dialogs.join("")}</dialog-info>`);
}

function partyIn(side: "local" | "remote", uri: string, name: string): string {
  const display = name === "" ? {} : { display: octetsOf(name) };
  return `<${side}><identity${attributes(display)}>${escaped(uri)}</identity><target${attributes({ uri })}/></${side}>`;
}

/** RFC 3323's own address where the number is withheld. */
const uriOf = (number: string, domain: string) =>
  number === "" ? "sip:anonymous@anonymous.invalid" : `sip:${escapeUser(octetsOf(number))}@${domain}`;

function attributes(named: Record<string, string | undefined>): string {
  const given = Object.entries(named).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return given.map(([name, value]) => ` ${name}="${escaped(value)}"`).join("");
}

export function presence(person: { entity: string; isOpen: boolean; note?: string }): News {
  const { entity, isOpen, note } = person;
  const status = `<status><basic>${isOpen ? "open" : "closed"}</basic></status>`;
  const words = note === undefined ? "" : `<note>${escaped(note)}</note>`;
  const open = `<presence xmlns="urn:ietf:params:xml:ns:pidf" entity="${escaped(entity)}">`;
  return news("application/pidf+xml", `${XML}${open}<tuple id="t1">${status}${words}</tuple></presence>`);
}

const XML = '<?xml version="1.0" encoding="UTF-8"?>';

function news(type: string, body: Octets): News {
  return { headers: [{ name: "Content-Type", value: type }], body };
}

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

const escaped = (text: string) => text.replace(/[&<>"]/g, (character) => ENTITIES[character]!);
