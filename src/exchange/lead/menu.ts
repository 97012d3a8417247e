// A voice menu: the welcome, a key, and on to where the key leads.

import type { Db } from "../../store/db.ts";
import { findMenu, type Menu } from "../../store/menus.ts";
import type { Led } from "../calls/call.ts";
import { askForKey } from "./ask-key.ts";
import type { Guide } from "./guide.ts";

/** Menus that lead to each other in a circle end here. */
const MOST_MENUS = 10;

export async function leadToMenu(guide: Guide<{ db: Db }>, number: string): Promise<Led> {
  const menu = await findMenu(guide.has.db, guide.book.settings.id, number);
  if (!menu || guide.visits("menu") > MOST_MENUS) {
    guide.call.tell(menu ? { is: "circle" } : { is: "no-such", what: "menu", which: number });
    return { failed: { cause: menu ? "EXCHANGE_ROUTING_ERROR" : "NO_ROUTE_DESTINATION" } };
  }
  guide.call.tell({ is: "hears-menu", menu: number, name: menu.name });
  const target = await choiceIn(guide, menu);
  if (target === null) return { failed: { cause: "NORMAL_CLEARING" } };
  return target === "restart" ? leadToMenu(guide, number) : guide.goTo(target);
}

async function choiceIn(guide: Guide, menu: Menu): Promise<string | null> {
  const welcome = menu.welcomeAnnouncementId === null ? undefined : await guide.sound(menu.welcomeAnnouncementId);
  await guide.attendant().answer();
  const { key, isValid, target } = await askForKey(guide, {
    ...menu,
    sounds: welcome ? [welcome] : [],
    waitMs: menu.keySeconds * 1_000,
  });
  if (!isValid) guide.call.tell({ is: "menu-gives-up", pressed: key !== "", target });
  return target;
}
