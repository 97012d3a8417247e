// Clients write paths loosely (`//contacts/`, `/ivr_campaigns/112.json`, a whole URL): routes see one spelling.

export function tidyUrl(url: string): string {
  const mark = url.indexOf("?");
  const path = mark < 0 ? url : url.slice(0, mark);
  if (!/\/\/|.\/$|\.json$|^(?!\/)/.test(path)) return url;
  const tidy = path
    .replace(/^[a-z]+:\/\/[^/]*/i, "")
    .replace(/\/{2,}/g, "/")
    .replace(/\/$/, "")
    .replace(/\.json$/, "");
  return (tidy.startsWith("/") ? tidy : `/${tidy}`) + (mark < 0 ? "" : url.slice(mark));
}
