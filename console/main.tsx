// Where the console begins.

import "@mantine/core/styles.css";
import "@mantine/notifications/styles.css";
import "./app/app.css";
import { createRoot } from "react-dom/client";
import { App, nonce } from "./app/app.tsx";
import { guardHistory } from "./ui/unsaved.ts";

// What keeps a page still behind a form writes a style of its own, and looks for its leave under this name.
Object.assign(globalThis, { __webpack_nonce__: nonce() });

guardHistory();
const root = document.getElementById("root");
if (root) createRoot(root).render(<App />);
