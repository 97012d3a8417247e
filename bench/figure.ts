// What a bench found out, printed as one line each that `npm run bench` gathers into its table.

export interface Figure {
  name: string;
  value: number;
  unit: "ms" | "/s" | "%" | "MB" | "x" | "s";
  better: "less" | "more";
  goal?: number;
  /** What the same run was compared with, and this figure as a multiple of it. */
  yardstick?: string;
  ratio?: number;
  /** What was switched on. */
  with: string;
}

export function figure(f: Figure): void {
  console.log(lineOf(f));
}

const ORDER = ["name", "value", "unit", "better", "goal", "yardstick", "ratio", "with"] as const;

export function lineOf(figure: Figure): string {
  const words = ORDER.filter((key) => figure[key] !== undefined).map((key) => `${key}=${printed(figure[key])}`);
  return `FIGURE ${words.join(" ")}`;
}

/** Numbers with as many places as mean something; words in quotes where they would otherwise end early. */
function printed(value: string | number | undefined): string {
  if (typeof value === "number") return String(Number(value.toPrecision(4)));
  const text = value ?? "";
  return /^[^\s"]+$/.test(text) ? text : JSON.stringify(text);
}
