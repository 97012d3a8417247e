// A small form about one's own account: what was refused stands above it, and once it is done the session is read anew.

import { Alert, Stack } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import { useLanguage } from "../words/language.tsx";
import { faultInWords } from "../words/refusals.ts";
import { Password } from "./password.tsx";

/** `children` gets whether it is being worked on. */
export function SessionForm({ work, children }: { work(): Promise<unknown>; children(isBusy: boolean): ReactNode }) {
  const queries = useQueryClient();
  const { language } = useLanguage();
  const [problem, setProblem] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setProblem(undefined);
    void work()
      .then(() => queries.invalidateQueries({ queryKey: ["session.show"] }))
      .catch(setProblem)
      .finally(() => setBusy(false));
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        {problem !== undefined && (
          <Alert color="red" role="alert">
            {faultInWords(problem, language)}
          </Alert>
        )}
        {children(isBusy)}
      </Stack>
    </form>
  );
}

type PasswordFieldProps = Omit<Parameters<typeof Password>[0], "onChange" | "value"> & {
  value: string;
  change(value: string): void;
};

/** A password that has to be filled in. */
export function PasswordField({ value, change, ...rest }: PasswordFieldProps) {
  return <Password required {...rest} value={value} onChange={(event) => change(event.currentTarget.value)} />;
}
