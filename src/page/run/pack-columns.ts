import type { PackedColumn, PageColumn, PageColumns } from '../page-data.js';

type Value = number | string | null;

/**
 * Form of a packed column: words separated by spaces; `*n` after a word repeats it n times; a dash is null. A column with a text of such a form is not
 * packed.
 */
const NOTHING = '-';
const IS_WORD = /^[^\s*]+$/;

/** Packs each column of a table into one text. A page of 50,000 trades shrinks to a third. `unpackColumns` restores equal values. */
export function packColumns<Table extends Readonly<Record<keyof Table, readonly Value[]>>>(
  columns: Table,
): PageColumns<Table> {
  const packed = Object.entries<readonly Value[]>(columns).map(([name, values]) => [
    name,
    packColumn(values),
  ]);
  return Object.fromEntries(packed) as PageColumns<Table>;
}

function packColumn(values: readonly Value[]): PageColumn {
  const known = values.filter((value) => value !== null);
  if (known.every((value) => typeof value === 'string'))
    return known.every((text) => IS_WORD.test(text) && text !== NOTHING)
      ? { as: 'texts', unit: 1, text: join(values.map(wordOf)) }
      : values;
  const numbers: PackedColumn = { as: 'numbers', unit: 1, text: join(values.map(wordOf)) };
  const steps = packSteps(values as readonly (number | null)[]);
  return steps !== undefined && steps.text.length < numbers.text.length ? steps : numbers;
}

function wordOf(value: Value): string {
  return value === null ? NOTHING : String(value);
}

/** Packs numbers as differences, which are small for times and counters. Undefined if a number or a difference is not a safe integer. */
function packSteps(values: readonly (number | null)[]): PackedColumn | undefined {
  let before = 0;
  const steps = values.map((value) => {
    if (value === null) return null;
    const step = value - before;
    before = value;
    return step;
  });
  const isWhole = [...values, ...steps].every((one) => one === null || Number.isSafeInteger(one));
  if (!isWhole) return undefined;
  const unit = steps.reduce<number>((found, step) => commonDivisor(found, step ?? 0), 0) || 1;
  const words = steps.map((step) => wordOf(step === null ? null : step / unit));
  return { as: 'steps', unit, text: join(words) };
}

function commonDivisor(a: number, b: number): number {
  let [divisor, rest] = [Math.abs(a), Math.abs(b)];
  while (rest > 0) [divisor, rest] = [rest, divisor % rest];
  return divisor;
}

function join(words: readonly string[]): string {
  const joined: string[] = [];
  for (let first = 0; first < words.length;) {
    const word = words[first] ?? '';
    let end = first + 1;
    while (words[end] === word) end += 1;
    joined.push(end - first === 1 ? word : `${word}*${String(end - first)}`);
    first = end;
  }
  return joined.join(' ');
}
