// Santral API, for TypeScript programs. Made from the OpenAPI document by "npm run client": do not change it here.

export type SantralOptions = {
  /** Such as https://santral.example.com, without a path. */
  url: string;
  /** The exchange's API key. The operations under /v2 take a user name and a password instead. */
  key?: string;
  /** Another way to fetch, for tests and proxies. */
  fetch?: typeof fetch;
};

/** The exchange said no: a status and one sentence. */
export class Refused extends Error {
  readonly status: number;
  /** Seconds to wait before asking again, where it was asked too often. */
  readonly retryAfterSeconds: number | undefined;

  constructor(status: number, sentence: string, retryAfter: string | null) {
    super(sentence);
    this.name = "Refused";
    this.status = status;
    this.retryAfterSeconds = retryAfter === null ? undefined : Number(retryAfter);
  }
}

type Value = string | number | boolean | Blob | readonly unknown[] | Record<string, unknown> | undefined;

export class Line {
  readonly #options: SantralOptions;

  constructor(options: SantralOptions) {
    this.#options = options;
  }

  protected async ask(
    method: string,
    path: string,
    parameters: Record<string, Value>,
    kind: "text" | "json" | "file",
  ): Promise<unknown> {
    const { url, key, fetch: go = fetch } = this.#options;
    const left = new Map(Object.entries(parameters).filter(([, value]) => value !== undefined));
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = encodeURIComponent(String(left.get(name)));
      left.delete(name);
      return value;
    });
    if (key !== undefined && !path.startsWith("/v2/")) left.set("key", key);
    const hasBody = method !== "GET" && method !== "HEAD";
    const query = hasBody ? "" : queryOf(left);
    const answer = await go(new URL(filled + query, url), { method, ...(hasBody ? bodyOf(left) : {}) });
    if (!answer.ok) throw new Refused(answer.status, await answer.text(), answer.headers.get("retry-after"));
    if (kind === "file") return answer.blob();
    return kind === "json" ? answer.json() : answer.text();
  }
}

function queryOf(parameters: Map<string, Value>): string {
  const query = new URLSearchParams();
  for (const [name, value] of parameters)
    for (const one of Array.isArray(value) ? value : [value])
      query.append(Array.isArray(value) ? `${name}[]` : name, String(one));
  return query.size === 0 ? "" : `?${query}`;
}

/** Files go in a form, everything else as JSON. */
function bodyOf(parameters: Map<string, Value>): { body: string | FormData; headers?: Record<string, string> } {
  if (![...parameters.values()].some((value) => value instanceof Blob))
    return { body: JSON.stringify(Object.fromEntries(parameters)), headers: { "content-type": "application/json" } };
  const form = new FormData();
  for (const [name, value] of parameters) form.append(name, value instanceof Blob ? value : String(value));
  return { body: form };
}

export class Santral extends Line {
  /**
   * Connect an extension with a number.
   *
   * Rings the extension first; when it picks up, the destination is dialled. Without `manual_answer` the phone is asked to answer by itself. Answers the call's UUID at once. Rate limit: 3 per second, 100 at once
   */
  getOriginate(parameters: {
    /** rung first */
    extension: string;
    /** 90…, 0…, 00… or +…, or an extension */
    destination: string;
    /** wait for somebody to pick the extension up */
    manual_answer?: boolean | undefined;
    /** one of the exchange's own numbers */
    caller_id?: string | undefined;
    /** seconds each side is rung */
    timeout?: number | undefined;
    /** sound played to the caller at answer */
    announcement_to_caller?: number | undefined;
    /** sound played to the called party at answer */
    announcement_to_callee?: number | undefined;
  }): Promise<string> {
    return this.ask("GET", "/originate", parameters, "text") as Promise<string>;
  }

  /**
   * Connect an extension with a number.
   *
   * Rings the extension first; when it picks up, the destination is dialled. Without `manual_answer` the phone is asked to answer by itself. Answers the call's UUID at once. Rate limit: 3 per second, 100 at once
   */
  postOriginate(parameters: {
    /** rung first */
    extension: string;
    /** 90…, 0…, 00… or +…, or an extension */
    destination: string;
    /** wait for somebody to pick the extension up */
    manual_answer?: boolean | undefined;
    /** one of the exchange's own numbers */
    caller_id?: string | undefined;
    /** seconds each side is rung */
    timeout?: number | undefined;
    /** sound played to the caller at answer */
    announcement_to_caller?: number | undefined;
    /** sound played to the called party at answer */
    announcement_to_callee?: number | undefined;
  }): Promise<string> {
    return this.ask("POST", "/originate", parameters, "text") as Promise<string>;
  }

  /**
   * Connect two outside numbers.
   *
   * Dials the source, then the destination; both see only the exchange's number. The answer is held until the source has answered or failed. Rate limit: 3 per second, 100 at once
   */
  getBridge(parameters: {
    /** dialled first */
    source: string;
    /** dialled when the source has answered */
    destination: string;
    /** one of the exchange's own numbers */
    caller_id?: string | undefined;
    /** seconds each side is rung */
    timeout?: number | undefined;
    /** sound played to the caller at answer */
    announcement_to_caller?: number | undefined;
    /** sound played to the called party at answer */
    announcement_to_callee?: number | undefined;
    /** `false` switches recording off for this call */
    recording_enabled?: boolean | undefined;
  }): Promise<string> {
    return this.ask("GET", "/bridge", parameters, "text") as Promise<string>;
  }

  /**
   * Connect two outside numbers.
   *
   * Dials the source, then the destination; both see only the exchange's number. The answer is held until the source has answered or failed. Rate limit: 3 per second, 100 at once
   */
  postBridge(parameters: {
    /** dialled first */
    source: string;
    /** dialled when the source has answered */
    destination: string;
    /** one of the exchange's own numbers */
    caller_id?: string | undefined;
    /** seconds each side is rung */
    timeout?: number | undefined;
    /** sound played to the caller at answer */
    announcement_to_caller?: number | undefined;
    /** sound played to the called party at answer */
    announcement_to_callee?: number | undefined;
    /** `false` switches recording off for this call */
    recording_enabled?: boolean | undefined;
  }): Promise<string> {
    return this.ask("POST", "/bridge", parameters, "text") as Promise<string>;
  }

  /**
   * End a call.
   *
   * Rate limit: 2 per second, 10 at once
   */
  getHangupId(parameters: {
    /** the call's UUID, from originate or a call event */
    id: string;
  }): Promise<string> {
    return this.ask("GET", "/hangup/{id}", parameters, "text") as Promise<string>;
  }

  /**
   * End a call.
   *
   * Rate limit: 2 per second, 10 at once
   */
  postHangupId(parameters: {
    /** the call's UUID, from originate or a call event */
    id: string;
  }): Promise<string> {
    return this.ask("POST", "/hangup/{id}", parameters, "text") as Promise<string>;
  }

  /**
   * End a call.
   *
   * Rate limit: 2 per second, 10 at once
   */
  getHangup(parameters: {
    /** the call's UUID, from originate or a call event */
    id: string;
  }): Promise<string> {
    return this.ask("GET", "/hangup", parameters, "text") as Promise<string>;
  }

  /**
   * End a call.
   *
   * Rate limit: 2 per second, 10 at once
   */
  postHangup(parameters: {
    /** the call's UUID, from originate or a call event */
    id: string;
  }): Promise<string> {
    return this.ask("POST", "/hangup", parameters, "text") as Promise<string>;
  }

  /**
   * Pick up the ringing extension of a call started with manual_answer.
   *
   * Rate limit: 2 per second, 10 at once
   */
  getAnswerId(parameters: {
    /** the call's UUID, from originate or a call event */
    id: string;
  }): Promise<string> {
    return this.ask("GET", "/answer/{id}", parameters, "text") as Promise<string>;
  }

  /**
   * Pick up the ringing extension of a call started with manual_answer.
   *
   * Rate limit: 2 per second, 10 at once
   */
  postAnswerId(parameters: {
    /** the call's UUID, from originate or a call event */
    id: string;
  }): Promise<string> {
    return this.ask("POST", "/answer/{id}", parameters, "text") as Promise<string>;
  }

  /**
   * Pick up the ringing extension of a call started with manual_answer.
   *
   * Rate limit: 2 per second, 10 at once
   */
  getAnswer(parameters: {
    /** the call's UUID, from originate or a call event */
    id: string;
  }): Promise<string> {
    return this.ask("GET", "/answer", parameters, "text") as Promise<string>;
  }

  /**
   * Pick up the ringing extension of a call started with manual_answer.
   *
   * Rate limit: 2 per second, 10 at once
   */
  postAnswer(parameters: {
    /** the call's UUID, from originate or a call event */
    id: string;
  }): Promise<string> {
    return this.ask("POST", "/answer", parameters, "text") as Promise<string>;
  }

  /**
   * Send a call on to an extension.
   *
   * The extension that talks now is taken off the line; the other party is rung through to the new one. An extension without a phone is refused, and the call stays, unless it says who takes its calls. Rate limit: 2 per second, 10 at once
   */
  getTransferId(parameters: {
    /** the call's UUID, from originate or a call event */
    id: string;
    /** the extension */
    user_number: string;
  }): Promise<string> {
    return this.ask("GET", "/transfer/{id}", parameters, "text") as Promise<string>;
  }

  /**
   * Send a call on to an extension.
   *
   * The extension that talks now is taken off the line; the other party is rung through to the new one. An extension without a phone is refused, and the call stays, unless it says who takes its calls. Rate limit: 2 per second, 10 at once
   */
  postTransferId(parameters: {
    /** the call's UUID, from originate or a call event */
    id: string;
    /** the extension */
    user_number: string;
  }): Promise<string> {
    return this.ask("POST", "/transfer/{id}", parameters, "text") as Promise<string>;
  }

