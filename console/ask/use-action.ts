// What a form or a button of a list does, said once: the operation, what is asked of it, and what is told when it is done.

import { useWords } from "../words/language.tsx";
import { general } from "../words/texts.ts";
import type { OperationName, Parameters, Reply } from "./ask.ts";
import { useDo } from "./use-ask.ts";

export type Action<Given extends unknown[]> = {
  /** Decides who may. */
  does: OperationName;
  isBusy: boolean;
  /** Why the last try was refused, for forms that show it at its field. */
  fault?: unknown;
  /** Answers undefined when it was refused. */
  act(...given: Given): Promise<unknown>;
};

/** What the operation is asked, from what the page gives. */
type Wanted<Name extends OperationName, Given extends unknown[]> = (
  ...given: Given
) => Parameters<Name> | Promise<Parameters<Name>>;

/** `says`: what a small note tells when it is done. `hear` gets the reply. */
export function useAction<Name extends OperationName, Given extends unknown[]>(
  does: Name,
  wanted: Wanted<Name, Given>,
  { says, hear }: { says?: string; hear?: (reply: Reply<Name>) => void },
): Action<Given> {
  const doing = useDo(does, says);
  const act = async (...given: Given) => {
    const reply = await doing(await wanted(...given));
    if (reply !== undefined) hear?.(reply);
    return reply;
  };
  return { does, isBusy: doing.isBusy, fault: doing.fault, act };
}

export function useSaving<Name extends OperationName, Given extends unknown[]>(
  does: Name,
  wanted: Wanted<Name, Given>,
): Action<Given> {
  return useAction(does, wanted, { says: useWords(general).saved });
}

export function useRemoving<Name extends OperationName, Given extends unknown[]>(
  does: Name,
  wanted: Wanted<Name, Given>,
): Action<Given> {
  return useAction(does, wanted, { says: useWords(general).removed });
}
