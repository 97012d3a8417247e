// What a process that we start is told of where it runs. Ours is told settings, passwords among them: none of that goes on.

/** The rest of it could be read by whoever gets a foot into the process, and by the process itself when it is misled. */
const TOLD = ["PATH", "LANG", "LC_ALL", "TZ", "LD_LIBRARY_PATH"];

export function bareEnvironment(): Record<string, string> {
  const told = TOLD.map((name) => [name, process.env[name]] as const);
  return Object.fromEntries(told.filter((pair): pair is [string, string] => pair[1] !== undefined));
}
