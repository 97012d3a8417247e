// Whether a key that was pressed goes into a field.

/** Whoever writes something means the letters. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target instanceof HTMLTextAreaElement) return true;
  return target instanceof HTMLInputElement && !/^(button|checkbox|radio|range|reset|submit)$/.test(target.type);
}
