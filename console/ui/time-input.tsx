// A time of day. A browser's own field follows the system's language, not the page's: it would show AM and PM.

import { TextInput, type TextInputProps } from "@mantine/core";
import { useState } from "react";
import { timeOfDayIn } from "../words/time-of-day.ts";

type Props = Omit<TextInputProps, "value" | "onChange" | "type"> & {
  /** HH:MM, or empty. */
  value: string;
  /** Told as soon as what is typed is whole; the empty text when it was taken out. */
  change(next: string): void;
};

export function TimeInput({ value, change, ...rest }: Props) {
  const [typed, type] = useState<string>();
  const take = (text: string) => {
    const time = timeOfDayIn(text);
    if (text.trim() === "") change("");
    else if (time !== undefined) change(time);
  };
  return (
    <TextInput
      {...rest}
      inputMode="numeric"
      maxLength={5}
      placeholder="00:00"
      autoComplete="off"
      value={typed ?? value}
      onChange={({ currentTarget: { value: text } }) => {
        type(text);
        if (text === "" || /^\d\d:\d\d$/.test(text)) take(text);
      }}
      onBlur={() => {
        if (typed !== undefined) take(typed);
        type(undefined);
      }}
      onKeyDown={(event) => {
        if (event.key === "Enter" && typed !== undefined) take(typed);
      }}
    />
  );
}
