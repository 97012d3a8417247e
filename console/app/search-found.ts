// What a search leads to: each thing that was found, with the page where it stands.

import { exchange } from "../../src/nouns/exchange.ts";
import type { Field } from "../../src/nouns/field.ts";
import type { Reply } from "../ask/ask.ts";
import type { IconName } from "../ui/icon.tsx";
import { folded } from "../words/collation.ts";
import type { Language } from "../words/language.tsx";
import { isOpenTo } from "./forbidden.tsx";
import { type Page, pages } from "./pages.ts";
import { pageTitles } from "./texts.ts";

export type Kind = "page" | "setting" | "place" | "person" | "call";
export type Found = { key: string; kind: Kind; icon: IconName; title: string; detail: string; href: string };

type Answer = Reply<"search.everywhere">;
type Place = Answer["places"][number]["is"];

const places: Record<Place, { icon: IconName; path: string; title: keyof typeof pageTitles }> = {
  extension: { icon: "phone", path: "/extensions", title: "extensions" },
  queue: { icon: "queue", path: "/queues", title: "queues" },
  group: { icon: "group", path: "/groups", title: "groups" },
  menu: { icon: "menu", path: "/menus", title: "menus" },
  number: { icon: "number", path: "/numbers", title: "numbers" },
  trunk: { icon: "trunk", path: "/trunks", title: "trunks" },
};

const at = (path: string, about: string) => `${path}?${new URLSearchParams({ about })}`;

export type Allowed = { may: readonly string[]; operates: boolean };

const isOpen = (page: Page, { may, operates }: Allowed) => (page.operator ? operates : isOpenTo(page, may));

/** Whether what was found once is still behind a page that one may open. */
export function leadsSomewhere({ href }: Found, allowed: Allowed): boolean {
  const path = href.replace(/\?.*/, "").replace(/^\/calls\/.+/, "/calls/:uuid");
  return pages.some((page) => page.path === path && isOpen(page, allowed));
}

/** Pages and settings that one may open, which the browser knows by itself. */
export function foundHere(about: string, language: Language, allowed: Allowed): Found[] {
  const wanted = folded(about.trim());
  if (wanted === "") return [];
  const opened = pages.filter((page) => !page.path.includes(":") && isOpen(page, allowed));
  const titles = opened.map(({ path, icon, title }): Found => {
    return { key: path, kind: "page", icon, title: title[language], detail: "", href: path };
  });
  const fields: Readonly<Record<string, Field>> = exchange.fields;
  const settings = Object.entries(fields).map(([name, { label, about }]): Found => {
    const detail = about?.[language] ?? "";
    return {
      key: `setting ${name}`,
      kind: "setting",
      icon: "settings",
      title: label[language],
      detail,
      href: "/settings",
    };
  });
  const fits = ({ title }: Found) => folded(title).includes(wanted);
  const open = settings.filter((it) => leadsSomewhere(it, allowed));
  return [...titles.filter(fits), ...open.filter(fits).slice(0, MOST_SETTINGS)];
}

const MOST_SETTINGS = 5;

/** `stamp`: when a call began, as people read it. */
export function foundThere(answer: Answer, language: Language, stamp: (at: string) => string): Found[] {
  return [
    ...answer.places.map(({ is, number, name }): Found => {
      const { icon, path, title } = places[is];
      const shown = `${number} ${name}`.trim();
      const key = `${is} ${shown}`;
      return {
        key,
        kind: "place",
        icon,
        title: shown,
        detail: pageTitles[title][language],
        href: at(path, number || name),
      };
    }),
    ...answer.people.map(({ id, name, surname, company, phone }): Found => {
      const title = `${name} ${surname}`.trim() || phone;
      const detail = [phone, company].filter(Boolean).join(" · ");
      return {
        key: `person ${id}`,
        kind: "person",
        icon: "person",
        title,
        detail,
        href: at("/contacts", phone || title),
      };
    }),
    ...answer.calls.map((call): Found => {
      const from = `${call.caller} ${call.callerName}`.trim();
      const to = `${call.destination} ${call.destinationName}`.trim();
      const icon = call.direction === "inbound" ? "in" : call.direction === "outbound" ? "out" : "inside";
      const href = `/calls/${call.callUuid}`;
      return { key: href, kind: "call", icon, title: `${from} → ${to}`, detail: stamp(call.startStamp), href };
    }),
  ];
}