  /**
   * Send a call on to an extension.
   *
   * The extension that talks now is taken off the line; the other party is rung through to the new one. An extension without a phone is refused, and the call stays, unless it says who takes its calls. Rate limit: 2 per second, 10 at once
   */
  getTransfer(parameters: {
    /** the call's UUID, from originate or a call event */
    id: string;
    /** the extension */
    user_number: string;
  }): Promise<string> {
    return this.ask("GET", "/transfer", parameters, "text") as Promise<string>;
  }

  /**
   * Send a call on to an extension.
   *
   * The extension that talks now is taken off the line; the other party is rung through to the new one. An extension without a phone is refused, and the call stays, unless it says who takes its calls. Rate limit: 2 per second, 10 at once
   */
  postTransfer(parameters: {
    /** the call's UUID, from originate or a call event */
    id: string;
    /** the extension */
    user_number: string;
  }): Promise<string> {
    return this.ask("POST", "/transfer", parameters, "text") as Promise<string>;
  }

  /**
   * Mute the extension of a call, or let it be heard again.
   *
   * Rate limit: 2 per second, 10 at once
   */
  getMuteId(parameters: {
    /** the call's UUID, from originate or a call event */
    id: string;
    state: "on" | "off";
  }): Promise<string> {
    return this.ask("GET", "/mute/{id}", parameters, "text") as Promise<string>;
  }

  /**
   * Mute the extension of a call, or let it be heard again.
   *
   * Rate limit: 2 per second, 10 at once
   */
  postMuteId(parameters: {
    /** the call's UUID, from originate or a call event */
    id: string;
    state: "on" | "off";
  }): Promise<string> {
    return this.ask("POST", "/mute/{id}", parameters, "text") as Promise<string>;
  }

  /**
   * Mute the extension of a call, or let it be heard again.
   *
   * Rate limit: 2 per second, 10 at once
   */
  getMute(parameters: {
    /** the call's UUID, from originate or a call event */
    id: string;
    state: "on" | "off";
  }): Promise<string> {
    return this.ask("GET", "/mute", parameters, "text") as Promise<string>;
  }

  /**
   * Mute the extension of a call, or let it be heard again.
   *
   * Rate limit: 2 per second, 10 at once
   */
  postMute(parameters: {
    /** the call's UUID, from originate or a call event */
    id: string;
    state: "on" | "off";
  }): Promise<string> {
    return this.ask("POST", "/mute", parameters, "text") as Promise<string>;
  }

  /**
   * Callers who wait, the next one first.
   *
   * `joined_at` is in Unix seconds. Whoever hung up to be called back stands in line like everybody else. Rate limit: 10 per minute
   */
  getQueuesPending(): Promise<({
    queue_number: string;
    uuid: string;
    call_uuid: string;
    caller_id: string;
    joined_at: string;
    wait_time: number;
  })[]> {
    return this.ask("GET", "/queues/pending", {}, "json") as Promise<({
    queue_number: string;
    uuid: string;
    call_uuid: string;
    caller_id: string;
    joined_at: string;
    wait_time: number;
  })[]>;
  }

  /**
   * Numbers the exchange may show when it calls out.
   *
   * Rate limit: 2 per second, 10 at once
   */
  getCallerIds(): Promise<(string)[]> {
    return this.ask("GET", "/caller_ids", {}, "json") as Promise<(string)[]>;
  }

  /**
   * Choose the number an extension shows when it calls out.
   *
   * Rate limit: 2 per second, 10 at once
   */
  getUpdateOutboundCallerId(parameters: {
    extension: string;
    /** one of the numbers of the caller ID list */
    caller_id: string;
  }): Promise<string> {
    return this.ask("GET", "/update_outbound_caller_id", parameters, "text") as Promise<string>;
  }

  /**
   * Choose the number an extension shows when it calls out.
   *
   * Rate limit: 2 per second, 10 at once
   */
  postUpdateOutboundCallerId(parameters: {
    extension: string;
    /** one of the numbers of the caller ID list */
    caller_id: string;
  }): Promise<string> {
    return this.ask("POST", "/update_outbound_caller_id", parameters, "text") as Promise<string>;
  }

  /**
   * List extensions.
   *
   * Rate limit: 2 per second, 10 at once
   */
  getExtensions(): Promise<({
    number: string;
    name: string;
    dnd: boolean;
    is_agent: boolean;
    domain: string;
  })[]> {
    return this.ask("GET", "/extensions", {}, "json") as Promise<({
    number: string;
    name: string;
    dnd: boolean;
    is_agent: boolean;
    domain: string;
  })[]>;
  }

  /**
   * One extension.
   *
   * `password` is the SIP password: only where the provider has switched `show-sip-passwords` on, and of extensions whose password was made since then. Rate limit: 2 per second, 10 at once
   */
  getExtensionsId(parameters: {
    /** the extension's number */
    id: string;
  }): Promise<{
    number: string;
    domain: string;
    name: string;
    dnd: boolean;
    is_agent: boolean;
    max_calls: number;
    use_webrtc: boolean;
    time_range_begin: string;
    time_range_end: string;
    outbound_caller_id_number: string;
  }> {
    return this.ask("GET", "/extensions/{id}", parameters, "json") as Promise<{
    number: string;
    domain: string;
    name: string;
    dnd: boolean;
    is_agent: boolean;
    max_calls: number;
    use_webrtc: boolean;
    time_range_begin: string;
    time_range_end: string;
    outbound_caller_id_number: string;
  }>;
  }

  /**
   * Switch an extension's do-not-disturb.
   *
   * While it is on, calls to the extension are refused. Rate limit: 2 per second, 10 at once
   */
  getDndId(parameters: {
    /** the extension's number */
    id: string;
    state: "on" | "off";
  }): Promise<string> {
    return this.ask("GET", "/dnd/{id}", parameters, "text") as Promise<string>;
  }

  /**
   * Switch an extension's do-not-disturb.
   *
   * While it is on, calls to the extension are refused. Rate limit: 2 per second, 10 at once
   */
  postDndId(parameters: {
    /** the extension's number */
    id: string;
    state: "on" | "off";
  }): Promise<string> {
    return this.ask("POST", "/dnd/{id}", parameters, "text") as Promise<string>;
  }

  /**
   * Switch an extension's do-not-disturb.
   *
   * While it is on, calls to the extension are refused. Rate limit: 2 per second, 10 at once
   */
  putDndId(parameters: {
    /** the extension's number */
    id: string;
    state: "on" | "off";
  }): Promise<string> {
    return this.ask("PUT", "/dnd/{id}", parameters, "text") as Promise<string>;
  }

  /**
   * Switch an extension's do-not-disturb.
   *
   * While it is on, calls to the extension are refused. Rate limit: 2 per second, 10 at once
   */
  patchDndId(parameters: {
    /** the extension's number */
    id: string;
    state: "on" | "off";
  }): Promise<string> {
    return this.ask("PATCH", "/dnd/{id}", parameters, "text") as Promise<string>;
  }

  /**
   * Switch an extension's do-not-disturb.
   *
   * While it is on, calls to the extension are refused. Rate limit: 2 per second, 10 at once
   */
  getDnd(parameters: {
    /** the extension's number */
    id: string;
    state: "on" | "off";
  }): Promise<string> {
    return this.ask("GET", "/dnd", parameters, "text") as Promise<string>;
  }

  /**
   * Switch an extension's do-not-disturb.
   *
   * While it is on, calls to the extension are refused. Rate limit: 2 per second, 10 at once
   */
  postDnd(parameters: {
    /** the extension's number */
    id: string;
    state: "on" | "off";
  }): Promise<string> {
    return this.ask("POST", "/dnd", parameters, "text") as Promise<string>;
  }

  /**
   * Switch an extension's do-not-disturb.
   *
   * While it is on, calls to the extension are refused. Rate limit: 2 per second, 10 at once
   */
  putDnd(parameters: {
    /** the extension's number */
    id: string;
    state: "on" | "off";
  }): Promise<string> {
    return this.ask("PUT", "/dnd", parameters, "text") as Promise<string>;
  }

  /**
   * Switch an extension's do-not-disturb.
   *
   * While it is on, calls to the extension are refused. Rate limit: 2 per second, 10 at once
   */
  patchDnd(parameters: {
    /** the extension's number */
    id: string;
    state: "on" | "off";
  }): Promise<string> {
    return this.ask("PATCH", "/dnd", parameters, "text") as Promise<string>;
  }

  /**
   * Fetch a phone's settings.
   *
   * Needs no key: the ticket of a QR code is the protection. It opens once, for ten minutes. Rate limit: 20 per second, 200 at once
   */
  getPhoneSettingsTicket(parameters: {
    ticket: string;
  }): Promise<Blob> {
    return this.ask("GET", "/phone_settings/{ticket}", parameters, "file") as Promise<Blob>;
  }

  /**
   * What each extension is doing.
   *
   * Shares its rate limit with the agent statuses. Rate limit: 2 per minute
   */
  getUserStatuses(parameters: {
    /** only this extension */
    user?: string | undefined;
    status?: "AVAILABLE" | "TALKING" | "UNREGISTERED" | "SS_DND" | undefined;
  } = {}): Promise<({
    user: number;
    status: string;
  })[]> {
    return this.ask("GET", "/user_statuses", parameters, "json") as Promise<({
    user: number;
    status: string;
  })[]>;
  }

