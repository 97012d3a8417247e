// Numbers as the SMS interface writes them: 905… inland, 00… abroad, and comma-separated lists of either.

export type Phone = {
  /** `905321234567` inland, `00491701234567` abroad. */
  number: string;
  abroad: boolean;
  /** Only inland numbers show by their form whether a handset is behind them. */
  mobile: boolean;
};

const COUNTRY = "90";
const NATIONAL_DIGITS = 10;
const FOREIGN_DIGITS = { least: 7, most: 15 };

/** With all that people put between its digits. */
const LONGEST_WRITTEN = 100;

export function readPhone(written: string): Phone | undefined {
  if (written.length > LONGEST_WRITTEN) return undefined;
  const bare = written.replace(/[\s().\-/]/g, "");
  if (!/^\+?\d+$/.test(bare)) return undefined;
  const inland = inlandNumber(bare);
  if (inland) return { number: COUNTRY + inland, abroad: false, mobile: inland.startsWith("5") };
  // A plus sign that nobody percent-encoded arrives as a blank.
  const abroad = /^(?:\+|00)([1-9]\d*)$/.exec(/^\s+\d/.test(written) ? `+${bare}` : bare)?.[1];
  if (!abroad || abroad.startsWith(COUNTRY)) return undefined;
  if (abroad.length < FOREIGN_DIGITS.least || abroad.length > FOREIGN_DIGITS.most) return undefined;
  return { number: `00${abroad}`, abroad: true, mobile: true };
}

export type PhoneList = { phones: Phone[] } | { invalid: string };

/** One string or several, each with one number or a comma-separated list; blanks around them do not count. */
export function readPhoneList(written: readonly string[]): PhoneList {
  const phones: Phone[] = [];
  for (const entry of written.flatMap(splitList)) {
    const phone = readPhone(entry);
    if (!phone) return { invalid: entry.trim().slice(0, LONGEST_WRITTEN) };
    phones.push(phone);
  }
  return { phones };
}

function splitList(written: string): string[] {
  return written.split(",").filter((entry) => entry.trim() !== "");
}

function inlandNumber(bare: string): string | undefined {
  const [, national] = /^(?:\+90|0090|90|0)?([1-9]\d*)$/.exec(bare) ?? [];
  return national?.length === NATIONAL_DIGITS ? national : undefined;
}
