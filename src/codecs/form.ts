// Format parameters of codecs (a=fmtp): read as names and values.

/** `octet-align=1; mode-set="0,2"` by name in small letters; a strange text gives strange names, which nobody asks for. */
export function parametersIn(fmtp: string): Map<string, string> {
  const parts = fmtp.split(";").map((part) => {
    const [name = "", value = ""] = part.split(/=(.*)/s);
    return [name.trim().toLowerCase(), value.trim().replace(/^"(.*)"$/s, "$1")] as const;
  });
  return new Map(parts);
}

/** `0,2,5` as numbers; undefined when anything else stands there. */
export function numbersIn(list: string): number[] | undefined {
  return /^\d{1,2}( *, *\d{1,2}){0,15}$/.test(list) ? list.split(",").map(Number) : undefined;
}
