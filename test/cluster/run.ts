// What bin/cluster.mjs starts: the cluster that stands, or its drills. Given what was asked for as JSON.

import { type DrillsAsked, drill } from "./drill.ts";
import { stand } from "./stand.ts";
import { over } from "./without-vitest.ts";

const asked = JSON.parse(process.argv[2] ?? '{"act":"stand"}') as { act: "stand" } | ({ act: "drill" } & DrillsAsked);
const say = (line: string) => console.log(line);

for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.on(signal, () => {
    if (asked.act === "drill") void over().then(() => process.exit(1));
  });

try {
  if (asked.act === "stand") await stand(say);
  else process.exitCode = (await drill(asked, say)) ? 0 : 1;
} catch (error) {
  process.exitCode = 1;
  const why = error instanceof Error ? error.message : String(error);
  if (/EADDRINUSE|address already in use/i.test(why))
    say("A port was taken by somebody else meanwhile: start it again.");
  say(why);
}
await over();
process.exit();
