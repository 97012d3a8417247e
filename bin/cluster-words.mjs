// What was asked for on the command line of npm run cluster, or what is wrong with it.

import { parseArgs } from "node:util";

export const DRILLS = ["kill", "stop", "database", "rolling", "throughput", "restart"];

const USAGE = `usage: npm run cluster [-- --yes]
       npm run cluster -- drill [--kills 20] [--calls 50] [--only ${DRILLS.join(",")}] [--yes]`;

export function readWords(words) {
  let read;
  try {
    const text = { type: "string" };
    const options = { kills: text, calls: text, only: text, yes: { type: "boolean" } };
    read = parseArgs({ args: words, options, allowPositionals: true });
  } catch (error) {
    return wrong(error.message);
  }
  const { kills = "20", calls = "50", only, yes = false } = read.values;
  const [act = "stand", ...more] = read.positionals;
  if (more.length > 0 || !["stand", "drill"].includes(act)) return wrong(`"${read.positionals.join(" ")}" is nothing`);
  if (act === "stand") {
    if (Object.keys(read.values).some((name) => name !== "yes")) return wrong("only a drill is asked for numbers");
    return { act, yes };
  }
  for (const [name, value] of Object.entries({ kills, calls }))
    if (!/^[1-9]\d{0,3}$/.test(value)) return wrong(`--${name} wants a number from 1 to 9999, not "${value}"`);
  const names = only?.split(",");
  const unknown = names?.find((name) => !DRILLS.includes(name));
  if (unknown !== undefined) return wrong(`no drill is called "${unknown}"`);
  return { act, yes, kills: Number(kills), calls: Number(calls), ...(names && { only: names }) };
}

const wrong = (why) => ({ wrong: `${why}\n${USAGE}` });
