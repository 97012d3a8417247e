// Who has no second factor where the exchange requires one sets it up before he comes in.

import { Button } from "@mantine/core";
import { useState } from "react";
import type { Reply } from "../../ask/ask.ts";
import { useDo } from "../../ask/use-ask.ts";
import { useWords } from "../../words/language.tsx";
import { Entrance } from "../sign-in/sign-in.tsx";
import { ConfirmForm } from "./confirm-form.tsx";
import { CodesOnce } from "./recovery-codes.tsx";
import { texts } from "./texts.ts";

/** `keep`: his codes are on show, so that he is not led on before he has them; then that he has. */
export function SecondFactorFirst({ keep }: { keep(isShowing: boolean): void }) {
  const words = useWords(texts);
  const begin = useDo("totp.begin");
  const [begun, setBegun] = useState<Reply<"totp.begin">>();
  const [codes, setCodes] = useState<readonly string[]>();
  const show = (codes: readonly string[]) => {
    setCodes(codes);
    keep(true);
  };
  return (
    <Entrance title={words.second} about={words.secondFirst}>
      {begun ? (
        <ConfirmForm begun={begun} show={show} />
      ) : (
        <Button fullWidth loading={begin.isBusy} onClick={() => void begin({}).then(setBegun)}>
          {words.begin}
        </Button>
      )}
      {codes && <CodesOnce codes={codes} close={() => keep(false)} />}
    </Entrance>
  );
}
