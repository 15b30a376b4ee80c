/**
 * Text of others on one line: what a terminal would obey is written out as in JSON, `\u001b` for an escape. So it can move no cursor, name no
 * window, and begin no line that looks like one of ours.
 */
export function visibleText(text: string): string {
  // What a terminal obeys, or what changes the order in which text is shown, instead of showing itself.
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, escapeOf);
}

/** A character as JSON may write it. */
export function escapeOf(character: string): string {
  return Array.from({ length: character.length }, (_, index) => {
    const code = character.charCodeAt(index).toString(16);
    return `\\u${code.padStart(4, '0')}`;
  }).join('');
}
