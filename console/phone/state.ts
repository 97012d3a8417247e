// What the page knows at any moment.

import type { AnswerProblem } from "../../src/forms/answers.ts";
import type { AgentShown, FormShown, WebphoneSession } from "../../src/http/webphone/shown.ts";
import type { Language } from "../../src/languages.ts";
import type { Drafts } from "./forms.ts";
import type { Line } from "./lines.ts";
import type { CallTold } from "./messages.ts";
import type { Words } from "./texts.ts";

/** `refused`: the token is not or no longer good. `elsewhere`: another tab is the phone. */
export type Link = "connecting" | "registered" | "lost" | "refused" | "elsewhere";

export type MicrophoneTrouble = "noPermission" | "noDevice" | "noMicrophone" | "insecure";

export type View = "keypad" | "history" | "contacts" | "forms" | "settings";

export type Choices = {
  language: Language;
  microphone: string;
  speaker: string;
  /** Where it rings, if that is another than the one that speaks. */
  ringer: string;
  /** Echo cancellation, noise suppression and automatic gain. */
  cleanSound: boolean;
  /** 0 to 100. */
  ringVolume: number;
  /** Inside the console: there from the beginning, once it was opened. */
  staysReady: boolean;
  /** Whether calls may be told on the desktop was asked, and is not asked again. */
  wasAskedForNotes: boolean;
};

export type PhoneState = {
  link: Link;
  session: Omit<WebphoneSession, "login"> | undefined;
  lines: Line[];
  /** Of the phone in another tab, while that one is it. */
  elsewhere: readonly CallTold[];
  view: View;
  /** What stands in the number field. */
  typed: string;
  dnd: boolean;
  agent: AgentShown | undefined;
  callerId: string;
  trouble: MicrophoneTrouble | undefined;
  /** The browser wants a click before it lets anything be heard. */
  wantsClick: boolean;
  /** The token is over, but a call is not: it goes on. */
  isExpired: boolean;
  /** Shown for a moment: how the last call or transfer ended. */
  notice: keyof Words | undefined;
  choices: Choices;
  /** What is owed, the newest first; what stands in them so far, by call; and which one is open. */
  forms: FormShown[];
  drafts: Drafts;
  formOpen: string | undefined;
  /** Why the form that was to be saved was not; undefined: nobody answered. */
  formProblems: { call: string; problems: AnswerProblem[] | undefined } | undefined;
};

export function firstState(choices: Choices): PhoneState {
  return {
    link: "connecting",
    session: undefined,
    lines: [],
    elsewhere: [],
    view: "keypad",
    typed: "",
    dnd: false,
    agent: undefined,
    callerId: "",
    trouble: undefined,
    wantsClick: false,
    isExpired: false,
    notice: undefined,
    choices,
    forms: [],
    drafts: {},
    formOpen: undefined,
    formProblems: undefined,
  };
}
