/**
 * Writes foreign text on one line: control characters are written as in JSON, `\u001b` for an escape. So the text cannot move the cursor, change the
 * title of the window, or begin a line that looks like one of ours.
 */
export function visibleText(text: string): string {
  // Characters that control a terminal, or the order in which text is shown, and are not shown themselves.
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, escapeOf);
}

/** A character as JSON may write it. */
function escapeOf(character: string): string {
  return Array.from({ length: character.length }, (_, index) => {
    const code = character.charCodeAt(index).toString(16);
    return `\\u${code.padStart(4, '0')}`;
  }).join('');
}
