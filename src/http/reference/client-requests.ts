// How the client asks: one request an operation, and a refusal as an error. The client is this and a function each.

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
