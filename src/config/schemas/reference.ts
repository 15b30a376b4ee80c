import path from 'node:path';
import type { z } from 'zod';
import type { AccountBalances, Asset, InstrumentId, ProductKind } from '../../domain/index.js';
import type { KeyPath } from '../yaml/key-path.js';
import { pathText, type IssueDetails } from './scalars.js';
import { suggestName } from '../problems/suggest-value.js';

/** The parts of a file that other values of it refer to. */
export interface FileContext {
  /** Absolute folder of the file. */
  readonly directory: string;
  readonly name: string;
  readonly instruments: readonly {
    readonly instrumentId: InstrumentId;
    readonly kind: ProductKind;
    readonly symbol: string;
    readonly base: Asset;
    readonly quote: Asset;
  }[];
  readonly startingBalances: Reference<AccountBalances> | undefined;
  /** Notes a problem with the value at `place`. */
  readonly problem: (place: KeyPath, expected: string, details: IssueDetails) => void;
}

/** A value that needs other parts of its file: a path relative to the file, or names of its instruments. */
export class Reference<T> {
  readonly resolve: (file: FileContext) => T;

  constructor(resolve: (file: FileContext) => T) {
    this.resolve = resolve;
  }
}

/** The type of a schema's output with its references resolved; all of it is readonly. */
export type Resolved<T> =
  T extends Reference<infer Value>
    ? Value
    : T extends string | number | bigint | boolean | undefined | ReadonlyMap<unknown, unknown>
      ? T
      : { readonly [Key in keyof T]: Resolved<T[Key]> };

/** Resolves every reference in a parsed file. */
export function resolveReferences<T>(value: T, file: FileContext): Resolved<T>;
export function resolveReferences(value: unknown, file: FileContext): unknown {
  return resolveWithin(value, file);
}

function resolveWithin(value: unknown, file: FileContext): unknown {
  if (value instanceof Reference) return value.resolve(file);
  if (Array.isArray(value)) {
    return value.map((item) => resolveWithin(item, file));
  }
  if (typeof value !== 'object' || value === null || value instanceof Map) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, resolveWithin(member, file)]),
  );
}

/** A path, relative to the file. */
export function filePath(expected: string): z.ZodType<Reference<string>, string> {
  return pathText(expected).transform(
    (written) => new Reference(({ directory }) => path.resolve(directory, written)),
  );
}

/** A mapping whose keys name configured instruments, by symbol or by full id. `place` is its path in the file. */
export function byInstrument<T, Input>(
  place: KeyPath,
  values: z.ZodType<Readonly<Record<string, T>>, Input>,
): z.ZodType<Reference<ReadonlyMap<InstrumentId, T>>, Input> {
  return values.transform(
    (written) => new Reference((file) => findInstruments(written, place, file)),
  );
}

function findInstruments<T>(
  written: Readonly<Record<string, T>>,
  place: KeyPath,
  { instruments, problem }: FileContext,
): ReadonlyMap<InstrumentId, T> {
  const found = new Map<InstrumentId, T>();
  for (const [name, value] of Object.entries(written)) {
    const named = instruments.filter(
      ({ instrumentId, symbol }) => name === instrumentId || name === symbol,
    );
    if (named.length === 0) {
      const names = instruments.map(({ symbol }) => symbol);
      problem([...place, name], `one of the configured instruments ${names.join(', ')}`, {
        code: 'E_CONFIG_KEY',
        received: JSON.stringify(name),
        suggestion: suggestName(name, names),
      });
    }
    // A full id takes precedence over a bare symbol, in any order.
    for (const { instrumentId } of named) {
      if (name === instrumentId || !Object.hasOwn(written, instrumentId))
        found.set(instrumentId, value);
    }
  }
  return found;
}
