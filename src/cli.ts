// The `santral` command line: each command is a function over the same parts, one file a noun in cli/.

import { runCommand } from "./cli/program.ts";
import { realClock } from "./clock.ts";

// Whoever reads our output may stop reading, as `head` does.
process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1));

const exitCode = await runCommand(process.argv.slice(2), realClock);
// A part that failed half-way may still hold the event loop; what was printed is let out first.
process.stdout.write("", () => process.exit(exitCode));
