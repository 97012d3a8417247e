// Set up before every test file, which is when Vitest listens; files share what they import, so that a hook of an imported
// file would be heard in the first of them only.

import { afterAll, afterEach } from "vitest";
import { clearUp, lookAtAll } from "./when-over.ts";

afterAll(clearUp);
afterEach(lookAtAll);