  /**
   * What each queue agent is doing.
   *
   * Shares its rate limit with the extension statuses. `break_description` comes with ON_BREAK only. Rate limit: 2 per minute
   */
  getAgentStatuses(parameters: {
    /** only this extension */
    agent?: string | undefined;
    /** only members of this queue (number or name) */
    queue?: string | undefined;
    status?: "AVAILABLE" | "TALKING" | "LOGGED_OUT" | "ON_BREAK" | undefined;
  } = {}): Promise<({
    agent: string;
    status: string;
    queues: (string)[];
  } | {
    agent: string;
    status: string;
    queues: (string)[];
    break_description: string;
  })[]> {
    return this.ask("GET", "/agent_statuses", parameters, "json") as Promise<({
    agent: string;
    status: string;
    queues: (string)[];
  } | {
    agent: string;
    status: string;
    queues: (string)[];
    break_description: string;
  })[]>;
  }

  /**
   * Whether the office is open.
   *
   * `open` is what hours and switch say together; holidays and hours of single numbers are not in it. Rate limit: 2 per second, 10 at once
   */
  getOffice(): Promise<{
    switch: string;
    open: boolean;
    hours: (string)[];
  }> {
    return this.ask("GET", "/office", {}, "json") as Promise<{
    switch: string;
    open: boolean;
    hours: (string)[];
  }>;
  }

  /**
   * Open or close the office by hand.
   *
   * `hours` goes by the office hours again. The switch goes before hours and holidays of every number. Rate limit: 2 per second, 10 at once
   */
  postOffice(parameters: {
    switch: "hours" | "open" | "closed";
  }): Promise<string> {
    return this.ask("POST", "/office", parameters, "text") as Promise<string>;
  }

  /**
   * Open or close the office by hand.
   *
   * `hours` goes by the office hours again. The switch goes before hours and holidays of every number. Rate limit: 2 per second, 10 at once
   */
  putOffice(parameters: {
    switch: "hours" | "open" | "closed";
  }): Promise<string> {
    return this.ask("PUT", "/office", parameters, "text") as Promise<string>;
  }

  /**
   * Open or close the office by hand.
   *
   * `hours` goes by the office hours again. The switch goes before hours and holidays of every number. Rate limit: 2 per second, 10 at once
   */
  patchOffice(parameters: {
    switch: "hours" | "open" | "closed";
  }): Promise<string> {
    return this.ask("PATCH", "/office", parameters, "text") as Promise<string>;
  }

  /**
   * List queues.
   *
   * Rate limit: 2 per second, 10 at once
   */
  getQueues(): Promise<({
    number: number;
    name: string;
  })[]> {
    return this.ask("GET", "/queues", {}, "json") as Promise<({
    number: number;
    name: string;
  })[]>;
  }

  /**
   * Members of a queue, in order.
   *
   * Rate limit: 2 per second, 10 at once
   */
  getQueueUserList(parameters: {
    /** the queue's number (required) */
    queue_number?: string | undefined;
    /** another name for queue_number; may be the queue's name */
    queue?: string | undefined;
  } = {}): Promise<({
    user: number;
    name: string;
  })[]> {
    return this.ask("GET", "/queue/user_list", parameters, "json") as Promise<({
    user: number;
    name: string;
  })[]>;
  }

  /**
   * Set the members of a queue.
   *
   * `user_list` is the whole new membership in order: one request adds, removes and reorders. With `action`, one member (`user` or `extension`) is added at the end or removed, or the list is replaced. Rate limit: 2 per second, 10 at once
   */
  getQueueManageUsers(parameters: {
    /** the queue's number (required) */
    queue_number?: string | undefined;
    /** another name for queue_number; may be the queue's name */
    queue?: string | undefined;
    /** extensions, separated by commas (required) */
    user_list?: readonly (string)[] | undefined;
    action?: "add" | "remove" | "replace" | undefined;
    /** the member of an action */
    user?: readonly (string)[] | undefined;
    /** another name for user */
    extension?: readonly (string)[] | undefined;
  } = {}): Promise<string> {
    return this.ask("GET", "/queue/manage_users", parameters, "text") as Promise<string>;
  }

  /**
   * Set the members of a queue.
   *
   * `user_list` is the whole new membership in order: one request adds, removes and reorders. With `action`, one member (`user` or `extension`) is added at the end or removed, or the list is replaced. Rate limit: 2 per second, 10 at once
   */
  postQueueManageUsers(parameters: {
    /** the queue's number (required) */
    queue_number?: string | undefined;
    /** another name for queue_number; may be the queue's name */
    queue?: string | undefined;
    /** extensions, separated by commas (required) */
    user_list?: readonly (string)[] | undefined;
    action?: "add" | "remove" | "replace" | undefined;
    /** the member of an action */
    user?: readonly (string)[] | undefined;
    /** another name for user */
    extension?: readonly (string)[] | undefined;
  } = {}): Promise<string> {
    return this.ask("POST", "/queue/manage_users", parameters, "text") as Promise<string>;
  }

  /**
   * Set the members of a queue.
   *
   * `user_list` is the whole new membership in order: one request adds, removes and reorders. With `action`, one member (`user` or `extension`) is added at the end or removed, or the list is replaced. Rate limit: 2 per second, 10 at once
   */
  putQueueManageUsers(parameters: {
    /** the queue's number (required) */
    queue_number?: string | undefined;
    /** another name for queue_number; may be the queue's name */
    queue?: string | undefined;
    /** extensions, separated by commas (required) */
    user_list?: readonly (string)[] | undefined;
    action?: "add" | "remove" | "replace" | undefined;
    /** the member of an action */
    user?: readonly (string)[] | undefined;
    /** another name for user */
    extension?: readonly (string)[] | undefined;
  } = {}): Promise<string> {
    return this.ask("PUT", "/queue/manage_users", parameters, "text") as Promise<string>;
  }

  /**
   * Set the members of a queue.
   *
   * `user_list` is the whole new membership in order: one request adds, removes and reorders. With `action`, one member (`user` or `extension`) is added at the end or removed, or the list is replaced. Rate limit: 2 per second, 10 at once
   */
  patchQueueManageUsers(parameters: {
    /** the queue's number (required) */
    queue_number?: string | undefined;
    /** another name for queue_number; may be the queue's name */
    queue?: string | undefined;
    /** extensions, separated by commas (required) */
    user_list?: readonly (string)[] | undefined;
    action?: "add" | "remove" | "replace" | undefined;
    /** the member of an action */
    user?: readonly (string)[] | undefined;
    /** another name for user */
    extension?: readonly (string)[] | undefined;
  } = {}): Promise<string> {
    return this.ask("PATCH", "/queue/manage_users", parameters, "text") as Promise<string>;
  }

  /**
   * List call records, newest first.
   *
   * Rate limit: 6 per minute
   */
  getCdrs(parameters: {
    /** `YYYY-MM-DD HH:MM:SS UTC` or ISO 8601; without a zone, in the exchange's own */
    start_stamp_from?: string | undefined;
    /** the last moment, itself included */
    start_stamp_to?: string | undefined;
    recording_present?: "true" | "false" | "deleted" | undefined;
    direction?: "inbound" | "outbound" | "internal" | undefined;
    /** in any form */
    caller_id_number?: string | undefined;
    /** in any form */
    destination_number?: string | undefined;
    missed?: boolean | undefined;
    /** name or number of a queue or ring group */
    queue?: string | undefined;
    /** which page, from 1 */
    page?: number | undefined;
    /** how many on a page */
    limit?: number | undefined;
  } = {}): Promise<{
    cdrs: ({
      start_stamp: string;
      direction: string;
      caller_id_number: string;
      caller_id_name: string;
      destination_number: string;
      destination_name: string;
      duration: string;
      talk_duration: string;
      queue_wait_seconds: string;
      queue: string;
      result: string;
      missed: boolean;
      return_uuid: unknown;
      recording_present: string;
      sip_hangup_disposition: string;
      call_uuid: string;
      answer_stamp: string;
      end_stamp: string;
    })[];
    pagination: {
      page: number;
      total_count: number;
      total_pages: number;
      limit: number;
    };
  }> {
    return this.ask("GET", "/cdrs", parameters, "json") as Promise<{
    cdrs: ({
      start_stamp: string;
      direction: string;
      caller_id_number: string;
      caller_id_name: string;
      destination_number: string;
      destination_name: string;
      duration: string;
      talk_duration: string;
      queue_wait_seconds: string;
      queue: string;
      result: string;
      missed: boolean;
      return_uuid: unknown;
      recording_present: string;
      sip_hangup_disposition: string;
      call_uuid: string;
      answer_stamp: string;
      end_stamp: string;
    })[];
    pagination: {
      page: number;
      total_count: number;
      total_pages: number;
      limit: number;
    };
  }>;
  }

  /**
   * One call record and the way the call took.
   *
   * Rate limit: 6 per minute
   */
  getCdrsId(parameters: {
    /** the call's uuid */
    id: string;
  }): Promise<{
    cdr: {
      start_stamp: string;
      direction: string;
      caller_id_number: string;
      destination_number: string;
      duration: string;
      talk_duration: string;
      queue_wait_seconds: string;
      result: string;
      missed: boolean;
      return_uuid: unknown;
      recording_present: string;
      sip_hangup_disposition: string;
      call_uuid: string;
      answer_stamp: string;
      end_stamp: string;
    };
    call_flow: ({
      destination_number: string;
      start_stamp: string;
      answer_stamp: string;
      end_stamp: string;
      duration: string;
      ip_address: string;
      sip_user_agent: string;
      write_codec: string;
      read_codec: string;
      result: string;
    })[];
  }> {
    return this.ask("GET", "/cdrs/{id}", parameters, "json") as Promise<{
    cdr: {
      start_stamp: string;
      direction: string;
      caller_id_number: string;
      destination_number: string;
      duration: string;
      talk_duration: string;
      queue_wait_seconds: string;
      result: string;
      missed: boolean;
      return_uuid: unknown;
      recording_present: string;
      sip_hangup_disposition: string;
      call_uuid: string;
      answer_stamp: string;
      end_stamp: string;
    };
    call_flow: ({
      destination_number: string;
      start_stamp: string;
      answer_stamp: string;
      end_stamp: string;
      duration: string;
      ip_address: string;
      sip_user_agent: string;
      write_codec: string;
      read_codec: string;
      result: string;
    })[];
  }>;
  }

