// The whole phone: header, banner, whatever is in front, and the tabs.

import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { askForNotes, mayAskForNotes } from "../desktop-notes.ts";
import { frontLine, type Line } from "../lines.ts";
import type { Phone } from "../phone.ts";
import type { PhoneState, View } from "../state.ts";
import { useStore } from "../store.ts";
import { texts, type Words } from "../texts.ts";
import { whoOn } from "../who.ts";
import { CallView } from "./call.tsx";
import { ContactsView } from "./contacts.tsx";
import { FormsView } from "./forms.tsx";
import { Header } from "./header.tsx";
import { HistoryView } from "./history.tsx";
import { Icon, type IconName } from "./icons.tsx";
import { IncomingView } from "./incoming.tsx";
import { KeypadView } from "./keypad.tsx";
import { SettingsView } from "./settings.tsx";
import { ShownContext, useShown } from "./shown.ts";

const views: Record<View, { icon: IconName; draw: () => JSX.Element }> = {
  keypad: { icon: "keypad", draw: () => <KeypadView /> },
  history: { icon: "history", draw: () => <HistoryView /> },
  contacts: { icon: "contacts", draw: () => <ContactsView /> },
  forms: { icon: "forms", draw: () => <FormsView /> },
  settings: { icon: "settings", draw: () => <SettingsView /> },
};

export function App({ phone }: { phone: Phone }): JSX.Element {
  const state = useStore(phone.store);
  const words = texts[state.choices.language];
  const line = frontLine(state.lines);
  useTitle(words, line);
  useEffect(() => {
    document.documentElement.lang = state.choices.language;
  }, [state.choices.language]);
  return (
    <ShownContext.Provider value={{ phone, state, words }}>
      <main class="phone" data-link={state.link}>
        <Header />
        <Banner />
        {line ? <OnLine line={line} /> : views[state.view].draw()}
        {!line && <Tabs />}
        <p class="unseen" role="status">
          {line ? `${words[spoken(line)]} ${line.name || line.number}` : state.notice ? words[state.notice] : ""}
        </p>
      </main>
    </ShownContext.Provider>
  );
}

function OnLine({ line }: { line: Line }): JSX.Element {
  return line.at === "ringing" ? <IncomingView line={line} /> : <CallView key={line.id} line={line} />;
}

function Tabs(): JSX.Element {
  const { phone, state, words } = useShown();
  // Most phones never have a form.
  const shown = (Object.keys(views) as View[]).filter(
    (view) => view !== "forms" || state.forms.length > 0 || state.view === "forms",
  );
  return (
    <nav class="tabs">
      {shown.map((view) => (
        <button
          key={view}
          type="button"
          data-view={view}
          aria-current={state.view === view ? "page" : undefined}
          onClick={() => phone.store.change({ view })}
        >
          <Icon name={views[view].icon} size={20} />
          <span>{words[view]}</span>
        </button>
      ))}
    </nav>
  );
}

/** One thing at a time: what keeps the phone from working comes first. */
function Banner(): JSX.Element | null {
  const { phone, state, words } = useShown();
  if (state.link === "elsewhere") return <Elsewhere />;
  if (state.wantsClick)
    return (
      <button type="button" class="banner" onClick={() => void phone.sounds.unlock()}>
        {words.clickForSound}
      </button>
    );
  const problem = problemOf(state);
  if (problem)
    return (
      <div class="banner bad" role="alert">
        {words[problem]}
      </div>
    );
  if (state.notice && state.lines.length === 0) return <div class="banner calm">{words[state.notice]}</div>;
  return <NotesWanted />;
}

/** Another tab is the phone: who rings there is answered from here, and heard there. */
function Elsewhere(): JSX.Element {
  const { phone, state, words } = useShown();
  const ringing = state.elsewhere.find((call) => call.state === "ringing");
  return (
    <>
      <div class="banner" role="alert">
        <span>{words.otherTab}</span>
        <button type="button" class="plain" onClick={() => phone.takeOver()}>
          {words.useHere}
        </button>
      </div>
      {ringing && (
        <div class="banner calm" role="alert">
          <span>
            {words.incoming}: {whoOn(ringing, words)}
          </span>
          <button type="button" class="plain" onClick={() => phone.order("reject")}>
            {words.reject}
          </button>
          <button type="button" class="plain" onClick={() => phone.order("answer")}>
            {words.answer}
          </button>
        </div>
      )}
    </>
  );
}

/** Asked once, when nothing else is going on, and never by a window of the browser that nobody expects. */
function NotesWanted(): JSX.Element | null {
  const { phone, state, words } = useShown();
  const isIdle = state.link === "registered" && state.lines.length === 0;
  if (!isIdle || state.choices.wasAskedForNotes || !mayAskForNotes()) return null;
  const decide = (isWanted: boolean) => {
    phone.choose({ wasAskedForNotes: true });
    if (isWanted) void askForNotes();
  };
  return (
    <div class="banner calm">
      <span>{words.notesWanted}</span>
      <button type="button" class="plain" onClick={() => decide(true)}>
        {words.allowNotes}
      </button>
      <button type="button" class="plain" onClick={() => decide(false)}>
        {words.noNotes}
      </button>
    </div>
  );
}

function problemOf({ link, isExpired, trouble, lines }: PhoneState): keyof Words | undefined {
  if (link === "refused" || isExpired) return "refused";
  if (trouble) return trouble;
  if (lines.some(({ at }) => at === "returning")) return "returning";
  return link === "lost" ? "lost" : undefined;
}

function spoken({ at, held }: Line): keyof Words {
  if (at === "talking") return held ? "onHold" : "talking";
  return at === "over" ? "ended" : at === "ringing" ? "incoming" : at;
}

/** The tab's title says who calls, and flashes so that it is seen among others. */
function useTitle(words: Words, line: Line | undefined): void {
  const ringing = line?.at === "ringing" ? line.name || line.number : undefined;
  useEffect(() => {
    document.title = words.title;
    if (ringing === undefined) return undefined;
    let on = false;
    const flash = setInterval(() => {
      on = !on;
      document.title = on ? `☎ ${ringing}` : words.incoming;
    }, 900);
    return () => {
      clearInterval(flash);
      document.title = words.title;
    };
  }, [ringing, words]);
}
