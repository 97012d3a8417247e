// Lets this browser be told of calls while the console is closed: once its owner has allowed notes, without a word.

import { useEffect } from "react";
import { useLocation } from "wouter";
import type { Language } from "../../src/languages.ts";
import { ask } from "../ask/ask.ts";
import { useSession, useWhyNot } from "../ask/session.tsx";
import { useLanguage } from "../words/language.tsx";
import { usePhoneCalls } from "./phone-calls.ts";

const WORKER = "/console/worker.js";
const SCOPE = "/console/";
const OWNER = "santral.told-of-calls";

/** `openPhone`: somebody has clicked on a call that rings. */
export function useWaking(openPhone: () => void): void {
  const { language } = useLanguage();
  const { email, extension, exchange } = useSession();
  const mayNot = useWhyNot("push.subscribe") !== undefined || extension === null;
  const who = `${email} ${exchange.sipDomain}`;
  const [, goTo] = useLocation();
  useEffect(() => {
    if (mayNot || !canBeTold()) return undefined;
    const offer = () => void offerBrowser(who, language).catch(() => undefined); // as it was before: it rings nowhere
    if (Notification.permission === "granted") offer();
    return onAllowed(offer);
  }, [mayNot, who, language]);
  useEffect(() => {
    if (!("serviceWorker" in navigator)) return undefined;
    const hear = ({ data }: MessageEvent<{ from?: string; open?: string }>) => {
      if (data.from !== "/console" || data.open === undefined) return;
      if (data.open === "phone") openPhone();
      else goTo(data.open);
    };
    navigator.serviceWorker.addEventListener("message", hear);
    return () => navigator.serviceWorker.removeEventListener("message", hear);
  }, [openPhone, goTo]);
  const hasCalls = usePhoneCalls().length > 0;
  useEffect(() => {
    if (hasCalls) void takeNotesBack();
  }, [hasCalls]);
}

/** Whoever signs out is told of nothing here any more, and nobody after him of his calls. */
export async function forgetBrowser(): Promise<void> {
  if (!canBeTold()) return;
  const registration = await navigator.serviceWorker.getRegistration(SCOPE);
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
  await takeNotesBack();
}

function canBeTold(): boolean {
  return "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;
}

/** By the line in the phone, or in the browser's own settings. */
function onAllowed(act: () => void): () => void {
  let stop = () => {};
  let isOver = false;
  void navigator.permissions.query({ name: "notifications" }).then((permission) => {
    const see = () => permission.state === "granted" && act();
    if (isOver) return;
    permission.addEventListener("change", see);
    stop = () => permission.removeEventListener("change", see);
  });
  return () => {
    isOver = true;
    stop();
  };
}

async function offerBrowser(who: string, language: Language): Promise<void> {
  const registration = await navigator.serviceWorker.register(WORKER, { scope: SCOPE });
  const { key, told } = await ask("push.show", {});
  const subscription = await subscribe(registration, who, key);
  if (told?.endpointHash === (await hashOf(subscription.endpoint)) && told.language === language) return;
  const { keys = {} } = subscription.toJSON();
  const address = { endpoint: subscription.endpoint, p256dh: keys.p256dh ?? "", auth: keys.auth ?? "" };
  await ask("push.subscribe", { ...address, language });
}

/** One that was somebody else's, or is bound to a key that is gone, ends: his calls must not be told here. */
async function subscribe(
  { pushManager }: ServiceWorkerRegistration,
  who: string,
  key: string,
): Promise<PushSubscription> {
  const found = await pushManager.getSubscription();
  const owner = `${who} ${key}`;
  if (found && localStorage.getItem(OWNER) === owner) return found;
  await found?.unsubscribe();
  const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  localStorage.setItem(OWNER, owner);
  return made;
}

async function takeNotesBack(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration(SCOPE);
  for (const note of (await registration?.getNotifications()) ?? [])
    if ((note.data as { is?: string } | null)?.is === "ringing") note.close();
}

async function hashOf(text: string): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return [...hash].map((octet) => octet.toString(16).padStart(2, "0")).join("");
}