  /**
   * A temporary URL of a call's recording.
   *
   * The URL lives for one hour. The answer is the URL as text; with an Accept header that names only JSON it is `{url, expires_at}`. Rate limit: 5 per minute
   */
  postRecordingUrl(parameters: {
    call_uuid: string;
  }): Promise<string> {
    return this.ask("POST", "/recording_url", parameters, "text") as Promise<string>;
  }

  /**
   * A temporary URL of a call's recording.
   *
   * The URL lives for one hour. The answer is the URL as text; with an Accept header that names only JSON it is `{url, expires_at}`. Rate limit: 5 per minute
   */
  getRecordingUrl(parameters: {
    call_uuid: string;
  }): Promise<string> {
    return this.ask("GET", "/recording_url", parameters, "text") as Promise<string>;
  }

  /**
   * Fetch a recording or a voicemail message.
   *
   * Needs no key: the ticket is the protection. Range requests are answered. Rate limit: 20 per second, 200 at once
   */
  getRecordingTicket(parameters: {
    ticket: string;
  }): Promise<Blob> {
    return this.ask("GET", "/recording/{ticket}", parameters, "file") as Promise<Blob>;
  }

  /**
   * Fetch a recording or a voicemail message.
   *
   * Needs no key: the ticket is the protection. Range requests are answered. Rate limit: 20 per second, 200 at once
   */
  headRecordingTicket(parameters: {
    ticket: string;
  }): Promise<Blob> {
    return this.ask("HEAD", "/recording/{ticket}", parameters, "file") as Promise<Blob>;
  }

  /**
   * List voicemail messages, newest first.
   *
   * Rate limit: 2 per second, 10 at once
   */
  getVoicemailMessages(parameters: {
    /** `YYYY-MM-DD HH:MM:SS UTC` or ISO 8601; without a zone, in the exchange's own */
    start_stamp_from?: string | undefined;
    /** the last moment, itself included */
    start_stamp_to?: string | undefined;
    /** true: heard, false: not heard */
    read?: boolean | undefined;
    /** left for this extension */
    user_number?: string | undefined;
    uuid?: string | undefined;
    /** which page, from 1 */
    page?: number | undefined;
    /** how many on a page */
    limit?: number | undefined;
  } = {}): Promise<{
    messages: ({
      start_stamp: string;
      read_stamp: unknown;
      user_number: string;
      uuid: string;
      caller_id_number: string;
      caller_id_name: string;
      duration: string;
    })[];
    pagination: {
      page: number;
      total_count: number;
      total_pages: number;
      limit: number;
    };
  }> {
    return this.ask("GET", "/voicemail_messages", parameters, "json") as Promise<{
    messages: ({
      start_stamp: string;
      read_stamp: unknown;
      user_number: string;
      uuid: string;
      caller_id_number: string;
      caller_id_name: string;
      duration: string;
    })[];
    pagination: {
      page: number;
      total_count: number;
      total_pages: number;
      limit: number;
    };
  }>;
  }

  /**
   * A temporary URL of a voicemail message.
   *
   * The URL lives for one hour. The answer is the URL as text; with an Accept header that names only JSON it is `{url, expires_at}`. Fetching it marks the message as read. Rate limit: 2 per second, 10 at once
   */
  postVoicemailRecordingUrl(parameters: {
    /** the message's uuid (required) */
    uuid?: string | undefined;
    /** another name for uuid */
    call_uuid?: string | undefined;
  } = {}): Promise<string> {
    return this.ask("POST", "/voicemail_recording_url", parameters, "text") as Promise<string>;
  }

  /**
   * A temporary URL of a voicemail message.
   *
   * The URL lives for one hour. The answer is the URL as text; with an Accept header that names only JSON it is `{url, expires_at}`. Fetching it marks the message as read. Rate limit: 2 per second, 10 at once
   */
  getVoicemailRecordingUrl(parameters: {
    /** the message's uuid (required) */
    uuid?: string | undefined;
    /** another name for uuid */
    call_uuid?: string | undefined;
  } = {}): Promise<string> {
    return this.ask("GET", "/voicemail_recording_url", parameters, "text") as Promise<string>;
  }

  /**
   * List sound files.
   *
   * Rate limit: 2 per second, 10 at once
   */
  getAnnouncements(): Promise<({
    id: number;
    name: string;
  })[]> {
    return this.ask("GET", "/announcements", {}, "json") as Promise<({
    id: number;
    name: string;
  })[]>;
  }

  /**
   * Upload a sound file.
   *
   * Answers the new sound's ID. A multipart form may carry the file itself. Rate limit: 2 per second, 10 at once
   */
  postAnnouncements(parameters: {
    name: string;
    /** the audio: a data URI `data:audio/mp3;name:<url-encoded file name>;base64,<data>` or bare base64, in either alphabet */
    sounddata?: string | Blob | undefined;
    /** another name for `sounddata`, which wins when both are sent */
    content?: string | Blob | undefined;
  }): Promise<string> {
    return this.ask("POST", "/announcements", parameters, "text") as Promise<string>;
  }

  /**
   * Rename or replace a sound file.
   *
   * Without a sound only the name changes. Nothing changes when the sound is refused. Rate limit: 2 per second, 10 at once
   */
  patchAnnouncementsId(parameters: {
    id: string;
    name: string;
    /** the audio: a data URI `data:audio/mp3;name:<url-encoded file name>;base64,<data>` or bare base64, in either alphabet */
    sounddata?: string | Blob | undefined;
    /** another name for `sounddata`, which wins when both are sent */
    content?: string | Blob | undefined;
  }): Promise<string> {
    return this.ask("PATCH", "/announcements/{id}", parameters, "text") as Promise<string>;
  }

  /**
   * Rename or replace a sound file.
   *
   * Without a sound only the name changes. Nothing changes when the sound is refused. Rate limit: 2 per second, 10 at once
   */
  putAnnouncementsId(parameters: {
    id: string;
    name: string;
    /** the audio: a data URI `data:audio/mp3;name:<url-encoded file name>;base64,<data>` or bare base64, in either alphabet */
    sounddata?: string | Blob | undefined;
    /** another name for `sounddata`, which wins when both are sent */
    content?: string | Blob | undefined;
  }): Promise<string> {
    return this.ask("PUT", "/announcements/{id}", parameters, "text") as Promise<string>;
  }

  /**
   * Delete a sound file.
   *
   * Rate limit: 2 per second, 10 at once
   */
  deleteAnnouncementsId(parameters: {
    id: string;
  }): Promise<string> {
    return this.ask("DELETE", "/announcements/{id}", parameters, "text") as Promise<string>;
  }

  /**
   * List blocked numbers.
   *
   * Rate limit: 2 per second, 10 at once
   */
  getBlockedNumbers(parameters: {
    /** which page, from 1 */
    page?: number | undefined;
    /** how many on a page */
    limit?: number | undefined;
  } = {}): Promise<{
    blocked_numbers: ({
      id: number;
      number: string;
    })[];
    pagination: {
      page: number;
      total_count: number;
      total_pages: number;
      limit: number;
    };
  }> {
    return this.ask("GET", "/blocked_numbers", parameters, "json") as Promise<{
    blocked_numbers: ({
      id: number;
      number: string;
    })[];
    pagination: {
      page: number;
      total_count: number;
      total_pages: number;
      limit: number;
    };
  }>;
  }

  /**
   * Block a number.
   *
   * Answers the ID of the record. The number is normalised before it is stored. Rate limit: 2 per second, 10 at once
   */
  postBlockedNumbers(parameters: {
    number: string;
    /** whose calls are refused; inbound unless said */
    direction?: "inbound" | "outbound" | undefined;
  }): Promise<string> {
    return this.ask("POST", "/blocked_numbers", parameters, "text") as Promise<string>;
  }

  /**
   * Unblock a number.
   *
   * Rate limit: 2 per second, 10 at once
   */
  deleteBlockedNumbers(parameters: {
    number: string;
    /** both directions unless said */
    direction?: "inbound" | "outbound" | undefined;
  }): Promise<string> {
    return this.ask("DELETE", "/blocked_numbers", parameters, "text") as Promise<string>;
  }

  /**
   * Unblock a number.
   *
   * Rate limit: 2 per second, 10 at once
   */
  deleteBlockedNumbersDelete(parameters: {
    number: string;
    /** both directions unless said */
    direction?: "inbound" | "outbound" | undefined;
  }): Promise<string> {
    return this.ask("DELETE", "/blocked_numbers/delete", parameters, "text") as Promise<string>;
  }

  /**
   * List contact groups.
   *
   * Rate limit: 2 per second, 10 at once
   */
  getContactGroups(): Promise<({
    id: number;
    name: string;
  })[]> {
    return this.ask("GET", "/contact_groups", {}, "json") as Promise<({
    id: number;
    name: string;
  })[]>;
  }

  /**
   * Create a contact group.
   *
   * Rate limit: 2 per second, 10 at once
   */
  postContactGroups(parameters: {
    name: string;
  }): Promise<string> {
    return this.ask("POST", "/contact_groups", parameters, "text") as Promise<string>;
  }

  /**
   * Rename a contact group.
   *
   * Rate limit: 2 per second, 10 at once
   */
  patchContactGroupsId(parameters: {
    id: string;
    name: string;
  }): Promise<string> {
    return this.ask("PATCH", "/contact_groups/{id}", parameters, "text") as Promise<string>;
  }

