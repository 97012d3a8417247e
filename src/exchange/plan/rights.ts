// By whose right a call goes out where it is not an extension's own.

/** What the exchange itself is set up to do; or what somebody outside may have us do, who left his number. */
export type Rights = "exchange" | "caller";
