// Operations as React uses them: what is read is remembered and read again after a change; what is done says how it went.

import { notifications } from "@mantine/notifications";
import { keepPreviousData, type UseQueryResult, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { byName } from "../words/collation.ts";
import { useLanguage } from "../words/language.tsx";
import { faultInWords } from "../words/refusals.ts";
import { ask, type OperationName, type Parameters, type Reply } from "./ask.ts";

type Asking<Name extends OperationName> = { refetchMs?: number; select?(reply: Reply<Name>): Reply<Name> };

/** `undefined` as parameters: not yet. */
export function useAsk<Name extends OperationName>(
  name: Name,
  parameters: Parameters<Name> | undefined,
  { refetchMs, select }: Asking<Name> = {},
): UseQueryResult<Reply<Name>> {
  return useQuery({
    queryKey: [name, parameters],
    queryFn: () => ask(name, parameters as Parameters<Name>),
    enabled: parameters !== undefined,
    placeholderData: keepPreviousData,
    ...(refetchMs ? { refetchInterval: refetchMs } : {}),
    ...(select ? { select } : {}),
  });
}

/** Lists that come whole, of things that have names. */
type NamedList =
  | "contactGroups.list"
  | "contactSources.list"
  | "faxes.colleagues"
  | "forms.list"
  | "readyTexts.list"
  | "reportPlans.list"
  | "sounds.list"
  | "walls.list";

/** The same by name, in the order of the page's language. */
export function useNamed<Name extends NamedList>(
  name: Name,
  parameters: Parameters<Name> | undefined,
  options: { refetchMs?: number } = {},
): UseQueryResult<Reply<Name>> {
  const { language } = useLanguage();
  // A list in another order is of the same kind.
  const select = useCallback(
    (rows: Reply<Name>) => byName<{ name: string }>(rows, language) as Reply<Name>,
    [language],
  );
  return useAsk(name, parameters, { ...options, select });
}

export type Doing<Name extends OperationName> = {
  /** Undefined when it was refused; the reason was shown. */
  (parameters: Parameters<Name>): Promise<Reply<Name> | undefined>;
  isBusy: boolean;
  /** Why the last try was refused. */
  fault: unknown;
};

/** `says`: what a small note tells when it is done. Everything that was read before is read again. */
export function useDo<Name extends OperationName>(name: Name, says?: string): Doing<Name> {
  const queries = useQueryClient();
  const { language } = useLanguage();
  const mutation = useMutation({
    mutationFn: (parameters: Parameters<Name>) => ask(name, parameters),
    onSuccess: async () => {
      await queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== "session.show" });
      // Only now: a form that was told to be saved knows it in the same moment, and lets its owner go.
      if (says !== undefined) notifications.show({ message: says, color: "teal" });
    },
    onError: (fault) => notifications.show({ message: faultInWords(fault, language), color: "red", autoClose: 8_000 }),
  });
  // Whoever asked was told of the fault just above; a caller only needs to know that nothing came.
  const act = (parameters: Parameters<Name>) => mutation.mutateAsync(parameters).catch(() => undefined);
  return Object.assign(act, { isBusy: mutation.isPending, fault: mutation.error });
}
