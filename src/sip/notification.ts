// The bodies phones understand in a NOTIFY: waiting messages (RFC 3842), busy lamps (RFC 4235), presence (RFC 3863).

import type { Octets } from "./message/message.ts";
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
  remote?: string;
};

/** `version` counts up by one with each NOTIFY of the same subscription. */
export function dialogInfo(lamp: { entity: string; version: number; calls: readonly LampCall[] }): News {
  const { entity, version, calls } = lamp;
  const dialogs = calls.map(({ id, state, direction, remote }) => {
    const party = remote === undefined ? "" : `<remote><identity>${escaped(remote)}</identity></remote>`;
    return `<dialog id="${escaped(id)}" direction="${direction}"><state>${state}</state>${party}</dialog>`;
  });
  const open = `<dialog-info xmlns="urn:ietf:params:xml:ns:dialog-info" version="${version}" state="full"`;
  return news(
    "application/dialog-info+xml",
    `${XML}${open} entity="${escaped(entity)}">${dialogs.join("")}</dialog-info>`,
  );
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
