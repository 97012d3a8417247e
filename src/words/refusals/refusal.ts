// Every "no" that somebody may hear, as a value. What decides it stands below; the words stand beside it, a table a language.

import type { Refusal as CallRefusal } from "../../exchange/calls/refusal.ts";
import type { AgentStatus } from "../../exchange/features/agents/agent-status.ts";
import type { FaxRefusal } from "../../exchange/features/faxes/fax-office.ts";
import type { TestRefusal } from "../../exchange/features/trunk-tests/trunk-test.ts";
import type { TargetProblem } from "../../exchange/plan/checked-target.ts";
import type { SoundRefusal } from "../../exchange/sounds.ts";
import type { AnswerProblem } from "../../forms/answers.ts";
import type { DefinitionProblem } from "../../forms/definition.ts";
import type { Right } from "../../nouns/role.ts";
import type { Weakness } from "../../passwords/weakness.ts";
import type { SsoTrouble } from "../../sso/trouble.ts";
import type { SetupRefusal } from "../../store/refusal.ts";
import type { SignInRefusal } from "../../store/staff-sign-in.ts";
import type { SmsCode } from "../terms.ts";

/** What one parameter of the interface is refused for. */
export type ParameterRefusal =
  | { refused: "blank"; field: string }
  | { refused: "required"; field: string }
  | { refused: "misfit"; field: string; value: string }
  | { refused: "malformed"; field: string }
  | { refused: "text-too-long"; field: string; most: number }
  | { refused: "list-too-long"; field: string }
  | { refused: "out-of-range"; field: string; least: number; most: number }
  | { refused: "not-above"; field: string; least: number }
  | { refused: "not-one-of"; field: string; choices: readonly string[] }
  /** A URL that did not answer a trial request. */
  | { refused: "url-silent"; field: string };

/** What else hinders a fax; the tool's own words on a broken document stay inside. */
export type DocumentRefusal =
  | Exclude<FaxRefusal, { refused: "invalid-number" | "not-own-number" | "broken" }>
  | { refused: "broken" };

/** What the operations of the exchange's own interface answer. The console hands them on as they are. */
export type OperationRefusal =
  | CallRefusal
  | ParameterRefusal
  | Extract<SetupRefusal, { refused: "in-use" }>
  | { refused: "sound"; no: SoundRefusal }
  | { refused: "fax"; no: DocumentRefusal }
  | { refused: "call-not-found" | "call-has-no-file" | "voicemail-not-found"; uuid: string }
  | { refused: "no-such-extension" | "no-user" | "no-staff"; extension: string }
  | { refused: "ticket-expired" }
  /** The file lies in a store outside that does not give it now. */
  | { refused: "archive-silent" }
  | { refused: "no-such-page"; page: number }
  | { refused: "missing-queue" }
  | { refused: "missing-members" }
  | { refused: "no-such-member" | "member-already"; extension: string }
  | { refused: "range-too-long"; days: number }
  | { refused: "range-reversed" }
  | { refused: "already-blocked" | "not-blocked"; number: string }
  | { refused: "external-contacts" }
  | { refused: "contact-not-found"; id: string }
  | { refused: "campaign-not-found"; id: string }
  | { refused: "one-line-only" }
  | { refused: "no-digit-target" }
  | { refused: "too-many-numbers"; most: number };

/** What a value has to be, in the words of JSON Schema. */
export type Fault =
  | { is: "maximum" | "minimum" | "maxLength" | "minLength" | "maxItems" | "minItems"; limit: number }
  | { is: "uniqueItems" }
  /** A line break or another control character where there is one line. */
  | { is: "oneLine" };

/** `field`: where it stands in the form that was sent, if it is about one of its fields. */
export type ConsoleRefusal = (ConsoleNo | { refused: "several-fields"; wrong: ConsoleRefusal[] }) & { field?: string };

type ConsoleNo =
  | OperationRefusal
  | SignInRefusal
  | SetupRefusal
  /** What was sent does not fit the schema: a mistake of the page, or of whoever wrote the request by hand. */
  | { refused: "invalid"; field: string; fault?: Fault }
  | { refused: "signed-out" }
  | { refused: "password-must-change" }
  /** He is signed in, but for this he shows again who he is. */
  | { refused: "prove-yourself" }
  | { refused: "weak-password"; least: number }
  | { refused: "common-password"; why: Weakness }
  | { refused: "simple-pin" }
  | { refused: "same-password" }
  | { refused: "not-your-role"; needs: Right }
  | { refused: "too-many"; seconds: number }
  | { refused: "last-administrator" }
  | { refused: "yourself" }
  | { refused: "not-running" }
  | { refused: "not-operator" }
  | { refused: "no-such-node"; name: string }
  | { refused: "bad-target"; target: string; why: TargetProblem }
  | { refused: "not-own-number"; number: string }
  | { refused: "sso"; why: SsoTrouble }
  | { refused: "no-break-glass" }
  | { refused: "no-second-factor" }
  | { refused: "no-receiver" }
  | { refused: "no-voice" }
  | { refused: "no-agent" }
  /** Somebody else calls him back. */
  | { refused: "caller-taken" }
  | { refused: "not-a-disposition"; disposition: string }
  | { refused: "owes-disposition" }
  | { refused: "no-sms-account" }
  | { refused: "empty-file" }
  | { refused: "unreadable-file" }
  | { refused: "file-too-large"; most: number }
  /** No column of the file was said to be this. */
  | { refused: "missing-column"; field: string }
  | { refused: "import-begun" }
  | { refused: "backup-under-way" }
  | Exclude<TestRefusal, CallRefusal>
  | { refused: "sms"; code: SmsCode }
  /** Each is told at its field as well. */
  | { refused: "form-answers"; problems: AnswerProblem[] }
  | { refused: "form-definition"; problems: DefinitionProblem[] }
  /** What was asked of an agent cannot be done in the state he is in. */
  | { refused: "agent-is"; status: AgentStatus };

/** What a language must have words for. */
export type RefusalWords = {
  [Kind in ConsoleRefusal["refused"]]: (no: Extract<ConsoleRefusal, { refused: Kind }>) => string;
};
