// Date: always GMT, always in the one form of RFC 1123. It is said and never read: nothing we do hangs on a peer's clock.

import type { Header } from "../message/message.ts";

export const date = (ms: number): Header => ({ name: "Date", value: new Date(ms).toUTCString() });
