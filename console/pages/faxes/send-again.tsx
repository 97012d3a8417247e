// The pages of a fax sent once more, to the same number or another.

import { useState } from "react";
import type { Parameters } from "../../ask/ask.ts";
import { useAction } from "../../ask/use-action.ts";
import { DoButton } from "../../ui/buttons.tsx";
import { Editor } from "../../ui/editor.tsx";
import type { Draft } from "../../ui/field.ts";
import { Icon } from "../../ui/icon.tsx";
import { useWords } from "../../words/language.tsx";
import { texts } from "./texts.ts";

type Which = Parameters<"faxes.sendAgain">["fax"];

export function SendAgain({ fax, first = "" }: { fax: Which; first?: string }) {
  const words = useWords(texts);
  const [isOpen, open] = useState(false);
  const wanted = ({ to, from }: Draft) => ({ fax, to: String(to), from: from ? String(from) : null });
  const send = useAction("faxes.sendAgain", wanted, { says: words.ordered });
  return (
    <>
      <DoButton
        does="faxes.sendAgain"
        act={() => open(true)}
        variant="light"
        aria-haspopup="dialog"
        leftSection={<Icon name="out" />}
      >
        {words.sendOn}
      </DoButton>
      {isOpen && (
        <Editor
          title={words.sendOn}
          value={{ to: first, from: null }}
          action={send}
          close={() => open(false)}
          fields={{
            to: { is: "text", label: words.to, longest: 32, required: true, placeholder: "02123205072" },
            from: { is: "own-number", label: words.from },
          }}
        />
      )}
    </>
  );
}