  /**
   * Rename a contact group.
   *
   * Rate limit: 2 per second, 10 at once
   */
  putContactGroupsId(parameters: {
    id: string;
    name: string;
  }): Promise<string> {
    return this.ask("PUT", "/contact_groups/{id}", parameters, "text") as Promise<string>;
  }

  /**
   * Delete a contact group.
   *
   * Its contacts stay; the group leaves their `group_ids`. Rate limit: 2 per second, 10 at once
   */
  deleteContactGroupsId(parameters: {
    id: string;
  }): Promise<string> {
    return this.ask("DELETE", "/contact_groups/{id}", parameters, "text") as Promise<string>;
  }

  /**
   * List contacts.
   *
   * Rate limit: 2 per second, 10 at once
   */
  getContacts(parameters: {
    /** which page, from 1 */
    page?: number | undefined;
    /** how many on a page */
    limit?: number | undefined;
  } = {}): Promise<{
    contacts: ({
      id: number;
      name: string;
      surname: string;
      phone: string;
      gender: string;
      group_ids: (number)[];
    })[];
    pagination: {
      page: number;
      total_count: number;
      total_pages: number;
      limit: number;
    };
  }> {
    return this.ask("GET", "/contacts", parameters, "json") as Promise<{
    contacts: ({
      id: number;
      name: string;
      surname: string;
      phone: string;
      gender: string;
      group_ids: (number)[];
    })[];
    pagination: {
      page: number;
      total_count: number;
      total_pages: number;
      limit: number;
    };
  }>;
  }

  /**
   * Create a contact.
   *
   * Answers the new contact's ID. Booleans, integers and `group_ids` may come in any spelling. Rate limit: 2 per second, 10 at once
   */
  postContacts(parameters: {
    name: string;
    surname: string;
    /** mobile 1 */
    phone: string;
    /** form of address */
    salutation?: string | undefined;
    /** national ID number */
    tckn?: string | undefined;
    description?: string | undefined;
    /** mobile 2 */
    phone1?: string | undefined;
    email?: string | undefined;
    title?: string | undefined;
    /** extra phone */
    phone2?: string | undefined;
    fax?: string | undefined;
    /** m (male) or f (female) */
    gender?: "m" | "f" | undefined;
    /** dd.mm.yyyy or yyyy-mm-dd; needed with birthday_sms */
    birthday?: string | undefined;
    /** an automatic message on the birthday */
    birthday_sms?: boolean | undefined;
    /** dd.mm.yyyy or yyyy-mm-dd; needed with weddingday_sms */
    weddingday?: string | undefined;
    weddingday_sms?: boolean | undefined;
    address?: string | undefined;
    note1?: string | undefined;
    note2?: string | undefined;
    note3?: string | undefined;
    note4?: string | undefined;
    company_name?: string | undefined;
    /** day of the monthly automatic SMS */
    monthly_sms_day?: number | undefined;
    /** needed with monthly_sms_day */
    monthly_sms_message?: string | undefined;
    /** groups the contact belongs to */
    group_ids?: readonly (number)[] | undefined;
  }): Promise<string> {
    return this.ask("POST", "/contacts", parameters, "text") as Promise<string>;
  }

  /**
   * Change a contact.
   *
   * What is left out stays as it is. `group_ids` names all groups of the contact; an empty JSON list leaves them. Rate limit: 2 per second, 10 at once
   */
  patchContactsId(parameters: {
    id: string;
    name?: string | undefined;
    surname?: string | undefined;
    /** mobile 1 */
    phone?: string | undefined;
    /** form of address */
    salutation?: string | undefined;
    /** national ID number */
    tckn?: string | undefined;
    description?: string | undefined;
    /** mobile 2 */
    phone1?: string | undefined;
    email?: string | undefined;
    title?: string | undefined;
    /** extra phone */
    phone2?: string | undefined;
    fax?: string | undefined;
    /** m (male) or f (female) */
    gender?: "m" | "f" | undefined;
    /** dd.mm.yyyy or yyyy-mm-dd; needed with birthday_sms */
    birthday?: string | undefined;
    /** an automatic message on the birthday */
    birthday_sms?: boolean | undefined;
    /** dd.mm.yyyy or yyyy-mm-dd; needed with weddingday_sms */
    weddingday?: string | undefined;
    weddingday_sms?: boolean | undefined;
    address?: string | undefined;
    note1?: string | undefined;
    note2?: string | undefined;
    note3?: string | undefined;
    note4?: string | undefined;
    company_name?: string | undefined;
    /** day of the monthly automatic SMS */
    monthly_sms_day?: number | undefined;
    /** needed with monthly_sms_day */
    monthly_sms_message?: string | undefined;
    /** groups the contact belongs to */
    group_ids?: readonly (number)[] | undefined;
  }): Promise<string> {
    return this.ask("PATCH", "/contacts/{id}", parameters, "text") as Promise<string>;
  }

  /**
   * Change a contact.
   *
   * What is left out stays as it is. `group_ids` names all groups of the contact; an empty JSON list leaves them. Rate limit: 2 per second, 10 at once
   */
  putContactsId(parameters: {
    id: string;
    name?: string | undefined;
    surname?: string | undefined;
    /** mobile 1 */
    phone?: string | undefined;
    /** form of address */
    salutation?: string | undefined;
    /** national ID number */
    tckn?: string | undefined;
    description?: string | undefined;
    /** mobile 2 */
    phone1?: string | undefined;
    email?: string | undefined;
    title?: string | undefined;
    /** extra phone */
    phone2?: string | undefined;
    fax?: string | undefined;
    /** m (male) or f (female) */
    gender?: "m" | "f" | undefined;
    /** dd.mm.yyyy or yyyy-mm-dd; needed with birthday_sms */
    birthday?: string | undefined;
    /** an automatic message on the birthday */
    birthday_sms?: boolean | undefined;
    /** dd.mm.yyyy or yyyy-mm-dd; needed with weddingday_sms */
    weddingday?: string | undefined;
    weddingday_sms?: boolean | undefined;
    address?: string | undefined;
    note1?: string | undefined;
    note2?: string | undefined;
    note3?: string | undefined;
    note4?: string | undefined;
    company_name?: string | undefined;
    /** day of the monthly automatic SMS */
    monthly_sms_day?: number | undefined;
    /** needed with monthly_sms_day */
    monthly_sms_message?: string | undefined;
    /** groups the contact belongs to */
    group_ids?: readonly (number)[] | undefined;
  }): Promise<string> {
    return this.ask("PUT", "/contacts/{id}", parameters, "text") as Promise<string>;
  }

  /**
   * Delete a contact.
   *
   * Rate limit: 2 per second, 10 at once
   */
  deleteContactsId(parameters: {
    id: string;
  }): Promise<string> {
    return this.ask("DELETE", "/contacts/{id}", parameters, "text") as Promise<string>;
  }

  /**
   * Create a campaign.
   *
   * Answers the ID of the campaign, which begins at once, within its dates and hours. Targets: `user/1000`, `queue/200`, `group/700`, `ivr/10`, `voicemail/1000`, `external/05321234567`, `announcement/456`, `tts/tr-TR/sentence`, `fax`, `hangup/hangup`, `hangup/busy`, `restart`, `optout`. Where `webhook_url` is given it must answer an empty POST with 200. Rate limit: 2 per second, 50 at once
   */
  postIvrCampaignsJson(parameters: {
    name: string;
    /** queue: answered calls go to a queue; ivr: keys decide */
    call_type: "queue" | "ivr";
    /** up to 100,000 numbers, each with `phone` and optionally `phrase` and `lang` (tr-TR, en-US, ar-XA) */
    phone_list: readonly (Record<string, unknown>)[];
    /** queue campaigns: the queue that answered calls go to */
    queue_number?: string | undefined;
    /** queue campaigns: calls at once as a multiple of the agents; 1 unless said */
    thread_multiplier?: number | undefined;
    /** calls at once; the exchange's channels for campaigns unless said */
    max_thread_count?: number | undefined;
    /** YYYY-MM-DD; today unless said */
    date_range_begin?: string | undefined;
    /** YYYY-MM-DD; date_range_begin unless said */
    date_range_end?: string | undefined;
    /** HH:MM; 00:00 unless said */
    time_range_begin?: string | undefined;
    /** HH:MM; 23:59 unless said. Before the begin: the next day */
    time_range_end?: string | undefined;
    /** 1 is Monday, 7 Sunday; every day unless said */
    active_days?: readonly (number)[] | undefined;
    /** seconds; 30 unless said */
    ring_timeout?: number | undefined;
    /** the number of yours that is shown */
    cli?: string | undefined;
    /** the sound that is played before a key is awaited */
    welcome_announcement_id?: number | undefined;
    /** further attempts on busy, unreachable and no answer; 0 unless said */
    call_retries?: number | undefined;
    /** told of every key; must answer an empty POST */
    webhook_url?: string | undefined;
    /** where key 0 leads */
    digit_target_0?: string | undefined;
    /** where key 1 leads */
    digit_target_1?: string | undefined;
    /** where key 2 leads */
    digit_target_2?: string | undefined;
    /** where key 3 leads */
    digit_target_3?: string | undefined;
    /** where key 4 leads */
    digit_target_4?: string | undefined;
    /** where key 5 leads */
    digit_target_5?: string | undefined;
    /** where key 6 leads */
    digit_target_6?: string | undefined;
    /** where key 7 leads */
    digit_target_7?: string | undefined;
    /** where key 8 leads */
    digit_target_8?: string | undefined;
    /** where key 9 leads */
    digit_target_9?: string | undefined;
    /** where * leads */
    digit_target_star?: string | undefined;
    /** where # leads */
    digit_target_square?: string | undefined;
    /** where no key at all leads, once digit_retries are used up */
    timeout_target?: string | undefined;
    /** where keys without a target lead, once digit_retries are used up */
    invalid_target?: string | undefined;
    /** how often the menu is repeated; 0 unless said */
    digit_retries?: number | undefined;
    /** seconds; 4 unless said */
    digit_timeout?: number | undefined;
    /** whether the calls sell something */
    is_commercial?: boolean | undefined;
    /** commercial campaigns */
    iys_recipient_type?: "BIREYSEL" | "TACIR" | undefined;
    /** commercial campaigns: the brand code of one of your titles */
    iys_brand_code?: string | undefined;
    /** true or t: record from the start of the call */
    recording_enabled?: string | undefined;
    /** hang up on answering machines; off unless said */
    detect_machines?: boolean | undefined;
    /** queue campaigns: answered calls that may find no agent; 3 unless said */
    max_abandoned_percent?: number | undefined;
  }): Promise<string> {
    return this.ask("POST", "/ivr_campaigns.json", parameters, "text") as Promise<string>;
  }

