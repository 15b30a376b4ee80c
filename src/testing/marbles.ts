import { A_TEXT, checkOptions, type OptionChecks } from '../config/index.js';
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

const LETTER_CHECKS: OptionChecks<Readonly<Record<Kind, string>>> = {
  ...{ enter: A_TEXT, exit: A_TEXT, protect: A_TEXT, cancel: A_TEXT },
  ...{ replace: A_TEXT, flatten: A_TEXT, target: A_TEXT },
};

/**
 * @param ends - for each frame: the number of kinds up to its end.
 * @throws {UsageError} `E_USAGE` for letters of an unknown kind.
 */
export function drawMarbles(
  kinds: readonly Kind[],
  ends: readonly number[],
  letters: MarbleLetters = {},
): string {
  checkOptions(letters, LETTER_CHECKS, 'letters');
  const drawn = kinds.map((kind) => letters[kind] ?? LETTERS[kind]);
  return ends
    .map((end, index) => drawn.slice(ends[index - 1] ?? 0, end).join(''))
    .map((frame) => (frame.length > 1 ? `(${frame})` : frame || '-'))
    .join('');
}
