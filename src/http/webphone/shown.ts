// What the page of the web phone is told.

import type { WebLogin } from "../../exchange/signalling/registrar/web-logins.ts";
import type { AnswerProblem } from "../../forms/answers.ts";
import type { FormField } from "../../forms/definition.ts";
import type { Person, RecentCall } from "../../store/webphone-people.ts";

export type AgentShown = { status: "AVAILABLE" | "LOGGED_OUT" | "ON_BREAK"; breakDescription: string };

/** Everything the page needs to know when it opens, and again whenever its login runs out. */
export type WebphoneSession = {
  exchange: string;
  timeZone: string;
  extension: string;
  name: string;
  domain: string;
  login: WebLogin;
  /** When the token itself ends, in milliseconds of the Unix clock. */
  expiresAtMs: number;
  origins: string[];
  callerIds: string[];
  callerId: string;
  dnd: boolean;
  /** Undefined for an extension that is no agent. */
  agent?: AgentShown;
  /** What the exchange calls its breaks. */
  breaks: string[];
  /** Calls of this exchange may have forms: worth asking for while one is up. */
  hasForms: boolean;
};

export type PersonShown = Person & { state?: "talking" | "registered" | "unregistered" };
export type RecentShown = Omit<RecentCall, "at"> & { atMs: number };

/** A form that this extension owes for a call. */
export type FormShown = {
  callUuid: string;
  form: string;
  fields: FormField[];
  direction: "inbound" | "outbound" | "internal";
  /** The other side. */
  number: string;
  name: string;
  queue: string;
  atMs: number;
  /** The call goes on. */
  isUp: boolean;
  /** Put aside by its owner; it is owed all the same. */
  aside: boolean;
};

/** What is wrong stands at its field. */
export type FormSaved = { saved: true } | { problems: AnswerProblem[] };
