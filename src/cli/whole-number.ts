import { InvalidArgumentError } from 'commander';

/** Makes a parser for an option that takes a whole number within bounds. */
export function wholeNumber(minimum: number, maximum: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= minimum && value <= maximum) return value;
    throw new InvalidArgumentError(
      `expected a whole number from ${String(minimum)} to ${String(maximum)}`,
    );
  };
}
