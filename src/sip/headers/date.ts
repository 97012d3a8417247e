// Date: always GMT, always in the one form of RFC 1123. It is said and never read: nothing we do hangs on a peer's clock.

import type { Header } from "../message/message.ts";
import { remember } from "./remember.ts";

const written = remember((second: string) => new Date(Number(second) * 1_000).toUTCString());

export const date = (ms: number): Header => ({ name: "Date", value: written(String(Math.floor(ms / 1_000))) });
