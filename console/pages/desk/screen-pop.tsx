// The customer's own program, opened with a call: in a tab when the agent takes it, or in a frame on his desk.

import { useEffect } from "react";
import { linkFor } from "../../../src/nouns/link.ts";
import { Surface } from "../../ui/page.tsx";
import { useWords } from "../../words/language.tsx";
import type { Card } from "./note-form.tsx";
import { texts } from "./texts.ts";

const POPPED = "santral.popped";

/** Undefined for colleagues, and where nothing is set. */
export function popOf(template: string | null, { call }: Card): string | undefined {
  if (template === null || call.direction === "internal") return undefined;
  return linkFor(template, { number: call.number, uuid: call.callUuid, queue: call.queue ?? "" });
}

/** Once for each call, also when the page is loaded again. A browser that lets no page open tabs still shows the button. */
export function usePop(link: string | undefined, callUuid: string | undefined, isTalking: boolean): void {
  useEffect(() => {
    if (link === undefined || callUuid === undefined || !isTalking || sessionStorage.getItem(POPPED) === callUuid)
      return;
    sessionStorage.setItem(POPPED, callUuid);
    window.open(link, "_blank", "noopener,noreferrer");
  }, [link, callUuid, isTalking]);
}

/** Around it stands a page of the server, which alone lets that one place in. */
export function PopFrame({ link }: { link: string }) {
  const words = useWords(texts);
  return (
    <Surface title={words.crm}>
      <iframe className="pop" title={words.crm} src={`/console/pop?${new URLSearchParams({ link })}`} />
    </Surface>
  );
}
