// How the console is built: one small script for the shell, and one for each page, fetched when it is opened.

import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig(({ command }) => ({
  root: here("."),
  base: "/console/",
  publicDir: here("public"),
  esbuild: { jsx: "automatic", jsxDev: command !== "build" },
  // Whoever runs the tests has another word in this variable, and would leave React's slow half behind in dist/.
  ...(command === "build" ? { define: { "process.env.NODE_ENV": '"production"' } } : {}),
  build: {
    outDir: here("../dist/console"),
    emptyOutDir: true,
    target: "es2022",
    reportCompressedSize: false,
    modulePreload: { polyfill: false },
    // Component libraries mark their files for servers that render; here nothing does.
    rollupOptions: {
      // The console, and the page of a board on the wall, which has nothing of it.
      input: { index: here("index.html"), wall: here("wall.html") },
      // Not a request for every word and button: what is smaller than this comes along with what uses it.
      output: { experimentalMinChunkSize: 6_000 },
      onwarn: (warning, warn) => warning.code !== "MODULE_LEVEL_DIRECTIVE" && warn(warning),
    },
  },
  // While pages are written: `npx vite console`, beside a server that runs.
  server: {
    proxy: {
      "/console/api": "http://127.0.0.1:8080",
      "/console/help": "http://127.0.0.1:8080",
      "/console/live": { target: "ws://127.0.0.1:8080", ws: true },
    },
  },
}));
