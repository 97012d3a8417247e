// One who watches the live panel: told everything at first, then each change, and now and then that we are still here.

import { type Clock, pause, since } from "../../clock.ts";
import type { Panel, PanelChange, Sight } from "../../exchange/panel.ts";
import { type Holder, hasRight } from "../../nouns/role.ts";
import type { Scope } from "../../store/scope.ts";

/** Where news go. A slow reader keeps `tell` waiting: he is told less often, not later. */
export type Sink = {
  tell(kind: "snapshot" | "changes" | "alive", changes: PanelChange[]): Promise<void>;
  /** Settles when nobody listens any more. */
  gone: Promise<unknown>;
  isGone(): boolean;
};

/** Changes that come closer together than this are told together. */
const TOGETHER_MS = 50;
const SIGN_OF_LIFE_MS = 15_000;
const LOOK_AGAIN_MS = 5_000;

/** `look`: how far the viewer sees. It is asked again and again, since that may change while he watches. */
export type Watcher = { exchangeId: number; look(): Promise<Scope>; sight(): Sight };

/** Who listens is told to those who may listen. */
export function sightOf(staff: Holder): Sight {
  return { listeners: hasRight(staff, "supervise") };
}

export async function tellViewer(
  { panel, clock }: { panel: Panel; clock: Clock },
  { exchangeId, look, sight }: Watcher,
  sink: Sink,
): Promise<void> {
  let news = deferred();
  const viewer = panel.watch(exchangeId, () => news.resolve());
  let isFirst = true;
  let silentMs = 0;
  let scope = await look();
  let looked = clock.ticks();
  try {
    while (!sink.isGone()) {
      if (scope !== "everything" && since(clock, looked) >= LOOK_AGAIN_MS) {
        looked = clock.ticks();
        scope = await look();
      }
      const changes = await viewer.take(scope, sight());
      const isSilent = changes.length === 0 && !isFirst;
      if (!isSilent) await sink.tell(isFirst ? "snapshot" : "changes", changes);
      else if (silentMs >= SIGN_OF_LIFE_MS) await sink.tell("alive", []);
      silentMs = !isSilent || silentMs >= SIGN_OF_LIFE_MS ? 0 : silentMs;
      isFirst = false;
      const before = clock.ticks();
      await Promise.race([news.promise, sink.gone]);
      await Promise.race([pause(clock, TOGETHER_MS), sink.gone]);
      news = deferred();
      silentMs += since(clock, before);
    }
  } finally {
    viewer.stop();
  }
}

function deferred(): { promise: Promise<void>; resolve(): void } {
  let resolve = () => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
