import type { Sweep } from './sweep-schema.js';

/** Writes the document of a sweep as JSON text, one line per trial, with a line feed at the end. Same sweep, same bytes. */
export function writeSweep({ trials, ...head }: Sweep): string {
  const members = Object.entries(head).map(
    ([key, value]) => `  ${JSON.stringify(key)}: ${inBlock(value)}`,
  );
  const lines = trials.map((trial) => `    ${JSON.stringify(trial)}`);
  const list = lines.length === 0 ? '[]' : `[\n${lines.join(',\n')}\n  ]`;
  return `{\n${[...members, `  "trials": ${list}`].join(',\n')}\n}\n`;
}

function inBlock(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll('\n', '\n  ');
}
