import {
  isObject,
  type CancelIntent,
  type DecimalInput,
  type Direction,
  type EnterIntent,
  type ExitIntent,
  type ExitSize,
  type FlattenIntent,
  type OrderReference,
  type ProtectIntent,
  type Protection,
  type ReplaceIntent,
  type Size,
  type TargetIntent,
  type TargetSize,
} from '../domain/index.js';

/** Terms of an entry besides its direction and size. */
export type EntryTerms = Omit<EnterIntent, 'kind' | 'direction' | 'size'>;
/** Terms of an exit. */
export type ExitTerms = Omit<ExitIntent, 'kind'> & {
  /** Short for `size: { share }`: the share to exit of the quantity held when the exit is judged, above 0 and at most 1. See {@link ExitSize}. */
  readonly share?: DecimalInput | undefined;
};

/** Makes an intent to enter long. It does nothing while a long position or entry exists, unless `add` is set. */
export function enterLong(size: Size, terms?: EntryTerms): EnterIntent {
  return terms === undefined
    ? { kind: 'enter', direction: 'long', size }
    : { kind: 'enter', direction: 'long', size, ...terms };
}

/** Makes an intent to enter short. It does nothing while a short position or entry exists, unless `add` is set. Refused on spot. */
export function enterShort(size: Size, terms?: EntryTerms): EnterIntent {
  return terms === undefined
    ? { kind: 'enter', direction: 'short', size }
    : { kind: 'enter', direction: 'short', size, ...terms };
}

/** Makes an intent to exit the position, or a part of it. */
export function exit(terms?: ExitTerms): ExitIntent {
  if (terms === undefined) return { kind: 'exit' };
  // Written as the size, what is no object is refused by name.
  if (!isObject(terms)) return { kind: 'exit', size: terms };
  if (!('share' in terms)) return { kind: 'exit', ...terms };
  const { share, ...others } = terms;
  // A plugin may pass the key with undefined as its value.
  return share === undefined
    ? { kind: 'exit', ...others }
    : { kind: 'exit', ...others, size: withShare(others.size, share) };
}

/** Returns both sizes if two are given: the engine refuses them and names both. It also refuses a size that is not an object. */
function withShare(size: ExitSize | undefined, share: DecimalInput): ExitSize {
  return size === undefined || typeof size === 'object' ? { ...size, share } : size;
}

/** Sets, moves or removes the stop-loss, take-profit and trailing stop of the position. `direction` names the side if both are held. */
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
  terms: Pick<ReplaceIntent, 'limitPrice' | 'quantity'>,
): ReplaceIntent {
  return { kind: 'replace', target, ...terms };
}

/** Withdraws every order and exits every position, of one instrument or of all. */
export function flatten(instrument?: string): FlattenIntent {
  return instrument === undefined ? { kind: 'flatten' } : { kind: 'flatten', instrument };
}

/** Terms of a target intent besides its targets. */
export type TargetTerms = Omit<TargetIntent, 'kind' | 'targets'>;

/** Brings one position to a target size. */
export function target(
  instrument: string | undefined,
  to: TargetSize,
  terms?: TargetTerms,
): TargetIntent {
  return { kind: 'target', targets: [{ instrument, to }], ...terms };
}

/** Brings positions to shares of equity; 0 exits a position. Instruments that are not named stay as they are. */
export function rebalance(
  weights: Readonly<Record<string, DecimalInput>>,
  terms?: TargetTerms,
): TargetIntent {
  // Written as the targets, what is no object is refused by name.
  if (!isObject(weights)) return { kind: 'target', targets: weights, ...terms };
  const targets = Object.entries(weights).map(([instrument, weight]) => ({
    instrument,
    to: { weight },
  }));
  return { kind: 'target', targets, ...terms };
}
