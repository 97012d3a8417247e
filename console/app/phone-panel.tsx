// The person's own web phone, in a corner of the console; it stays while pages change, and is there again after a reload.

import { ActionIcon, Indicator, Paper } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { ask } from "../ask/ask.ts";
import { onBack } from "../ask/connection.ts";
import { useSession, useWhyNot } from "../ask/session.tsx";
import { useDo } from "../ask/use-ask.ts";
import { hearPhone } from "../phone/other-tabs.ts";
import { Icon } from "../ui/icon.tsx";
import { useLanguage, useWords } from "../words/language.tsx";
import { useFrame, useIsReachable, usePhoneCalls } from "./phone-calls.ts";
import { keepPanel, keptPanel, wantsPhone, wantsPhoneAtDesk } from "./phone-memory.ts";
import { phoneTexts } from "./texts.ts";

export type Panel = {
  /** Undefined until the phone is opened. Fixed then: another address would load it anew, in the middle of a call. */
  address: string | undefined;
  isShown: boolean;
  toggle(): Promise<void>;
  /** As somebody wants it who has clicked on a call. */
  open(): void;
  /** The frame has loaded something, which need not be the phone. */
  loaded(): void;
  frame: RefObject<HTMLIFrameElement | null>;
};

/** Undefined for whoever has no phone. */
export function usePhonePanel(isAtDesk: boolean): Panel | undefined {
  const { language } = useLanguage();
  const { extension, exchange } = useSession();
  const who = `${extension}@${exchange.sipDomain}`;
  const mayNot = useWhyNot("webphone.open") !== undefined || extension === null;
  const openPhone = useDo("webphone.open");
  const [address, setAddress] = useState(() => kept(who, language));
  const [isOpen, show] = useState(() => keptPanel(who)?.isShown ?? false);
  // A desk has its phone on it, where it has room; elsewhere it would lie on what stands in the corner.
  const [isOnDesk, putOnDesk] = useState(false);
  const [isCalled, callFor] = useState(false);
  const isShown = isOpen || isOnDesk || isCalled;
  const frame = useRef<HTMLIFrameElement>(null);
  const [element, setElement] = useState<HTMLIFrameElement | null>(null);
  const page = useRef(keptPanel(who)?.page ?? "");
  const use = useCallback(
    ({ token }: { token: string }) => setAddress(`/webphone?token=${token}&lang=${language}`),
    [language],
  );
  // Silently: nobody has asked for it by hand. Without an answer it is tried again when there is one.
  const openAnew = useCallback(() => void ask("webphone.open", {}).then(use, () => undefined), [use]);
  const { isWanted, give } = useFrame(element, useRefused());
  const calls = usePhoneCalls();

  const open = useCallback(() => {
    show(true);
    if (address === undefined) openAnew();
  }, [address, openAnew]);

  useEffect(() => {
    if (mayNot || address !== undefined || !((isAtDesk && wantsPhoneAtDesk()) || wantsPhone(who))) return undefined;
    openAnew();
    return onBack(openAnew);
  }, [mayNot, address, who, openAnew, isAtDesk]);
  useNeighbour(mayNot || address !== undefined ? undefined : who, openAnew);
  useEffect(() => {
    if (isWanted) return giveNext(give);
    // It has the next one, and is another page by name.
    page.current = (frame.current && pageIn(frame.current)) || page.current;
    if (page.current !== "") keepPanel({ who, page: page.current, isShown: isOpen });
    return undefined;
  }, [isWanted, give, who, isOpen]);
  useEffect(() => onBack(() => frame.current && !pageIn(frame.current) && openAnew()), [openAnew]);
  useEffect(() => putOnDesk(isAtDesk && wantsPhoneAtDesk() && hasRoomBeside()), [isAtDesk]);
  useEffect(() => callFor(calls.length > 0), [calls.length]);
  useEffect(() => {
    if (address !== undefined) keepPanel({ who, page: page.current, isShown: isOpen });
  }, [address, who, isOpen]);

  if (mayNot) return undefined;
  return {
    address,
    isShown,
    frame,
    open,
    async toggle() {
      const opened = address === undefined ? await openPhone({}) : undefined;
      if (opened) use(opened);
      if (!opened && address === undefined) return;
      show(!isShown && !isAtDesk);
      putOnDesk(!isShown && isAtDesk);
      callFor(false);
    },
    loaded() {
      setElement(frame.current);
      const loaded = frame.current ? pageIn(frame.current) : undefined;
      if (loaded !== undefined) {
        page.current = loaded;
        keepPanel({ who, page: loaded, isShown: isOpen });
      } else if (page.current !== "") {
        // What this tab remembered is over: a day has passed, or its tokens were taken back.
        page.current = "";
        openAnew();
      }
    },
  };
}

