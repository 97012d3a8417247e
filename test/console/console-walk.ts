// A walk through the console's pages: each at every width, in both languages and both lights, as they are and not loaded anew.

import type { Page } from "playwright-core";
import { expect } from "vitest";
import { pause, realClock } from "../../src/clock.ts";
import { expectNoBarriers, expectNoOverflow, HEIGHT, type Seen, settled, type Width } from "./console-browser.ts";
import { type Language, openTold, type Told, type WordTable, wrongWords } from "./console-words.ts";

export type Light = "light" | "dark";
export type Look = { width: Width; language: Language; light: Light };

/** Where a page is looked over for barriers: everywhere, or, since that takes long, at two places that change by turns. */
export type Looks = (turn: number) => readonly Look[];

export const everyLook: Looks = () =>
  (["light", "dark"] as const).flatMap((light) =>
    (["tr", "en"] as const).flatMap((language) => WIDTHS.map((width) => ({ width, language, light }))),
  );

/** Widest and narrowest, each in one language and one light; four pages on, every pair has had its turn. */
export const looksByTurns: Looks = (turn) => {
  const light = (other: boolean): Light => (other ? "dark" : "light");
  const odd = turn % 2 === 1;
  const late = turn % 4 > 1;
  return [
    { width: 1280, language: odd ? "en" : "tr", light: light(late) },
    { width: 390, language: odd ? "tr" : "en", light: light(!late) },
  ];
};

export type WalkOptions = {
  url: string;
  table: WordTable;
  looks: Looks;
  /** Of one page: those further on are the same form for another thing. */
  mostForms: number;
  shot(name: string): Promise<void>;
};

/** As wide as people's screens are: narrower ones than the widest show what has no room. */
const WIDTHS: readonly Width[] = [1280, 390];
/** But the first, which is open. */
const TABS = `[...document.querySelectorAll("main [data-tab]")].slice(1).map(({ dataset }) => dataset.tab)`;
const FORM_BUTTONS = 'main button[aria-haspopup="dialog"]:not([aria-disabled="true"])';

export class Walk {
  readonly #seen: Seen;
  readonly #options: WalkOptions;
  readonly #told: Heard;
  #turn = 0;

  constructor(seen: Seen, options: WalkOptions) {
    this.#seen = seen;
    this.#options = options;
    this.#told = hearServer(seen.page, "/console/api/");
  }

