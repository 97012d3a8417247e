// The customer's own program, opened with a call: in a tab when the agent takes it, or in a frame on his desk.

import { Alert, Anchor } from "@mantine/core";
import { useEffect, useState } from "react";
import { linkFor } from "../../../src/nouns/link.ts";
import { Surface } from "../../ui/page.tsx";
import { useWords } from "../../words/language.tsx";
import type { Card } from "./note-form.tsx";
import { texts } from "./texts.ts";

const POPPED = "santral.popped";
/** Calls of which the tab remembers that they were opened: more than anybody has beside each other. */
const MOST_POPPED = 20;

/** Undefined for colleagues, and where nothing is set. */
export function popOf(template: string | null, { call }: Card): string | undefined {
  if (template === null || call.direction === "internal") return undefined;
  return linkFor(template, { number: call.number, uuid: call.callUuid, queue: call.queue ?? "" });
}

/** Once for each call, also when the page is loaded again or another call comes between. True: the browser lets no tab open. */
export function usePop(link: string | undefined, callUuid: string | undefined, isTalking: boolean): boolean {
  const [heldBack, holdBack] = useState<string>();
  useEffect(() => {
    if (link === undefined || callUuid === undefined || !isTalking || !isFirst(callUuid)) return;
    if (!openTab(link)) holdBack(callUuid);
  }, [link, callUuid, isTalking]);
  return heldBack !== undefined && heldBack === callUuid;
}

function isFirst(callUuid: string): boolean {
  const popped = (sessionStorage.getItem(POPPED) ?? "").split(" ");
  if (popped.includes(callUuid)) return false;
  sessionStorage.setItem(POPPED, [...popped, callUuid].slice(-MOST_POPPED).join(" "));
  return true;
}

/** Asked for without an opener, a tab does not say whether it came: it is let go of before it leads anywhere. */
function openTab(link: string): boolean {
  const tab = window.open("", "_blank");
  if (!tab) return false;
  tab.opener = null;
  tab.location.replace(link);
  return true;
}

export function HeldBack({ link }: { link: string }) {
  const words = useWords(texts);
  return (
    <Alert color="yellow" role="alert">
      {words.heldBack}{" "}
      <Anchor href={link} target="_blank" rel="noopener noreferrer" size="sm" fw={600} underline="always">
        {words.openIn}
      </Anchor>
    </Alert>
  );
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
