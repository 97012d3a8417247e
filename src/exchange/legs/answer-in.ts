// The session description of an answer.

import type { Message } from "../../sip/message/message.ts";
import { sessionIn } from "../../sip/reading/multipart.ts";

/** One whose type nobody named is taken for a session description, too. */
export const answerIn = (message: Message): string => sessionIn(message) ?? message.body;
