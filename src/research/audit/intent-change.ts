import type { BacktestConfig } from '../../assembly/backtest/index.js';
import {
  decimal,
  type DecimalInput,
  type InstrumentId,
  type OrderIntent,
  type Protection,
} from '../../domain/index.js';

const GUARDS = ['stopLoss', 'takeProfit', 'trailingStop'] as const;
type Guard = (typeof GUARDS)[number];

/** A rule of a strategy that its intents name. */
export type NamedRule =
  /** Intents with this label are dropped. */
  | { readonly kind: 'label'; readonly name: string }
  /** Positions get no guard of this kind. */
  | { readonly kind: 'guard'; readonly name: Guard };

/** A change of the intents of a strategy. Plain data, which can go to another thread. */
export type IntentChange =
  | NamedRule
  /** Intents for this instrument are dropped. */
  | { readonly kind: 'instrument'; readonly name: InstrumentId }
  /** Quantities and money are multiplied; shares of equity stay. */
  | { readonly kind: 'times'; readonly times: number };

type Revision = (intent: OrderIntent) => OrderIntent | undefined;

/** Collects the rules that intents name. */
export class NamedRules {
  readonly #labels = new Set<string>();
  readonly #guards = new Set<Guard>();

  /** Notes the rules of an intent and returns it unchanged. */
  readonly note: Revision = (intent) => {
    if ('label' in intent && intent.label !== undefined) this.#labels.add(intent.label);
    for (const guarded of guardsOf(intent))
      for (const name of GUARDS) if (guarded[name] !== undefined) this.#guards.add(name);
    return intent;
  };

  /** Labels in alphabetical order, then guards. */
  get list(): readonly NamedRule[] {
    return [
      ...[...this.#labels].sort().map((name) => ({ kind: 'label', name }) as const),
      ...GUARDS.filter((name) => this.#guards.has(name)).map(
        (name) => ({ kind: 'guard', name }) as const,
      ),
    ];
  }
}

function guardsOf(intent: OrderIntent): readonly Protection[] {
  if (intent.kind === 'protect') return [intent.protection];
  if (intent.kind !== 'enter') return [];
  return [intent.protection ?? {}, intent.bracket ?? {}];
}

/** Function that the engine applies to each intent; undefined if intents stay. */
export function revisionOf(
  change: IntentChange | undefined,
  config: Pick<BacktestConfig, 'instruments'>,
): Revision | undefined {
  switch (change?.kind) {
    case undefined:
      return undefined;
    case 'label':
      return (intent) => ('label' in intent && intent.label === change.name ? undefined : intent);
    case 'guard':
      return (intent) => withoutGuard(intent, change.name);
    case 'instrument':
      return withoutInstrument(change.name, config);
    case 'times':
      return (intent) => enlarge(intent, change.times);
  }
}

function withoutGuard(intent: OrderIntent, name: Guard): OrderIntent {
  if (intent.kind === 'protect') return { ...intent, protection: without(intent.protection, name) };
  if (intent.kind !== 'enter') return intent;
  const { protection, bracket, ...entry } = intent;
  return {
    ...entry,
    ...(protection && { protection: without(protection, name) }),
    ...(bracket && { bracket: without(bracket, name) }),
  };
}

function without(guards: Protection, name: Guard): Protection {
  return Object.fromEntries(Object.entries(guards).filter(([guard]) => guard !== name));
}

function withoutInstrument(
  id: InstrumentId,
  { instruments }: Pick<BacktestConfig, 'instruments'>,
): Revision {
  const first = instruments[0]?.instrumentId;
  const isMeant = (name: string | undefined): boolean =>
    name === undefined ? first === id : name === id || id.endsWith(`:${name}`);
  return (intent) => {
    if (intent.kind === 'cancel' || intent.kind === 'replace') return intent;
    if (intent.kind === 'target') {
      const targets = intent.targets.filter((each) => !isMeant(each.instrument));
      return targets.length === 0 ? undefined : { ...intent, targets };
    }
    // A flatten without an instrument concerns all instruments, so it stays.
    if (intent.kind === 'flatten' && intent.instrument === undefined) return intent;
    return isMeant(intent.instrument) ? undefined : intent;
  };
}

function enlarge(intent: OrderIntent, times: number): OrderIntent {
  switch (intent.kind) {
    case 'enter':
      return { ...intent, size: larger(intent.size, times) };
    case 'exit':
      return intent.size === undefined ? intent : { ...intent, size: larger(intent.size, times) };
    case 'replace':
      return larger(intent, times);
    case 'target':
      return {
        ...intent,
        targets: intent.targets.map((each) => ({ ...each, to: larger(each.to, times) })),
      };
    case 'protect':
    case 'cancel':
    case 'flatten':
      return intent;
  }
}

/** Multiplies the quantity and the notional of a size. */
function larger<T extends object>(size: T, times: number): T {
  const amounts: { quantity?: DecimalInput; notional?: DecimalInput } = size;
  const { quantity, notional } = amounts;
  return {
    ...size,
    ...(quantity !== undefined && { quantity: decimal(quantity).times(times) }),
    ...(notional !== undefined && { notional: decimal(notional).times(times) }),
  };
}
