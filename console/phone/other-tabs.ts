// What the tabs of one browser say to each other of its phone: the one that is it tells its calls, the others give orders.

import type { CallTold } from "./messages.ts";
import { type OnlyTab, openOnlyTab, type TabHears } from "./only-tab.ts";
import type { ShortcutAction } from "./shortcuts.ts";
import type { PhoneState } from "./state.ts";
import type { Store } from "./store.ts";
import { told } from "./told.ts";

type Word =
  /** By the phone: whenever they change, and to whoever asks. */
  { is: "calls"; calls: readonly CallTold[] } | { is: "ask" } | { is: "order"; action: ShortcutAction };

export type Tabs = OnlyTab & {
  /** To the phone in another tab; false when there is nothing to be ordered. */
  order(action: ShortcutAction): boolean;
};

export type TabsHear = TabHears & { obey(action: ShortcutAction): void };

type Channel = { say(word: Word): void; close(): void };

/** Only pages of our own origin are on it. */
function openChannel(who: string, hear: (word: Word) => void): Channel {
  const channel = new BroadcastChannel(`santral-phone ${who}`);
  channel.onmessage = ({ data }: MessageEvent<Word>) => hear(data);
  return { say: (word) => channel.postMessage(word), close: () => channel.close() };
}

export function openTabs(who: string, store: Store<PhoneState>, hears: TabsHear): Tabs {
  let isMine: boolean | undefined;
  const tell = () => channel.say({ is: "calls", calls: store.get().lines.map(told) });
  const channel = openChannel(who, (word) => {
    if (word.is === "calls" && isMine === false) store.change({ elsewhere: word.calls });
    if (word.is === "ask" && isMine) tell();
    if (word.is === "order" && isMine) hears.obey(word.action);
  });
  store.watch(({ lines }, before) => {
    if (lines !== before.lines && isMine) tell();
  });
  // One that dies says nothing; then the next one does, as soon as it is the phone.
  window.addEventListener("pagehide", () => {
    if (isMine) channel.say({ is: "calls", calls: [] });
  });
  const { take } = openOnlyTab(`santral-phone ${who}`, {
    mine() {
      isMine = true;
      store.change({ elsewhere: [] });
      tell();
      hears.mine();
    },
    elsewhere() {
      isMine = false;
      hears.elsewhere();
      channel.say({ is: "ask" });
    },
  });
  return {
    take,
    order(action) {
      const isUp = isMine === false && store.get().elsewhere.length > 0;
      if (isUp) channel.say({ is: "order", action });
      return isUp;
    },
  };
}

/** For a page that has no phone in it yet: hears that there is one in this browser, and its calls. */
export function hearPhone(who: string, hear: (calls: readonly CallTold[]) => void): () => void {
  const channel = openChannel(who, (word) => word.is === "calls" && hear(word.calls));
  channel.say({ is: "ask" });
  return channel.close;
}
