// Languages the exchange can speak, each in its own name.

export const spoken: [value: string, label: string][] = [
  ["tr-TR", "Türkçe"],
  ["en-US", "English"],
  ["ar-XA", "العربية"],
];
