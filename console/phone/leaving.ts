// A warning before a page is left with a call up. Only then: a page that listens for it is kept by no browser.

const warn = (event: BeforeUnloadEvent) => event.preventDefault();

export function warnBeforeLeaving(on: boolean): void {
  if (on) window.addEventListener("beforeunload", warn);
  else window.removeEventListener("beforeunload", warn);
}
