// Which number of ours somebody is known by outside.

import type { CallSettings } from "../../store/call-settings.ts";
import { type PhoneNumber, phoneNumber, written } from "./numbers.ts";

/** The extension's own choice, else the exchange's, else its first number. */
export function numberOf(book: CallSettings, extension: string): PhoneNumber | undefined {
  const [first] = book.numbers.keys();
  return (
    ownNumber(book, book.extensions.get(extension)?.outboundCallerId) ??
    ownNumber(book, book.settings.defaultCallerId) ??
    ownNumber(book, first)
  );
}

/** Undefined: it is none of ours. */
export function ownNumber({ numbers }: CallSettings, wanted: string | null | undefined): PhoneNumber | undefined {
  const read = phoneNumber(wanted ?? "");
  return read && numbers.has(written(read)) ? read : undefined;
}
