import { INTERVALS, suggestInterval, suggestWord } from '../../domain/index.js';

/** Suggests the word from the list in `expected` that the user probably meant. */
export function suggestValue(written: unknown, expected: string): string | undefined {
  const listed = /^one of (.+)$/.exec(expected)?.[1]?.split(', ');
  if (typeof written !== 'string' || listed === undefined) return undefined;
  const isInterval = listed.join() === INTERVALS.join();
  return ask(isInterval ? suggestInterval(written, INTERVALS) : suggestWord(written, listed));
}

/** Suggests the one of some names that the user probably meant. */
export function suggestName(written: string, known: readonly string[]): string | undefined {
  return ask(suggestWord(written, known));
}

/** Suggests the asset of the instruments that differs from the written one only in upper and lower case. */
export function suggestAsset(
  written: string,
  instruments: readonly { readonly base: string; readonly quote: string }[],
): string | undefined {
  const assets = instruments.flatMap(({ base, quote }) => [base, quote]);
  if (assets.includes(written)) return undefined;
  return ask(assets.find((asset) => asset.toLowerCase() === written.toLowerCase()));
}

function ask(meant: string | undefined): string | undefined {
  return meant === undefined ? undefined : `did you mean "${meant}"?`;
}
