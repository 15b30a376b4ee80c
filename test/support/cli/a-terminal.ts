import type { TextOutput } from '../../../src/cli/cli-context.js';

/** A terminal that understands the few control codes of a view. It shows the text that a person would see. */
export function aTerminal(rows: number): TextOutput & { readonly screen: () => readonly string[] } {
  const lines: string[] = [''];
  let row = 0;
  const put = (text: string): void => {
    lines[row] = `${lines[row] ?? ''}${text}`;
  };
  return {
    isTerminal: true,
    columns: 120,
    rows,
    write: (text) => {
      for (const part of text.split(/(\u001b\[[0-9?]*[A-Za-z]|\n|\r)/)) {
        const up = /^\u001b\[(\d+)A$/.exec(part);
        if (up !== null) row -= Number(up[1]);
        else if (part === '\u001b[J') lines.splice(row, lines.length, '');
        else if (part === '\n') {
          row += 1;
          lines[row] ??= '';
        } else if (!part.startsWith('\u001b') && part !== '\r') put(part);
      }
    },
    screen: () => lines.slice(0, -1).filter((line) => line !== ''),
  };
}
