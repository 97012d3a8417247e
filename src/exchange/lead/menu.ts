// A voice menu: the welcome, a key, and on to where the key leads; patience for wrong keys and for none.

import { findMenu, type Menu } from "../../store/menus.ts";
import type { Led } from "../calls/call.ts";
import type { Guide } from "./guide.ts";

/** Menus that lead to each other in a circle end here. */
const MOST_MENUS = 10;

export async function leadToMenu(guide: Guide, number: string): Promise<Led> {
  const menu = await findMenu(guide.exchange.db, guide.book.settings.id, number);
  if (!menu || guide.visits("menu") > MOST_MENUS) {
    guide.call.tell(menu ? "has been led in a circle" : `there is no menu ${number}`);
    return { failed: { cause: menu ? "EXCHANGE_ROUTING_ERROR" : "NO_ROUTE_DESTINATION" } };
  }
  guide.call.tell(`hears menu ${number} (${menu.name})`);
  const chosen = await askForKey(guide, menu);
  guide.call.tell(`${chosen.says}: ${chosen.target ?? "nowhere to go"}`);
  if (chosen.target === null) return { failed: { cause: "NORMAL_CLEARING" } };
  // "restart" plays the welcome again, without counting as another menu visited.
  return chosen.target === "restart" ? leadToMenu(guide, number) : guide.goTo(chosen.target);
}

async function askForKey(guide: Guide, menu: Menu): Promise<{ says: string; target: string | null }> {
  const welcome = menu.welcomeAnnouncementId === null ? undefined : await guide.sound(menu.welcomeAnnouncementId);
  const line = guide.line();
  await line.answer();
  let last: "no key" | "wrong key" = "no key";
  for (let attempt = 0; attempt <= menu.retries; attempt++) {
    const { digits } = await line.collect({
      sounds: welcome ? [welcome] : [],
      most: 1,
      firstMs: menu.keySeconds * 1_000,
      betweenMs: menu.keySeconds * 1_000,
    });
    const target = menu.keyTargets[digits];
    if (digits !== "" && target) return { says: `presses ${digits}`, target };
    last = digits === "" ? "no key" : "wrong key";
    guide.call.tell(digits === "" ? "presses nothing" : `presses ${digits}, which leads nowhere`);
  }
  return { says: last, target: last === "no key" ? menu.timeoutTarget : (menu.invalidTarget ?? menu.timeoutTarget) };
}
