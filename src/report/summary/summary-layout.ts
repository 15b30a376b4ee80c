import type { createColors } from 'picocolors';

import { assertNever } from '../../domain/index.js';

/** Adds ANSI colors to text, or returns it unchanged. */
type Paint = ReturnType<typeof createColors>;

type Tone = 'plain' | 'good' | 'warn' | 'bad';

export interface Cell {
  readonly label: string;
  readonly value: string;
  /** @defaultValue 'plain' */
  readonly tone?: Tone;
}

/** A labeled block of sentences. */
export interface Note {
  readonly label: string;
  readonly lines: readonly string[];
  /** @defaultValue 'plain' */
  readonly tone?: Tone;
}

const INDENT = '  ';
const GAP = '    ';
const WIDEST_CELL = 38;
const NARROWEST_CELL = 30;
const NOTE_LABEL = 10;

/** Lays out cells in columns: down the first, then down the second if the width has room for two of the longest. */
export function layGrid(cells: readonly Cell[], width: number, paint: Paint): readonly string[] {
  const half = Math.floor((width - INDENT.length - GAP.length) / 2);
  const longest = cells.reduce((most, cell) => Math.max(most, leastWidth(cell)), 0);
  const columns = half >= Math.max(NARROWEST_CELL, longest) ? 2 : 1;
  const usual = Math.min(WIDEST_CELL, columns === 2 ? half : width - INDENT.length);
  const cellWidth = Math.max(usual, longest);
  const rows = Math.ceil(cells.length / columns);
  return cells.slice(0, rows).map((cell, row) => {
    const pair = [cell, cells[row + rows]].filter((each) => each !== undefined);
    return INDENT + pair.map((each) => layCell(each, cellWidth, paint)).join(GAP);
  });
}

function leastWidth({ label, value }: Cell): number {
  return label.length + 1 + value.length;
}

function layCell({ label, value, tone = 'plain' }: Cell, width: number, paint: Paint): string {
  const gap = ' '.repeat(width - label.length - value.length);
  return `${paint.dim(label)}${gap}${inTone(value, tone, paint)}`;
}

/** Lays out a note: its label, with its wrapped lines beside it. */
export function layNote(
  { label, lines, tone = 'plain' }: Note,
  width: number,
  paint: Paint,
): readonly string[] {
  const room = width - INDENT.length - NOTE_LABEL;
  return lines
    .flatMap((line) => wrap(line, room))
    .map((line, index) => {
      const head = index === 0 ? paint.dim(label.padEnd(NOTE_LABEL)) : ' '.repeat(NOTE_LABEL);
      return `${INDENT}${head}${inTone(line, tone, paint)}`;
    });
}

function inTone(text: string, tone: Tone, paint: Paint): string {
  switch (tone) {
    case 'plain':
      return text;
    case 'good':
      return paint.green(text);
    case 'warn':
      return paint.yellow(text);
    case 'bad':
      return paint.red(text);
    default:
      return assertNever(tone);
  }
}

/** Breaks a text between words into lines of at most `width` columns. A longer word gets a line of its own. */
export function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}
