// The exchange's own interface asked from inside: what it can do already is not written a second time for the console.

import type { Answer } from "../../door/answer.ts";
import type { Maybe } from "../../door/guard.ts";
import type { ConsoleContext } from "./operation.ts";
import type { ConsoleRefusal } from "./refusal.ts";

/** The parameters are those of the endpoint's schema, as its door would have read them. */
export async function forward<Asking extends ConsoleContext>(
  endpoint: { handle(parameters: never, context: NoInfer<Asking>): Maybe<Answer> },
  parameters: object,
  context: Asking,
): Promise<{ said: string } | ConsoleRefusal> {
  const answer = await endpoint.handle(parameters as never, context);
  if (answer.says === "file") throw new Error("a file cannot be handed on as words");
  return answer.says === "no" ? { refused: "said", text: answer.text } : { said: answer.text };
}
