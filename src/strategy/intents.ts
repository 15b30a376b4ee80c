import type {
  CancelIntent,
  DecimalInput,
  Direction,
  EnterIntent,
  ExitIntent,
  ExitSize,
  FlattenIntent,
  OrderReference,
  ProtectIntent,
  Protection,
  ReplaceIntent,
  Size,
  TargetIntent,
  TargetSize,
} from '../domain/index.js';

/** Terms of an entry besides its direction and size. */
export type EntryTerms = Omit<EnterIntent, 'kind' | 'direction' | 'size'>;
/** Terms of an exit. */
export type ExitTerms = Omit<ExitIntent, 'kind'> & {
  /** Short for `size: { share }`: so much of the position as it is held when the exit is judged, 1 for all of it. See {@link ExitSize}. */
  readonly share?: DecimalInput | undefined;
};

/** Wants to be long; does nothing while a long position or entry exists, unless `add` is set. */
export function enterLong(size: Size, terms?: EntryTerms): EnterIntent {
  return terms === undefined
    ? { kind: 'enter', direction: 'long', size }
    : { kind: 'enter', direction: 'long', size, ...terms };
}

/** Wants to be short; does nothing while a short position or entry exists, unless `add` is set. Spot refuses it. */
export function enterShort(size: Size, terms?: EntryTerms): EnterIntent {
  return terms === undefined
    ? { kind: 'enter', direction: 'short', size }
    : { kind: 'enter', direction: 'short', size, ...terms };
}

/** Wants out of the position, or of part of it. */
export function exit(terms?: ExitTerms): ExitIntent {
  if (terms === undefined) return { kind: 'exit' };
  if (!('share' in terms)) return { kind: 'exit', ...terms };
  const { share, ...others } = terms;
  // A plugin may give the key and nothing for it.
  return share === undefined
    ? { kind: 'exit', ...others }
    : { kind: 'exit', ...others, size: withShare(others.size, share) };
}

/** Both of two sizes, where two are given: the engine refuses them by name. A size that is no object is for it to refuse, too. */
function withShare(size: ExitSize | undefined, share: DecimalInput): ExitSize {
  return size === undefined || typeof size === 'object' ? { ...size, share } : size;
}

/** Sets, moves or removes the stop-loss, take-profit and trailing stop of the position; of one side, where both are held. */
export function protect(
  protection: Protection,
  instrument?: string,
  direction?: Direction,
): ProtectIntent {
  return {
    kind: 'protect',
    protection,
    ...(instrument !== undefined && { instrument }),
    ...(direction !== undefined && { direction }),
  };
}

/** Withdraws working orders. */
export function cancel(target: OrderReference): CancelIntent {
  return { kind: 'cancel', target };
}

/** Moves a working LIMIT order to new terms. */
export function replace(
  target: OrderReference,
  terms: { readonly limitPrice?: DecimalInput; readonly quantity?: DecimalInput },
): ReplaceIntent {
  return { kind: 'replace', target, ...terms };
}

/** Withdraws every order and leaves every position, of one instrument or of all. */
export function flatten(instrument?: string): FlattenIntent {
  return instrument === undefined ? { kind: 'flatten' } : { kind: 'flatten', instrument };
}

/** Terms of targets besides what positions are to be. */
export type TargetTerms = Omit<TargetIntent, 'kind' | 'targets'>;

/** Brings one position to what it is to be. */
export function target(
  instrument: string | undefined,
  to: TargetSize,
  terms?: TargetTerms,
): TargetIntent {
  return { kind: 'target', targets: [{ instrument, to }], ...terms };
}

/** Brings positions to their shares of equity, 0 for none. Instruments that are not named stay as they are. */
export function rebalance(
  weights: Readonly<Record<string, DecimalInput>>,
  terms?: TargetTerms,
): TargetIntent {
  const targets = Object.entries(weights).map(([instrument, weight]) => ({
    instrument,
    to: { weight },
  }));
  return { kind: 'target', targets, ...terms };
}
