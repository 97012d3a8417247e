// One operation of the console: who may ask for it, what it takes, what it does. The browser imports these types.

import type { Static, TObject } from "typebox";
import type { Exchange } from "../../../exchange/exchange.ts";
import type { FaxOffice } from "../../../exchange/features/faxes/fax-office.ts";
import type { Panel } from "../../../exchange/panel.ts";
import type { TrunkCheck } from "../../../exchange/signalling/trunks/trunk-check.ts";
import type { TrunkView } from "../../../exchange/signalling/trunks/trunks.ts";
import { type Holder, hasRight, type Right } from "../../../nouns/role.ts";
import type { Secrets } from "../../../secrets/secrets.ts";
import type { Language } from "../../../speech/language.ts";
import type { SipDoor } from "../../../store/phone-tickets.ts";
import type { Scope } from "../../../store/scope.ts";
import type { PasswordHash } from "../../../store/staff-password.ts";
import type { StaffSession } from "../../../store/staff-sessions.ts";
import type { DecodedUpload } from "../../../uploads/upload.ts";
import type { Requester } from "../../../webhooks/requester.ts";
import type { Context } from "../../door/context.ts";
import { closed } from "./closed.ts";
import type { First } from "./comes-first.ts";
import type { NodeOffice } from "./node-office.ts";
import type { ConsoleRefusal } from "./refusal.ts";
import type { SystemOffice } from "./system-office.ts";

/** What a running exchange adds to the database; without one the console still sets things up. */
export type Running = {
  panel: Panel;
  exchange: Exchange;
  requester: Requester;
  trunks(exchangeId: number): TrunkView[];
  /** Extensions with a phone that logs in by MD5. */
  md5Extensions(exchangeId: number): string[];
  /** Asks a trunk now. */
  checkTrunk(exchangeId: number, name: string): Promise<TrunkCheck | undefined>;
  /** Where a phone finds us that is where this address is, the usual way first. */
  sipDoors(peer: string): SipDoor[];
  /** The file in which a text is spoken. */
  say(exchangeId: number, text: string, language: Language): Promise<string | undefined>;
};

/** Outside of every transaction: an operation that asks for either stands apart. */
export type Passwords = {
  /** Whether it is the password of whoever asks: nothing when it is. A guess counts as one at the door. */
  prove(password: string): Promise<ConsoleRefusal | undefined>;
  hash(password: string): Promise<PasswordHash | ConsoleRefusal>;
};

export type ConsoleContext = Context & {
  staff: StaffSession;
  /** What of the exchange they see: every operation that shows calls or people looks no further. */
  scope: Scope;
  secrets: Secrets;
  passwords: Passwords;
  running: Running | undefined;
  /** Where faxes are ordered, if this exchange sends any. */
  faxes: FaxOffice | undefined;
  /** Where a proxy shows the console, if that is known. */
  publicUrl: string | undefined;
  /** The servers, for who runs them. */
  nodes: NodeOffice | undefined;
  /** This machine; who may ask it about itself is asked there. */
  system: SystemOffice | undefined;
  /** Whether letters go out at all. */
  sendsMail: boolean;
  /** The file that came with what was asked. */
  uploaded: DecodedUpload | undefined;
  /**
   * Does something together with its line in the audit trail: what is refused or fails leaves neither. An operation
   * is recorded as a whole unless it stands apart.
   */
  record<Reply>(work: (context: ConsoleContext) => Promise<Reply>): Promise<Reply>;
  /** The right that every operation asks for, for whoever greys buttons. */
  needs: Readonly<Record<string, Right>>;
};

/** A method, so that a table of operations may forget which parameters belong to which. */
type FreshWhen<Parameters extends TObject> = {
  when(parameters: Static<Parameters>, context: Omit<ConsoleContext, "record">): boolean | Promise<boolean>;
};

export type Operation<Parameters extends TObject = TObject, Reply = unknown> = {
  /** Who has it may ask; how far he then sees is for the handler, by the scope. */
  right: Right;
  /** Changes nothing. Every other operation leaves a line in the audit trail, under its own name. */
  reads?: true;
  /** Parameters that the audit trail must not hold. */
  hides?: readonly string[];
  /**
   * In no transaction: what it changes is no write of ours, or it waits for others (a converter, a dialler) and
   * records the part that writes.
   */
  apart?: true;
  /** Also before the first password was changed, or a second factor set up. */
  always?: true;
  /** Also while this is what has to be done first. */
  settles?: First;
  /**
   * Hands out what lets somebody in later: only soon after its owner has shown who he is, not to whoever finds his
   * desk. Some do by what they are asked for.
   */
  fresh?: true | FreshWhen<Parameters>;
  /** Bytes of a body that this operation takes; a modest default otherwise. */
  longestBody?: number;
  /** The parameter that is a file as text: its handler gets it decoded, as `uploaded`, and an empty text in its place. */
  carries?: string;
  /** Closed: what is not named here is refused, in every object inside as well. */
  parameters: Parameters;
  /** What the audit trail says in the place of parameters that mean nothing later, as things stand before it is done. */
  told?(parameters: Static<Parameters>, context: Omit<ConsoleContext, "record">): Record<string, unknown>;
  /** What stood there before and is in no row of its own, under the names of the parameters. */
  former?(parameters: Static<Parameters>, context: Omit<ConsoleContext, "record">): Promise<object | undefined>;
  handle(parameters: Static<Parameters>, context: ConsoleContext): Promise<Reply | ConsoleRefusal>;
};

export function operation<Parameters extends TObject, Reply>(
  definition: Operation<Parameters, Reply>,
): Operation<Parameters, Reply> {
  return { ...definition, parameters: closed(definition.parameters) };
}

export function mayAsk(holder: Holder, { right }: Pick<Operation, "right">): boolean {
  return hasRight(holder, right);
}

/** As it arrives in the browser: JSON has no dates. */
export type AsJson<Value> = Value extends Date
  ? string
  : Value extends string | number | boolean | null | undefined
    ? Value
    : unknown extends Value
      ? unknown
      : Value extends readonly (infer Item)[]
        ? AsJson<Item>[]
        : { [Name in keyof Value]: AsJson<Value[Name]> };

type Table = Record<string, { parameters: TObject; handle(parameters: never, context: never): Promise<unknown> }>;

/** What an operation of a table takes and gives, for whoever is on the other side of the wire. */
export type Takes<Api extends Table, Name extends keyof Api> = Static<Api[Name]["parameters"]>;
export type Gives<Api extends Table, Name extends keyof Api> = AsJson<
  Exclude<Awaited<ReturnType<Api[Name]["handle"]>>, ConsoleRefusal>
>;