  /**
   * Create a campaign.
   *
   * Answers the ID of the campaign, which begins at once, within its dates and hours. Targets: `user/1000`, `queue/200`, `group/700`, `ivr/10`, `voicemail/1000`, `external/05321234567`, `announcement/456`, `tts/tr-TR/sentence`, `fax`, `hangup/hangup`, `hangup/busy`, `restart`, `optout`. Where `webhook_url` is given it must answer an empty POST with 200. Rate limit: 2 per second, 50 at once
   */
  postIvrCampaigns(parameters: {
    name: string;
    /** queue: answered calls go to a queue; ivr: keys decide */
    call_type: "queue" | "ivr";
    /** up to 100,000 numbers, each with `phone` and optionally `phrase` and `lang` (tr-TR, en-US, ar-XA) */
    phone_list: readonly (Record<string, unknown>)[];
    /** queue campaigns: the queue that answered calls go to */
    queue_number?: string | undefined;
    /** queue campaigns: calls at once as a multiple of the agents; 1 unless said */
    thread_multiplier?: number | undefined;
    /** calls at once; the exchange's channels for campaigns unless said */
    max_thread_count?: number | undefined;
    /** YYYY-MM-DD; today unless said */
    date_range_begin?: string | undefined;
    /** YYYY-MM-DD; date_range_begin unless said */
    date_range_end?: string | undefined;
    /** HH:MM; 00:00 unless said */
    time_range_begin?: string | undefined;
    /** HH:MM; 23:59 unless said. Before the begin: the next day */
    time_range_end?: string | undefined;
    /** 1 is Monday, 7 Sunday; every day unless said */
    active_days?: readonly (number)[] | undefined;
    /** seconds; 30 unless said */
    ring_timeout?: number | undefined;
    /** the number of yours that is shown */
    cli?: string | undefined;
    /** the sound that is played before a key is awaited */
    welcome_announcement_id?: number | undefined;
    /** further attempts on busy, unreachable and no answer; 0 unless said */
    call_retries?: number | undefined;
    /** told of every key; must answer an empty POST */
    webhook_url?: string | undefined;
    /** where key 0 leads */
    digit_target_0?: string | undefined;
    /** where key 1 leads */
    digit_target_1?: string | undefined;
    /** where key 2 leads */
    digit_target_2?: string | undefined;
    /** where key 3 leads */
    digit_target_3?: string | undefined;
    /** where key 4 leads */
    digit_target_4?: string | undefined;
    /** where key 5 leads */
    digit_target_5?: string | undefined;
    /** where key 6 leads */
    digit_target_6?: string | undefined;
    /** where key 7 leads */
    digit_target_7?: string | undefined;
    /** where key 8 leads */
    digit_target_8?: string | undefined;
    /** where key 9 leads */
    digit_target_9?: string | undefined;
    /** where * leads */
    digit_target_star?: string | undefined;
    /** where # leads */
    digit_target_square?: string | undefined;
    /** where no key at all leads, once digit_retries are used up */
    timeout_target?: string | undefined;
    /** where keys without a target lead, once digit_retries are used up */
    invalid_target?: string | undefined;
    /** how often the menu is repeated; 0 unless said */
    digit_retries?: number | undefined;
    /** seconds; 4 unless said */
    digit_timeout?: number | undefined;
    /** whether the calls sell something */
    is_commercial?: boolean | undefined;
    /** commercial campaigns */
    iys_recipient_type?: "BIREYSEL" | "TACIR" | undefined;
    /** commercial campaigns: the brand code of one of your titles */
    iys_brand_code?: string | undefined;
    /** true or t: record from the start of the call */
    recording_enabled?: string | undefined;
    /** hang up on answering machines; off unless said */
    detect_machines?: boolean | undefined;
    /** queue campaigns: answered calls that may find no agent; 3 unless said */
    max_abandoned_percent?: number | undefined;
  }): Promise<string> {
    return this.ask("POST", "/ivr_campaigns", parameters, "text") as Promise<string>;
  }

  /**
   * Start or stop a campaign.
   *
   * Calls that are up go on; from the answer on no new one begins. Rate limit: 2 per second, 50 at once
   */
  patchIvrCampaigns(parameters: {
    /** the campaign's ID */
    id: string;
    /** on or start; off, pause or stop */
    status: string;
  }): Promise<string> {
    return this.ask("PATCH", "/ivr_campaigns", parameters, "text") as Promise<string>;
  }

  /**
   * Delete a campaign.
   *
   * Calls that are up go on; nobody else is called, and its report is gone. Rate limit: 2 per second, 50 at once
   */
  deleteIvrCampaigns(parameters: {
    /** the campaign's ID */
    id: string;
  }): Promise<string> {
    return this.ask("DELETE", "/ivr_campaigns", parameters, "text") as Promise<string>;
  }

  /**
   * List campaigns.
   *
   * The newest first, with how far they are. Rate limit: 2 per second, 50 at once
   */
  getIvrCampaigns(parameters: {
    /** which page, from 1 */
    page?: number | undefined;
    /** how many on a page */
    limit?: number | undefined;
  } = {}): Promise<{
    ivr_campaigns: ({
      id: number;
      name: string;
      call_type: string;
      status: string;
      progress: {
        numbers: number;
        finished: number;
        percent: number;
        attempts: number;
        answered: number;
        success_percent: number;
        abandoned: number;
        abandoned_percent: number;
      };
      created_at: string;
      digit_target_1: string;
    })[];
    pagination: {
      page: number;
      total_count: number;
      total_pages: number;
      limit: number;
    };
  }> {
    return this.ask("GET", "/ivr_campaigns", parameters, "json") as Promise<{
    ivr_campaigns: ({
      id: number;
      name: string;
      call_type: string;
      status: string;
      progress: {
        numbers: number;
        finished: number;
        percent: number;
        attempts: number;
        answered: number;
        success_percent: number;
        abandoned: number;
        abandoned_percent: number;
      };
      created_at: string;
      digit_target_1: string;
    })[];
    pagination: {
      page: number;
      total_count: number;
      total_pages: number;
      limit: number;
    };
  }>;
  }

  /**
   * Start or stop a campaign.
   *
   * Calls that are up go on; from the answer on no new one begins. Rate limit: 2 per second, 50 at once
   */
  patchIvrCampaignsId(parameters: {
    /** the campaign's ID */
    id: string;
    /** on or start; off, pause or stop */
    status: string;
  }): Promise<string> {
    return this.ask("PATCH", "/ivr_campaigns/{id}", parameters, "text") as Promise<string>;
  }

  /**
   * Delete a campaign.
   *
   * Calls that are up go on; nobody else is called, and its report is gone. Rate limit: 2 per second, 50 at once
   */
  deleteIvrCampaignsId(parameters: {
    /** the campaign's ID */
    id: string;
  }): Promise<string> {
    return this.ask("DELETE", "/ivr_campaigns/{id}", parameters, "text") as Promise<string>;
  }

  /**
   * Read a campaign.
   *
   * Rate limit: 2 per second, 50 at once
   */
  getIvrCampaignsId(parameters: {
    /** the campaign's ID */
    id: string;
  }): Promise<{
    id: number;
    name: string;
    call_type: string;
    status: string;
    progress: {
      numbers: number;
      finished: number;
      percent: number;
      attempts: number;
      answered: number;
      success_percent: number;
      abandoned: number;
      abandoned_percent: number;
    };
    created_at: string;
    digit_target_1: string;
  }> {
    return this.ask("GET", "/ivr_campaigns/{id}", parameters, "json") as Promise<{
    id: number;
    name: string;
    call_type: string;
    status: string;
    progress: {
      numbers: number;
      finished: number;
      percent: number;
      attempts: number;
      answered: number;
      success_percent: number;
      abandoned: number;
      abandoned_percent: number;
    };
    created_at: string;
    digit_target_1: string;
  }>;
  }

  /**
   * What became of each number.
   *
   * In the order in which the numbers were given. Rate limit: 2 per second, 50 at once
   */
  getIvrCampaignsIdReport(parameters: {
    /** the campaign's ID */
    id: string;
    /** which page, from 1 */
    page?: number | undefined;
    /** how many on a page */
    limit?: number | undefined;
  }): Promise<{
    ivr_leads: ({
      ivr_lead_id: number;
      phone: string;
      state: string;
      attempts: number;
      digit: string;
      result: string;
      duration: string;
      target: string;
      abandoned: boolean;
      answering_machine: boolean;
      cut_off: boolean;
      call_uuid: string;
      start_stamp: string;
    })[];
    pagination: {
      page: number;
      total_count: number;
      total_pages: number;
      limit: number;
    };
  }> {
    return this.ask("GET", "/ivr_campaigns/{id}/report", parameters, "json") as Promise<{
    ivr_leads: ({
      ivr_lead_id: number;
      phone: string;
      state: string;
      attempts: number;
      digit: string;
      result: string;
      duration: string;
      target: string;
      abandoned: boolean;
      answering_machine: boolean;
      cut_off: boolean;
      call_uuid: string;
      start_stamp: string;
    })[];
    pagination: {
      page: number;
      total_count: number;
      total_pages: number;
      limit: number;
    };
  }>;
  }