  /** A page and its tabs, with the forms that their buttons open. */
  async visit(path: string): Promise<void> {
    const address = `${new URL(this.#options.url).pathname}${path}`;
    await turnTo(this.#seen, address);
    const tabs = await this.#seen.page.evaluate<string[]>(TABS);
    await this.#look(path);
    for (const tab of tabs) {
      await turnTo(this.#seen, `${address}?tab=${tab}`);
      await this.#look(`${path} ${tab}`);
    }
  }

  /** The page that is open, which is left as it was found. */
  async lookAt(name: string): Promise<void> {
    const { page } = this.#seen;
    const language = await languageOf(page);
    await this.#look(name);
    await speak(this.#seen, language);
    await page.emulateMedia({ colorScheme: "light" });
    await page.setViewportSize({ width: 1440, height: HEIGHT });
  }

  async #look(name: string): Promise<void> {
    const { page, complaints } = this.#seen;
    complaints.length = 0;
    const places = this.#options.looks(this.#turn++);
    const shown: Record<Language, string[]> = { tr: [], en: [] };
    // It begins with the language that it has.
    const languages: Language[] = (await languageOf(page)) === "tr" ? ["tr", "en"] : ["en", "tr"];
    for (const language of languages) {
      await speak(this.#seen, language);
      const here = places.filter((look) => look.language === language);
      shown[language] = await this.#lookAround(name, language, here);
    }
    await this.#told.caughtUp();
    expect.soft(wrongWords(this.#options.table, shown, this.#told), `words of ${name}`).toEqual([]);
    expect.soft(complaints, `complaints about ${name}`).toEqual([]);
  }

  /** From the width that it has to the other end: each change of width has the browser draw everything anew. */
  async #lookAround(name: string, language: Language, places: readonly Look[]): Promise<string[]> {
    const { page } = this.#seen;
    const shown: string[] = [];
    const widths = page.viewportSize()?.width === 390 ? WIDTHS.toReversed() : WIDTHS;
    for (const width of widths) {
      const what = `${name} in ${language}`;
      const here = places.filter((look) => look.width === width);
      await expectNoOverflow(this.#seen, width, what);
      if (width === 1280) shown.push(...(await textsOf(page)));
      await this.#options.shot(`${name}-${language}-${width}`);
      await this.#lookForBarriers(`${what} at ${width} px`, here, this.#isFirst(width) ? "html" : "main");
      // On the narrowest screen a form has the least room. Its fields are the page's: one language at a time is enough.
      if (width === 390 && here.length > 0) shown.push(...(await this.#lookAtForms(what, here)));
    }
    return shown;
  }

  /** What stands around every page is looked over with each on the narrowest screen, and with the first four on others. */
  #isFirst(width: Width): boolean {
    return width === 390 || this.#turn <= 4 || this.#options.looks === everyLook;
  }

  async #lookAtForms(where: string, places: readonly Look[]): Promise<string[]> {
    const { page } = this.#seen;
    const shown: string[] = [];
    const buttons = page.locator(FORM_BUTTONS);
    for (let at = 0; at < Math.min(this.#options.mostForms, await buttons.count()); at++) {
      const what = `form ${at + 1} of ${where}`;
      await buttons.nth(at).click();
      await page.getByRole("dialog").waitFor();
      await settled(this.#seen);
      await expectNoOverflow(this.#seen, 390, what);
      shown.push(...(await textsOf(page)));
      await this.#options.shot(what);
      // What lies below it was looked over a moment ago.
      await this.#lookForBarriers(what, places, '[role="dialog"]');
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
    }
    return shown;
  }

  async #lookForBarriers(what: string, places: readonly Look[], inside?: string): Promise<void> {
    for (const { light } of places) {
      await this.#seen.page.emulateMedia({ colorScheme: light });
      await expectNoBarriers(this.#seen, `${what}, ${light}`, inside);
    }
  }
}

/** As a link in the page does it. */
async function turnTo(seen: Seen, address: string): Promise<void> {
  await seen.page.evaluate(`history.pushState(null, "", ${JSON.stringify(address)})`);
  await settled(seen);
}

function languageOf(page: Page): Promise<Language> {
  return page.evaluate<Language>("document.documentElement.lang");
}

/** By the button that everybody has; the wallboard has none. */
async function speak(seen: Seen, language: Language): Promise<void> {
  const { page } = seen;
  if ((await languageOf(page)) === language) return;
  const button = page.locator(`button[lang="${language}"]`);
  if ((await button.count()) > 0) await button.click();
  else {
    await page.evaluate(`localStorage.setItem("santral.language", "${language}")`);
    await page.reload();
  }
  await page.locator(`html[lang="${language}"]`).waitFor();
  await settled(seen);
}

/** `caughtUp`: what the page has shown by now has been heard here, too. It reads an answer before we do. */
type Heard = Told & { hear(value: unknown): void; caughtUp(): Promise<unknown> };

const LONGEST_READING_MS = 20_000;

/** What the server says from now on, over HTTP below this path and over its sockets. */
export function hearServer(page: Page, path: string): Heard {
  const told = openTold();
  const reading = new Set<Promise<void>>();
  page.on("response", (response) => {
    if (!response.url().includes(path)) return;
    const read = response.json().then(told.hear, () => undefined); // a page that was left does not wait for its answers
    reading.add(read);
    void read.then(() => reading.delete(read));
  });
  page.on("websocket", (socket) => {
    socket.on("framereceived", ({ payload }) => told.hear(parsed(payload.toString())));
  });
  const caughtUp = () => Promise.race([Promise.all(reading), pause(realClock, LONGEST_READING_MS)]);
  return { ...told, caughtUp };
}

/** SIP is no JSON, and says nothing that a page would show as it is. */
function parsed(text: string): unknown {
  return text.startsWith("{") ? JSON.parse(text) : undefined;
}

/** What can be read or is read out, piece by piece. A piece that says which language it is in is that language's. */
export function textsOf(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const texts = [];
    const add = (element, text) => {
      const trimmed = text?.trim();
      if (!trimmed || element.closest("body [lang]")) return;
      if (element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) texts.push(trimmed);
    };
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode())
      if (!walker.currentNode.parentElement.closest("script, style, code")) add(walker.currentNode.parentElement, walker.currentNode.data);
    for (const element of document.querySelectorAll("body *")) {
      for (const name of ["aria-label", "aria-description", "placeholder", "title", "alt"]) add(element, element.getAttribute(name));
      if (element.matches("input[readonly]")) add(element, element.value);
    }
    return texts;
  })()`);
}
