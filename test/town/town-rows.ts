// What a town keeps: the few rows its calls ask for, and a journal that is a list.

import type { Journal } from "../../src/exchange/calls/call.ts";
import type { CallEnd, CallFacts } from "../../src/exchange/calls/call-facts.ts";
import type { Db } from "../../src/store/db.ts";
import type { Menu } from "../../src/store/menus.ts";
import type { RingGroupMember } from "../../src/store/ring-groups.ts";
import type { TownSetup } from "./town-setup.ts";

/** What the journal was told, one line an event, and the record of each call that ended. */
export type Diary = { lines: string[]; records: { facts: CallFacts; end: CallEnd }[] };

/** Rows for the few questions that calls ask the store; what is not set up is not there. */
export function rowsOf(setup: TownSetup, greetings: ReadonlyMap<string, string>): Db {
  const menu: Menu = {
    ...{ id: 1, number: "", name: "menu", welcomeAnnouncementId: 1, keyTargets: {}, retries: 1, keySeconds: 5 },
    ...{ timeoutTarget: null, invalidTarget: null },
  };
  const mailbox = (number: string) => ({
    ...{ extensionId: 1, number, name: "", active: true, greetingAnnouncementId: null, greetingText: null },
    ...{ greetingLanguage: "tr-TR", maxSeconds: 60, sealedPin: setup.pin ?? null, email: null },
    greetingObjectKey: greetings.get(number) ?? null,
  });
  const tables: [question: RegExp, rows: (number: string, values: readonly unknown[]) => unknown[]][] = [
    [/from blocked_numbers/, (number) => (setup.blocked?.includes(number) ? [1] : [])],
    [/from contacts/, (_, [, spellings]) => namesAmong(setup.contacts, spellings)],
    [/from holidays/, (_, [, , day]) => (setup.holiday && (setup.holiday.day ?? day) === day ? [setup.holiday] : [])],
    [/join mailboxes/, (number) => (setup.desks?.[number] ? [mailbox(number)] : [])],
    [/from voicemail_messages/, () => setup.messages ?? []],
    [/from menus/, (number) => (setup.menus?.[number] ? [{ ...menu, number, ...setup.menus[number] }] : [])],
    [/from ring_group_members/, (number) => (setup.groups?.[number]?.members ?? []).map(memberRow)],
    [
      /from ring_groups/,
      (number) => {
        const group = setup.groups?.[number];
        return group ? [{ id: 1, number, name: "group", ringSeconds: 10, noAnswerTarget: null, ...group }] : [];
      },
    ],
  ];
  const query = async (text: string, values: readonly unknown[] = []) =>
    tables.find(([question]) => question.test(text))?.[1](String(values[1]), values) ?? [];
  // Only what is asked above is ever asked of it.
  return { query } as unknown as Db;
}

function namesAmong(contacts: TownSetup["contacts"] = {}, spellings: unknown): { name: string }[] {
  const known = Object.entries(contacts).filter(([number]) => String(spellings).split(",").includes(number));
  return known.map(([, name]) => ({ name }));
}

function memberRow(member: RingGroupMember) {
  return "extension" in member
    ? { extension: member.extension, external: null }
    : { extension: null, external: member.external };
}

export function listJournal({ lines, records }: Diary): Journal {
  return {
    opened: ({ direction, callerNumber, destinationNumber }) =>
      void lines.push(`opened ${direction} ${callerNumber} -> ${destinationNumber}`),
    kept: async () => undefined,
    rang: ({ dialedUser }) => void lines.push(`ringing ${dialedUser}`),
    answered: ({ connectedUser }) => void lines.push(`answer ${connectedUser}`),
    changed: () => undefined,
    userLeft: (_, { extension }) => void lines.push(`user_hangup ${extension}`),
    closed: async (facts, end) => {
      lines.push(`hangup ${end.cause} by ${end.by}`);
      records.push({ facts, end });
    },
  };
}