  /**
   * What became of each number, as a CSV file.
   *
   * Rate limit: 2 per second, 50 at once
   */
  getIvrCampaignsIdReportCsv(parameters: {
    /** the campaign's ID */
    id: string;
  }): Promise<Blob> {
    return this.ask("GET", "/ivr_campaigns/{id}/report.csv", parameters, "file") as Promise<Blob>;
  }

  /**
   * Read the CRM settings.
   *
   * Rate limit: 2 per second, 10 at once
   */
  getCrmIntegrations(): Promise<{
    ringing: string;
    answered: string;
    hangup: string;
    notification_url: string;
  }> {
    return this.ask("GET", "/crm_integrations", {}, "json") as Promise<{
    ringing: string;
    answered: string;
    hangup: string;
    notification_url: string;
  }>;
  }

  /**
   * Change the CRM settings.
   *
   * What is left out stays as it is. Where the exchange asks for it, a new URL must answer a trial POST. Rate limit: 2 per second, 10 at once
   */
  postCrmIntegrations(parameters: {
    /** report ringing: on or off */
    ringing?: boolean | undefined;
    /** report answers: on or off */
    answered?: boolean | undefined;
    /** report the ends of calls: on or off */
    hangup?: boolean | undefined;
    notification_url?: string | undefined;
  } = {}): Promise<string> {
    return this.ask("POST", "/crm_integrations", parameters, "text") as Promise<string>;
  }

  /**
   * Change the CRM settings.
   *
   * What is left out stays as it is. Where the exchange asks for it, a new URL must answer a trial POST. Rate limit: 2 per second, 10 at once
   */
  putCrmIntegrations(parameters: {
    /** report ringing: on or off */
    ringing?: boolean | undefined;
    /** report answers: on or off */
    answered?: boolean | undefined;
    /** report the ends of calls: on or off */
    hangup?: boolean | undefined;
    notification_url?: string | undefined;
  } = {}): Promise<string> {
    return this.ask("PUT", "/crm_integrations", parameters, "text") as Promise<string>;
  }

  /**
   * Change the CRM settings.
   *
   * What is left out stays as it is. Where the exchange asks for it, a new URL must answer a trial POST. Rate limit: 2 per second, 10 at once
   */
  patchCrmIntegrations(parameters: {
    /** report ringing: on or off */
    ringing?: boolean | undefined;
    /** report answers: on or off */
    answered?: boolean | undefined;
    /** report the ends of calls: on or off */
    hangup?: boolean | undefined;
    notification_url?: string | undefined;
  } = {}): Promise<string> {
    return this.ask("PATCH", "/crm_integrations", parameters, "text") as Promise<string>;
  }

  /**
   * A token that opens an extension's web phone.
   *
   * Valid for one day; every opening needs its own. The extension needs a staff account linked to it. Rate limit: 2 per second, 10 at once
   */
  postWebphoneTokens(parameters: {
    extension: string;
  }): Promise<string> {
    return this.ask("POST", "/webphone_tokens", parameters, "text") as Promise<string>;
  }

  /**
   * Send a fax.
   *
   * The document is a PDF, a PNG or JPEG picture, a TIFF with all its pages, or plain text; at most 20 MB and 100 pages. It comes as `filedata` with `remote_station_id`, or as `document_url` with `destination`: then it is fetched at once, without following redirects. Answers the order's ID when the pages are drawn. A number that is busy or does not answer is tried again; pages that have arrived are not sent twice. Rate limit: 2 per second, 10 at once
   */
  postFaxOrders(parameters: {
    /** the recipient's number */
    remote_station_id?: string | undefined;
    /** the number of ours that sends; by default the exchange's */
    local_station_id?: string | undefined;
    /** printed on top of each page */
    local_station_header?: string | undefined;
    /** `data:<media type>;base64,<data>` or bare base64, in either alphabet */
    filedata?: string | Blob | undefined;
    /** another name for `remote_station_id` */
    destination?: string | undefined;
    /** where the document is */
    document_url?: string | undefined;
    /** `fine` by default; `standard` takes half the time */
    resolution?: "fine" | "standard" | undefined;
  } = {}): Promise<string> {
    return this.ask("POST", "/fax_orders", parameters, "text") as Promise<string>;
  }

  /**
   * List faxes that are still to be sent, newest first.
   *
   * A fax that was sent or given up leaves this list; its calls are among the fax records. Rate limit: 2 per second, 10 at once
   */
  getFaxOrders(parameters: {
    /** which page, from 1 */
    page?: number | undefined;
    /** how many on a page */
    limit?: number | undefined;
  } = {}): Promise<{
    fax_orders: ({
      id: number;
      created_at: string;
      local_station_id: string;
      remote_station_id: string;
      status: string;
    })[];
    pagination: {
      page: number;
      total_count: number;
      total_pages: number;
      limit: number;
    };
  }> {
    return this.ask("GET", "/fax_orders", parameters, "json") as Promise<{
    fax_orders: ({
      id: number;
      created_at: string;
      local_station_id: string;
      remote_station_id: string;
      status: string;
    })[];
    pagination: {
      page: number;
      total_count: number;
      total_pages: number;
      limit: number;
    };
  }>;
  }

  /**
   * List fax records, newest first.
   *
   * One record a call. `pages_count` is how many pages arrived and how many were to be sent in this call. Rate limit: 2 per second, 10 at once
   */
  getFdrs(parameters: {
    /** `YYYY-MM-DD HH:MM:SS UTC` or ISO 8601; without a zone, in the exchange's own */
    start_stamp_from?: string | undefined;
    /** the last moment, itself included */
    start_stamp_to?: string | undefined;
    direction?: "inbound" | "outbound" | "internal" | undefined;
    /** the sender, in any form */
    caller_id_number?: string | undefined;
    /** the recipient, in any form */
    original_destination?: string | undefined;
    success?: boolean | undefined;
    /** which page, from 1 */
    page?: number | undefined;
    /** how many on a page */
    limit?: number | undefined;
  } = {}): Promise<{
    fdrs: ({
      call_uuid: string;
      direction: string;
      caller_id_number: string;
      local_station_header: string;
      original_destination: string;
      pages_count: string;
      transfer_rate: number;
      start_stamp: string;
      answer_stamp: string;
      end_stamp: string;
      duration: number;
      success: boolean;
      result: string;
    })[];
    pagination: {
      page: number;
      total_count: number;
      total_pages: number;
      limit: number;
    };
  }> {
    return this.ask("GET", "/fdrs", parameters, "json") as Promise<{
    fdrs: ({
      call_uuid: string;
      direction: string;
      caller_id_number: string;
      local_station_header: string;
      original_destination: string;
      pages_count: string;
      transfer_rate: number;
      start_stamp: string;
      answer_stamp: string;
      end_stamp: string;
      duration: number;
      success: boolean;
      result: string;
    })[];
    pagination: {
      page: number;
      total_count: number;
      total_pages: number;
      limit: number;
    };
  }>;
  }

  /**
   * A temporary URL of a fax's pages.
   *
   * Of a fax that was transferred well, in either direction. The URL lives for one hour. The answer is the URL as text, whatever the Accept header says. Rate limit: 2 per second, 10 at once
   */
  postFaxDocumentUrl(parameters: {
    /** the call's uuid (required) */
    call_uuid?: string | undefined;
    /** another name for call_uuid */
    id?: string | undefined;
  } = {}): Promise<string> {
    return this.ask("POST", "/fax_document_url", parameters, "text") as Promise<string>;
  }

  /**
   * A temporary URL of a fax's pages.
   *
   * Of a fax that was transferred well, in either direction. The URL lives for one hour. The answer is the URL as text, whatever the Accept header says. Rate limit: 2 per second, 10 at once
   */
  getFaxDocumentUrl(parameters: {
    /** the call's uuid (required) */
    call_uuid?: string | undefined;
    /** another name for call_uuid */
    id?: string | undefined;
  } = {}): Promise<string> {
    return this.ask("GET", "/fax_document_url", parameters, "text") as Promise<string>;
  }

  /**
   * Fetch a fax's pages.
   *
   * Needs no key: the ticket is the protection, for one hour. PDF; `format=tiff` gives the pages as they were sent, `format=png` a picture of one page. Range requests are answered. Rate limit: 20 per second, 200 at once
   */
  getFaxDocumentTicket(parameters: {
    ticket: string;
    format?: "pdf" | "tiff" | "png" | undefined;
    /** with `format=png` */
    page?: number | undefined;
  }): Promise<Blob> {
    return this.ask("GET", "/fax_document/{ticket}", parameters, "file") as Promise<Blob>;
  }

  /**
   * Fetch a fax's pages.
   *
   * Needs no key: the ticket is the protection, for one hour. PDF; `format=tiff` gives the pages as they were sent, `format=png` a picture of one page. Range requests are answered. Rate limit: 20 per second, 200 at once
   */
  headFaxDocumentTicket(parameters: {
    ticket: string;
    format?: "pdf" | "tiff" | "png" | undefined;
    /** with `format=png` */
    page?: number | undefined;
  }): Promise<Blob> {
    return this.ask("HEAD", "/fax_document/{ticket}", parameters, "file") as Promise<Blob>;
  }

