// What the browser runs for us while no page of ours is open: shows who calls, and opens the console at a click.

import type { PushNote } from "../../src/push/note.ts";
import { noteTexts } from "./texts.ts";

/** The few things of a service worker that this one uses; the page's own types do not know them. */
type Window = { url: string; visibilityState: string; focus(): Promise<unknown>; postMessage(message: unknown): void };
type Waiting = { waitUntil(work: Promise<unknown>): void };
type Worker = {
  registration: ServiceWorkerRegistration;
  location: Location;
  clients: {
    matchAll(which: { type: "window"; includeUncontrolled: true }): Promise<Window[]>;
    openWindow(url: string): Promise<unknown>;
  };
  skipWaiting(): Promise<void>;
  addEventListener(event: "push", hear: (event: Waiting & { data: { json(): unknown } | null }) => void): void;
  addEventListener(event: "notificationclick", hear: (event: Waiting & { notification: Notification }) => void): void;
  addEventListener(event: "install", hear: (event: Waiting) => void): void;
};

const worker = globalThis as unknown as Worker;
const HOME = "/console";
const ICON = `${HOME}/icon-192.png`;

worker.addEventListener("install", (event) => event.waitUntil(worker.skipWaiting()));

worker.addEventListener("push", (event) => {
  const note = event.data?.json() as PushNote | undefined; // nobody else can have encrypted it
  if (note) event.waitUntil(show(note));
});

worker.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data as PushNote)); // given below
});

async function show(note: PushNote): Promise<void> {
  const words = noteTexts[note.language];
  const title = note.name || note.number || words.withheld;
  const rings = note.is === "ringing";
  // Somebody who looks at the console sees there what became of it. Elsewhere a browser wants each message shown.
  if (!rings && (await isLookedAt())) return takeBack(note.call);
  const body = [words[note.is], note.name === "" ? "" : note.number].filter((it) => it !== "").join(" · ");
  const how = { tag: note.call, renotify: rings, requireInteraction: rings, silent: !rings };
  await worker.registration.showNotification(title, { ...how, body, icon: ICON, lang: note.language, data: note });
}

async function takeBack(call: string): Promise<void> {
  for (const shown of await worker.registration.getNotifications({ tag: call })) shown.close();
}

/** Where a click leads. */
const pages: Record<PushNote["is"], (call: string) => string> = {
  ringing: () => "?phone",
  missed: (call) => `/calls/${call}`,
  answered: (call) => `/calls/${call}`,
  message: () => "/voicemail",
};

async function open({ is, call }: PushNote): Promise<void> {
  const page = pages[is](call);
  const [first] = await ownWindows();
  if (!first) return void (await worker.clients.openWindow(`${HOME}${page}`));
  await first.focus();
  first.postMessage({ from: HOME, open: is === "ringing" ? "phone" : page });
}

async function isLookedAt(): Promise<boolean> {
  return (await ownWindows()).some(({ visibilityState }) => visibilityState === "visible");
}

async function ownWindows(): Promise<Window[]> {
  const windows = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  return windows.filter(({ url }) => isConsole(new URL(url)));
}

/** Pages below its address that show no call and hear nothing: the documentation, a provider's door, the frame of a link. */
const OTHERS = ["help", "sso", "pop"];

function isConsole({ origin, pathname }: URL): boolean {
  const [root, first, second = ""] = pathname.split("/");
  return origin === worker.location.origin && `${root}/${first}` === HOME && !OTHERS.includes(second);
}
