// Where a board on the wall begins. It has nothing of the console: no session, no cookie, no other page.

import "./wall.css";
import { createRoot } from "react-dom/client";
import { Screen } from "./board.tsx";

const root = document.getElementById("root");
if (root) createRoot(root).render(<Screen />);