  /**
   * Send messages (documented as /v2/send.json).
   *
   * Rate limit: 240 per minute, 80 at once
   */
  postV2SendJson(parameters: {
    /** SMS user name */
    username: string;
    /** its API password */
    password: string;
    messages: readonly (Record<string, unknown>)[];
    /** sender title; empty means the first one registered */
    source_addr?: string | undefined;
    /** H:MM, from 00:01 to 48:00 */
    valid_for?: string | undefined;
    /** YYYY-MM-DD HH:MM:SS or ISO 8601; empty means now */
    send_at?: string | undefined;
    /** the sender's own id of the campaign */
    custom_id?: string | undefined;
    /** 0 GSM, 1 Turkish, 2 Unicode */
    datacoding?: number | undefined;
    is_commercial?: boolean | undefined;
    iys_recipient_type?: "BIREYSEL" | "TACIR" | undefined;
    /** append the title's opt-out line */
    add_ret?: boolean | undefined;
  }): Promise<string> {
    return this.ask("POST", "/v2/send.json", parameters, "text") as Promise<string>;
  }

  /**
   * Send one text.
   *
   * Rate limit: 240 per minute, 80 at once
   */
  getV2Send(parameters: {
    /** SMS user name */
    username: string;
    /** its API password */
    password: string;
    dest: string;
    msg: string;
    /** sender title; empty means the first one registered */
    source_addr?: string | undefined;
    /** H:MM, from 00:01 to 48:00 */
    valid_for?: string | undefined;
    /** YYYY-MM-DD HH:MM:SS or ISO 8601; empty means now */
    send_at?: string | undefined;
    /** the sender's own id of the campaign */
    custom_id?: string | undefined;
    /** 0 GSM, 1 Turkish, 2 Unicode */
    datacoding?: number | undefined;
    is_commercial?: boolean | undefined;
    iys_recipient_type?: "BIREYSEL" | "TACIR" | undefined;
  }): Promise<string> {
    return this.ask("GET", "/v2/send", parameters, "text") as Promise<string>;
  }

  /**
   * Cancel a scheduled campaign.
   *
   * Rate limit: 20 per minute, 10 at once
   */
  postV2CancelId(parameters: {
    id: string;
    /** SMS user name */
    username: string;
    /** its API password */
    password: string;
  }): Promise<string> {
    return this.ask("POST", "/v2/cancel/{id}", parameters, "text") as Promise<string>;
  }

  /**
   * What became of a campaign's messages, 100 at a time.
   *
   * Rate limit: 20 per minute, 10 at once
   */
  getV2Status(parameters: {
    /** SMS user name */
    username: string;
    /** its API password */
    password: string;
    id?: number | undefined;
    custom_id?: string | undefined;
    /** only these numbers, comma-separated */
    dest?: string | undefined;
    /** only messages with a greater id */
    greater_than?: number | undefined;
  }): Promise<({
    campaign_id: number;
    campaign_custom_id: unknown;
    message_id: string;
    message_custom_id: unknown;
    dest: string;
    size: number;
    international_multiplier: number;
    credits: number;
    status: string;
    gsm_error: string;
    sent_at: string;
    done_at: string;
  })[]> {
    return this.ask("GET", "/v2/status", parameters, "json") as Promise<({
    campaign_id: number;
    campaign_custom_id: unknown;
    message_id: string;
    message_custom_id: unknown;
    dest: string;
    size: number;
    international_multiplier: number;
    credits: number;
    status: string;
    gsm_error: string;
    sent_at: string;
    done_at: string;
  })[]>;
  }

  /**
   * Messages that came in, 100 at a time.
   *
   * Rate limit: 20 per minute, 10 at once
   */
  getV2InboundMessages(parameters: {
    /** SMS user name */
    username: string;
    /** its API password */
    password: string;
    /** YYYY-MM-DD HH:MM:SS */
    from_time?: string | undefined;
    /** YYYY-MM-DD HH:MM:SS */
    to_time?: string | undefined;
    greater_than?: number | undefined;
  }): Promise<({
    message_id: number;
    created_at: string;
    network: string;
    source_addr: string;
    destination_addr: string;
    keyword: string;
    content: string;
    received_at: string;
  })[]> {
    return this.ask("GET", "/v2/inbound_messages", parameters, "json") as Promise<({
    message_id: number;
    created_at: string;
    network: string;
    source_addr: string;
    destination_addr: string;
    keyword: string;
    content: string;
    received_at: string;
  })[]>;
  }

  /**
   * The account's sender titles.
   *
   * Rate limit: 20 per minute, 10 at once
   */
  getV2Headers(parameters: {
    /** SMS user name */
    username: string;
    /** its API password */
    password: string;
  }): Promise<(string)[]> {
    return this.ask("GET", "/v2/headers", parameters, "json") as Promise<(string)[]>;
  }

  /**
   * Credits left, without those set aside for messages on their way.
   *
   * Rate limit: 20 per minute, 10 at once
   */
  getV2Balance(parameters: {
    /** SMS user name */
    username: string;
    /** its API password */
    password: string;
  }): Promise<string> {
    return this.ask("GET", "/v2/balance", parameters, "text") as Promise<string>;
  }

  /**
   * Numbers that get no messages.
   *
   * Rate limit: 20 per minute, 10 at once
   */
  getV2Blacklists(parameters: {
    /** SMS user name */
    username: string;
    /** its API password */
    password: string;
    offset?: number | undefined;
    limit?: number | undefined;
  }): Promise<{
    total: number;
    records: ({
      created_at: string;
      phone: string;
      source: string;
    })[];
  }> {
    return this.ask("GET", "/v2/blacklists", parameters, "json") as Promise<{
    total: number;
    records: ({
      created_at: string;
      phone: string;
      source: string;
    })[];
  }>;
  }

  /**
   * Add numbers to the blacklist.
   *
   * Rate limit: 20 per minute, 10 at once
   */
  postV2Blacklists(parameters: {
    /** SMS user name */
    username: string;
    /** its API password */
    password: string;
    /** comma-separated */
    phones?: string | undefined;
    phone?: string | undefined;
  }): Promise<string> {
    return this.ask("POST", "/v2/blacklists", parameters, "text") as Promise<string>;
  }

  /**
   * Take numbers off the blacklist (comma-separated, in the path).
   *
   * Rate limit: 20 per minute, 10 at once
   */
  deleteV2BlacklistsPhones(parameters: {
    /** SMS user name */
    username: string;
    /** its API password */
    password: string;
  }): Promise<string> {
    return this.ask("DELETE", "/v2/blacklists/{phones}", parameters, "text") as Promise<string>;
  }

  /**
   * Hand in consents (documented as /v2/iys_consents.json).
   *
   * Rate limit: 240 per minute, 80 at once
   */
  postV2IysConsentsJson(parameters: {
    /** SMS user name */
    username: string;
    /** its API password */
    password: string;
    source_addr?: string | undefined;
    /** instead of source_addr */
    iys_brand_code?: string | undefined;
    consents: readonly (Record<string, unknown>)[];
  }): Promise<string> {
    return this.ask("POST", "/v2/iys_consents.json", parameters, "text") as Promise<string>;
  }

  /**
   * Consent uploads and daily reports, newest first.
   *
   * Rate limit: 20 per minute, 10 at once
   */
  getV2IysCampaigns(parameters: {
    /** SMS user name */
    username: string;
    /** its API password */
    password: string;
    offset?: number | undefined;
    limit?: number | undefined;
    source?: "list" | "csv" | "api" | "sms" | "web" | "iys" | undefined;
  }): Promise<{
    records: ({
      id: number;
      header_name: string;
      iys_code: number;
      iys_brand_code: number;
      source: string;
      created_at: string;
    })[];
    total: number;
  }> {
    return this.ask("GET", "/v2/iys/campaigns", parameters, "json") as Promise<{
    records: ({
      id: number;
      header_name: string;
      iys_code: number;
      iys_brand_code: number;
      source: string;
      created_at: string;
    })[];
    total: number;
  }>;
  }

  /**
   * The consents of one upload, and what the registry said of each.
   *
   * Rate limit: 20 per minute, 10 at once
   */
  getV2IysCampaignsIdConsents(parameters: {
    id: string;
    /** SMS user name */
    username: string;
    /** its API password */
    password: string;
    offset?: number | undefined;
    limit?: number | undefined;
  }): Promise<{
    total: number;
    source_addr: string;
    status: string;
    records: ({
      type: string;
      source: string;
      recipient: string;
      status: string;
      consent_date: string;
      recipient_type: string;
      request_status: string;
    })[];
  }> {
    return this.ask("GET", "/v2/iys/campaigns/{id}/consents", parameters, "json") as Promise<{
    total: number;
    source_addr: string;
    status: string;
    records: ({
      type: string;
      source: string;
      recipient: string;
      status: string;
      consent_date: string;
      recipient_type: string;
      request_status: string;
    })[];
  }>;
  }

  /**
   * Send a one-time code to one number.
   *
   * Rate limit: 240 per minute, 80 at once
   */
  postV2Otp(parameters: {
    /** SMS user name */
    username: string;
    /** its API password */
    password: string;
    /** sender title */
    header?: string | undefined;
    dest: string;
    code?: string | undefined;
    /** may hold {code} */
    msg?: string | undefined;
    lang?: "tr" | "en" | undefined;
    custom_id?: string | undefined;
    /** 0 GSM, 1 Turkish, 2 Unicode */
    datacoding?: number | undefined;
  }): Promise<string> {
    return this.ask("POST", "/v2/otp", parameters, "text") as Promise<string>;
  }
}
