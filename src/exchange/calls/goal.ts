// Where a party can be taken, in the exchange's own words.

import type { Doer } from "../../store/audit-facts.ts";
import type { Journey } from "../features/campaigns/journey.ts";
import type { FaxSending } from "../features/faxes/send-fax.ts";
import type { Target } from "../plan/target.ts";
import type { SupervisionMode } from "./audience.ts";

/** What the called side sees as the caller. */
export type Shown = { number: string; name: string };

export type Goal =
  /** As an extension's phone dialled it. */
  | { is: "dialled"; number: string; by: string }
  /** As a route, a menu or a transfer names it. */
  | { is: "target"; target: Target; by?: string }
  /** An extension that we ring on behalf of the API, before anybody else is on the line. */
  | { is: "desk"; extension: string; manualAnswer: boolean; seconds: number; shown: Shown }
  /** An outside number that the API named, with the number of ours that it shall see. */
  | { is: "outside"; number: string; callerId: string; seconds: number }
  /** Somebody who kept his place in a queue; `by` is the agent who is on the line to talk to him. */
  | { is: "callback"; id: string; number: string; by: string }
  /** How was it? Asked of a caller whose agent has hung up. */
  | { is: "survey"; queue: string; agent: string }
  /** Somebody a campaign rings, and then, once he has answered, its script. */
  | { is: "called person" | "campaign"; journey: Journey }
  /** A fax order's pages, for whatever has answered. */
  | { is: "send fax"; sending: FaxSending }
  /** A supervisor on the line; `by` is how the audit trail knows him. */
  | { is: "supervise"; extension: string; mode: SupervisionMode; by: Doer };