/** The phone is in another tab: what goes on there is shown here, and should that tab close, the phone is here. */
function useNeighbour(who: string | undefined, openAnew: () => void): void {
  useEffect(() => {
    if (who === undefined) return undefined;
    let hasBegun = false;
    return hearPhone(who, (calls) => {
      if (hasBegun || (calls.length === 0 && !wantsPhoneAtDesk())) return;
      hasBegun = true;
      openAnew();
    });
  }, [who, openAnew]);
}

function useRefused(): (isBusy: boolean) => void {
  const words = useWords(phoneTexts);
  const now = useRef(words);
  now.current = words; // another language is no other phone
  return useCallback((isBusy) => {
    const { busy, notReady } = now.current;
    notifications.show({ message: isBusy ? busy : notReady, color: "red" });
  }, []);
}

const GIVE_AGAIN_MS = 60_000;

/** Until the phone has it. It is never loaded anew for that: it may just be about to ring. */
function giveNext(give: (token: string) => void): () => void {
  const attempt = () =>
    void ask("webphone.open", {}).then(
      ({ token }) => give(token),
      () => undefined,
    );
  attempt();
  const timer = window.setInterval(attempt, GIVE_AGAIN_MS);
  const stop = onBack(attempt);
  return () => {
    window.clearInterval(timer);
    stop();
  };
}

function kept(who: string, language: string): string | undefined {
  const page = keptPanel(who)?.page ?? "";
  return page === "" ? undefined : `/webphone?page=${page}&lang=${language}`;
}

/** As in the style sheet: the phone stands beside the page. */
function hasRoomBeside(): boolean {
  return matchMedia("(min-width: 1200px)").matches;
}

/** What the phone's page calls itself; undefined where something else stands in the frame. */
function pageIn({ contentDocument }: HTMLIFrameElement): string | undefined {
  return contentDocument?.querySelector<HTMLMetaElement>('meta[name="santral-page"]')?.content;
}

export function PhoneButton({ panel: { address, isShown, toggle } }: { panel: Panel }) {
  const words = useWords(phoneTexts);
  const isReachable = useIsReachable();
  return (
    <Indicator disabled={address === undefined} color={isReachable ? "teal" : "gray"} size={8} offset={6}>
      <ActionIcon
        variant="subtle"
        size="lg"
        onClick={() => void toggle()}
        aria-label={isShown ? words.close : words.open}
        aria-expanded={isShown}
      >
        <Icon name="call" />
      </ActionIcon>
    </Indicator>
  );
}

/** Hidden and not taken away: a call goes on while somebody looks at something else. */
export function PhoneFrame({ panel, isShown, isDocked }: { panel: Panel; isShown: boolean; isDocked: boolean }) {
  const words = useWords(phoneTexts);
  if (panel.address === undefined) return null;
  return (
    <Paper
      className={isDocked ? "surface phone docked" : "surface phone"}
      shadow={isDocked ? "none" : "lg"}
      hidden={!isShown}
    >
      <iframe
        ref={panel.frame}
        title={words.phone}
        src={panel.address}
        width={275}
        height={620}
        onLoad={panel.loaded}
        allow="microphone; autoplay; speaker-selection"
      />
    </Paper>
  );
}
