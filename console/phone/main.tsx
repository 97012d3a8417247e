// The web phone's page.

import "./phone.css";
import { render } from "preact";
import { openPhone } from "./phone.ts";
import { App } from "./views/app.tsx";

render(<App phone={openPhone()} />, document.body);
