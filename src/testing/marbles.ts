import type { OrderIntent } from '../domain/index.js';

type Kind = OrderIntent['kind'];

/** One letter for each kind of intent. */
export type MarbleLetters = Readonly<Partial<Record<Kind, string>>>;

const LETTERS: Readonly<Record<Kind, string>> = {
  enter: 'e',
  exit: 'x',
  protect: 'p',
  cancel: 'c',
  replace: 'r',
  flatten: 'f',
  target: 't',
};

/** @param ends - for each frame: the number of kinds up to its end. */
export function drawMarbles(
  kinds: readonly Kind[],
  ends: readonly number[],
  letters: MarbleLetters = {},
): string {
  const drawn = kinds.map((kind) => letters[kind] ?? LETTERS[kind]);
  return ends
    .map((end, index) => drawn.slice(ends[index - 1] ?? 0, end).join(''))
    .map((frame) => (frame.length > 1 ? `(${frame})` : frame || '-'))
    .join('');
}
