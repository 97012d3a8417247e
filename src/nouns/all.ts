// All nouns, in the order of the documentation.

import { archive } from "./archive.ts";
import { campaign } from "./campaign.ts";
import { contact } from "./contact.ts";
import { contactSource } from "./contact-source.ts";
import { exchange } from "./exchange.ts";
import { extension } from "./extension.ts";
import { externalNumber } from "./external-number.ts";
import type { Noun } from "./field.ts";
import { mailbox } from "./mailbox.ts";
import { menu } from "./menu.ts";
import { outboundRule } from "./outbound-rule.ts";
import { queue } from "./queue.ts";
import { reportPlan } from "./report-plan.ts";
import { ringGroup } from "./ring-group.ts";
import { singleSignOn } from "./single-sign-on.ts";
import { smsAccount } from "./sms-account.ts";
import { smsCarrier } from "./sms-carrier.ts";
import { smsTitle } from "./sms-title.ts";
import { specialDays } from "./special-days.ts";
import { staff } from "./staff.ts";
import { trunk } from "./trunk.ts";
import { wallBoard } from "./wall-board.ts";

export const allNouns: readonly Noun[] = [
  ...[exchange, extension, mailbox, ringGroup, queue, menu, externalNumber, trunk, outboundRule],
  ...[campaign, contact, contactSource, staff, smsAccount, smsTitle, smsCarrier, specialDays, archive],
  ...[singleSignOn, wallBoard, reportPlan],
];
