// Where the console begins.

import "@mantine/core/styles.css";
import "@mantine/notifications/styles.css";
import "./app/app.css";
import { createRoot } from "react-dom/client";
import { App } from "./app/app.tsx";

const root = document.getElementById("root");
if (root) createRoot(root).render(<App />);
