// A text that is kept ready: `{names}` in it are filled in when it is used.

const VARIABLE = /\{([\p{L}\p{N}_ -]{1,40})\}/gu;

/** What has to be filled in, each once, in the order of the text. */
export function variablesIn(text: string): string[] {
  return [...new Set(Array.from(text.matchAll(VARIABLE), ([, name]) => name!))]; // the pattern has one group
}

/** What is not given stays as it stands. */
export function filledIn(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(VARIABLE, (written, name: string) => (Object.hasOwn(values, name) ? values[name]! : written));
}
