// What bin/cluster.mjs starts: the cluster that stands, or its drills. Given what was asked for as JSON.

import { stand } from "./stand.ts";
import { over } from "./without-vitest.ts";

type Asked = { act: "stand" } | { act: "drill"; kills: number; calls: number; only: string[] | undefined; to: string };

const asked = JSON.parse(process.argv[2] ?? '{"act":"stand"}') as Asked;
const say = (line: string) => console.log(line);

for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.on(signal, () => {
    if (asked.act === "drill") void over().then(() => process.exit(1));
  });

try {
  await stand(say);
} catch (error) {
  process.exitCode = 1;
  const why = error instanceof Error ? error.message : String(error);
  if (/EADDRINUSE|address already in use/i.test(why)) say("A port was taken by somebody else meanwhile: start it again.");
  say(why);
}
await over();
process.exit();
