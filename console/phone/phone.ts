// Puts the phone together: token, session, tab, telephone and the page around it.

import type { WebphoneSession } from "../../src/http/webphone/shown.ts";
import { followDesktop } from "./desktop-notes.ts";
import { type ExchangeClient, openExchangeClient } from "./exchange-client.ts";
import { FormKeeper } from "./form-keeper.ts";
import { keepChoices, keptChoices } from "./keep.ts";
import { warnBeforeLeaving } from "./leaving.ts";
import type { Line } from "./lines.ts";
import { openTabs, type Tabs } from "./other-tabs.ts";
import { type OwnStatus, openOwnStatus } from "./own-status.ts";
import { openParentPage } from "./parent-page.ts";
import { SessionKeeper } from "./session-keeper.ts";
import type { ShortcutAction } from "./shortcuts.ts";
import { Sounds } from "./sound.ts";
import { type Choices, firstState, type PhoneState } from "./state.ts";
import { steer } from "./steering.ts";
import { openStore, type Store } from "./store.ts";
import { Telephone } from "./telephone.ts";
import { openToken } from "./token.ts";
import { orderBy } from "./typing.ts";

export type Phone = OwnStatus & {
  store: Store<PhoneState>;
  sounds: Sounds;
  desk: ExchangeClient;
  forms: FormKeeper;
  /** Undefined until there is a session, and while another tab is the phone. */
  telephone(): Telephone | undefined;
  takeOver(): void;
  /** To the phone in another tab; false when it has no call. */
  order(action: ShortcutAction): boolean;
  choose(choices: Partial<Choices>): void;
};

const NOTICE_MS = 4_000;
const LANGUAGE = "lang";

export function openPhone(): Phone {
  const store = openStore(firstState(keptChoices(new URLSearchParams(location.search).get(LANGUAGE))));
  const token = openToken();
  const desk = openExchangeClient(token.now, () => store.get().choices.language);
  const sounds = new Sounds(store);
  const forms = new FormKeeper(desk, store);
  let telephone: Telephone | undefined;
  let tab: Tabs | undefined;
  const keeper = new SessionKeeper(desk, store, (login) => telephone?.renew(login));
  const order = (action: ShortcutAction) => tab?.order(action) === true;
  const takeOver = () => tab?.take();
  const parent = openParentPage({ store, phone: () => telephone, takeToken, order, takeOver });
  const ended = (line: Line, cause: string) => parent.ended(line, cause);
  store.watch((state, before) => followLines(sounds, state, before));
  followOwner(store, (action) => obey(action) || order(action));
  endWithToken(store, () => {
    const expired = telephone;
    telephone = undefined;
    expired?.leave(0);
    return expired !== undefined;
  });
  window.addEventListener("pagehide", () => telephone?.pause());
  void begin();

  return {
    ...openOwnStatus(desk, store),
    store,
    sounds,
    desk,
    forms,
    telephone: () => telephone,
    takeOver,
    order,
    choose: (change) => choose(store, change),
  };

  async function begin(): Promise<void> {
    const session = await keeper.open();
    if (!session) return;
    tab = openTabs(ownerOf(session), store, {
      obey,
      mine: () => void takeUp(session),
      elsewhere() {
        telephone?.leave();
        telephone = undefined;
        keeper.pause();
        forms.stop();
        store.change({ link: "elsewhere" });
      },
    });
  }

  async function takeUp(first?: WebphoneSession): Promise<void> {
    const wasElsewhere = store.get().link === "elsewhere";
    store.change({ link: "connecting" });
    // What was read before another tab had its turn is old by now.
    const session = wasElsewhere || !first ? await keeper.open() : first;
    if (!session || telephone) return;
    const refused = () => void keeper.renew();
    telephone = new Telephone({ store, sounds, ended, nameOf: namesFrom(desk), refused }, session);
    keeper.renewLater(session);
    forms.start(ownerOf(session));
  }

  /** False when there is no line here to do that with. */
  function obey(action: ShortcutAction): boolean {
    return telephone !== undefined && steer(telephone, store.get().lines, action);
  }

  /** Whether the one before is over or not yet: the telephone goes on, or is there again. */
  async function takeToken(next: string): Promise<void> {
    await token.take(next);
    store.change({ isExpired: false });
    if (telephone) await keeper.renew();
    else if (!tab) await begin();
    else if (store.get().link !== "elsewhere") await takeUp();
  }
}

/** Whoever has no token any more must not go on knocking; a call that is up is let go on. */
function endWithToken(store: Store<PhoneState>, leave: () => boolean): void {
  store.watch(({ isExpired, lines }) => {
    if (isExpired && lines.length === 0 && leave()) store.change({ link: "refused" });
  });
}

function namesFrom(desk: ExchangeClient) {
  return async (number: string) => (await desk.people(number)).find((person) => person.number === number)?.name ?? "";
}

function choose(store: Store<PhoneState>, change: Partial<Choices>): void {
  const choices = { ...store.get().choices, ...change };
  keepChoices(choices);
  store.change({ choices });
}

/** What its owner sees and does beside the views. */
function followOwner(store: Store<PhoneState>, order: (action: ShortcutAction) => boolean): void {
  fadeNotices(store);
  followDesktop(store);
  followKeys(order);
  // Its owner has another extension now: nothing of the former one may go on here.
  store.watch(({ session }, before) => {
    if (session && before.session && ownerOf(session) !== ownerOf(before.session)) location.reload();
  });
  // A page around us has its own way to leave, and its own warning.
  if (window.parent === window) store.watch(({ lines }) => warnBeforeLeaving(lines.length > 0));
}

function ownerOf({ extension, domain }: Pick<WebphoneSession, "extension" | "domain">): string {
  return `${extension}@${domain}`;
}

function followKeys(order: (action: ShortcutAction) => boolean): void {
  document.addEventListener("keydown", (event) => {
    const action = orderBy(event);
    if (action && order(action)) event.preventDefault();
  });
}

function fadeNotices(store: Store<PhoneState>): void {
  store.watch((state, before) => {
    if (state.notice && state.notice !== before.notice && state.lines.length === 0)
      setTimeout(() => store.change(({ notice }) => (notice === state.notice ? { notice: undefined } : {})), NOTICE_MS);
  });
}

function followLines(sounds: Sounds, { lines }: PhoneState, before: PhoneState): void {
  if (lines === before.lines) return;
  const isRinging = lines.some(({ at }) => at === "ringing");
  const isTalking = lines.some(({ at, held }) => at === "talking" && !held);
  const isCalling = lines.some(({ at }) => at === "calling");
  if (isRinging) sounds.play(isTalking ? "waiting" : "ring");
  else sounds.play(isCalling ? "ringback" : "nothing");
}
