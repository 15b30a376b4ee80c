import type {
  Asset,
  Direction,
  Fixed,
  InstrumentId,
  MarginMode,
  PositionMode,
} from '../../domain/index.js';
import type { VenueOrder } from '../../venue/index.js';
import type { BelievedOrder } from './belief.js';

/** What to do with orders and positions at the venue that the bot did not make. */
export type ExternalPolicy = 'claim' | 'ignore' | 'refuse';

interface OfOwnOrder {
  readonly instrumentId: InstrumentId;
  readonly order: BelievedOrder;
}

interface OfPosition {
  readonly instrumentId: InstrumentId;
  readonly direction: Direction;
  /** Contracts. */
  readonly believed: Fixed;
  readonly actual: Fixed;
}

/** A term of a contract that a config asserts. */
export type AssertedTerm = 'leverage' | 'marginMode' | 'positionMode';

/** Where the venue shows a term that differs from the config. */
export type TermsEvidence = 'open position' | 'newest order';

interface OfTerms<T> {
  readonly instrumentId: InstrumentId;
  readonly configured: T;
  readonly actual: T;
  readonly seenIn: TermsEvidence;
}

/** One difference between the bot's books and the venue. */
export type Disagreement =
  | (OfOwnOrder & {
      readonly kind: 'submit-without-answer' | 'command-never-journalled-as-sent' | 'order-missing';
    })
  | (OfOwnOrder & {
      readonly kind: 'order-ended' | 'cancel-without-answer';
      readonly state: VenueOrder;
    })
  | (OfOwnOrder & {
      readonly kind: 'order-filled-further';
      readonly state: VenueOrder;
      /** Base or contracts filled at the venue that no fill has reported. */
      readonly untold: Fixed;
    })
  | {
      readonly kind: 'order-not-ended' | 'order-unknown-foreign';
      readonly instrumentId: InstrumentId;
      readonly state: VenueOrder;
    }
  | (OfPosition & {
      readonly kind:
        'position-larger' | 'position-smaller' | 'position-absent' | 'position-foreign';
    })
  | {
      readonly kind: 'balance-short';
      readonly account: 'spot' | 'futures';
      readonly asset: Asset;
      readonly believed: Fixed;
      /** Amount that can be there: free, plus the amount locked for the bot's orders. */
      readonly actual: Fixed;
    }
  | (OfTerms<Fixed> & { readonly kind: 'leverage-differs' })
  | (OfTerms<MarginMode> & { readonly kind: 'margin-mode-differs' })
  | (OfTerms<PositionMode> & { readonly kind: 'position-mode-differs' })
  | {
      readonly kind: 'terms-unverified';
      readonly instrumentId: InstrumentId;
      readonly terms: readonly AssertedTerm[];
    };

export type DisagreementKind = Disagreement['kind'];

/** A term whose value at the venue differs from the config. */
export type TermsDifference = Extract<Disagreement, OfTerms<unknown>>;

/** Terms of a contract that the venue does not show. */
export type UnverifiedTerms = Extract<Disagreement, { readonly kind: 'terms-unverified' }>;

/** Resolutions of disagreements. docs/live.md repeats these texts; a test compares them. */
export const RESOLUTIONS = {
  search:
    'The bot searches for the order until it is found, proved absent or ambiguous. Found: it continues as accepted. Absent: it ends as `not-submitted` and is never sent late. Ambiguous: entries halt and the candidates are named.',
  'look-up':
    'The bot reads the order by its id, and its executions. It reports the fills, then the end. If the venue twice, ten seconds apart, does not know the order, it has ended with the fills of its executions.',
  'read-trades':
    'The bot reads its executions since the last known one and reports each once as a fill. The policy decides about any remaining difference.',
  'cancel-again':
    'The bot looks up the order and cancels it again while it works: a cancel is safe to repeat.',
  cancel:
    'The bot cancels the order, which is no longer wanted. Entries halt until it has ended. The policy decides about its fills.',
  policy: '`live.externalOrders` says whether to claim, ignore or refuse it.',
  claim:
    'The epoch is closed. The checkpoint of the next one includes it. The strategy starts from warm-up and is told.',
  ignore: 'It stays at the venue, is not in the books of the bot, and is logged once.',
  refuse:
    'A starting bot does not start. A running bot halts entries until the difference is gone or the operator decides.',
  'accept-or-refuse':
    '`--probe` finds the values, and `live.unverified: accept` takes them from the config. Without either, the start is refused.',
} as const;

type Resolution = keyof typeof RESOLUTIONS;

interface DisagreementFact {
  /** Meaning of the disagreement. */
  readonly means: string;
  /** First resolution. */
  readonly first: Exclude<Resolution, 'claim' | 'ignore'>;
  /** Resolution if the disagreement is still there after the first. */
  readonly then?: Exclude<Resolution, 'claim' | 'ignore'>;
}

/** All kinds of disagreements, and their resolutions. docs/live.md repeats these texts; a test compares them. */
export const DISAGREEMENTS = {
  'submit-without-answer': {
    means: 'An order was sent and its outcome is unknown.',
    first: 'search',
  },
  'command-never-journalled-as-sent': {
    means: 'The journal ends with an order and does not say whether it was sent.',
    first: 'search',
  },
  'order-missing': {
    means: 'An order that the venue accepted is not working there and is not known to have ended.',
    first: 'look-up',
  },
  'order-ended': {
    means: 'An order that should work has ended at the venue.',
    first: 'look-up',
  },
  'order-filled-further': {
    means: 'The venue has filled more of an order than the bot knows.',
    first: 'read-trades',
    then: 'look-up',
  },
  'cancel-without-answer': {
    means: 'The outcome of a cancel is unknown, and the order works.',
    first: 'cancel-again',
  },
  'order-not-ended': {
    means: 'An order that has ended for the bot works at the venue.',
    first: 'cancel',
  },
  'order-unknown-foreign': {
    means: 'An order works at the venue that is in no journal of this bot.',
    first: 'policy',
  },
  'position-larger': {
    means: 'The venue holds more contracts than the bot.',
    first: 'read-trades',
    then: 'policy',
  },
  'position-smaller': {
    means: 'The venue holds fewer contracts than the bot.',
    first: 'read-trades',
    then: 'policy',
  },
  'position-absent': {
    means: 'The venue does not hold a position of the bot.',
    first: 'read-trades',
    then: 'policy',
  },
  'position-foreign': {
    means: 'The venue holds contracts on a side where the bot holds none.',
    first: 'read-trades',
    then: 'policy',
  },
  'balance-short': {
    means: 'The venue has less of an asset than the bot counts on. Having more is no disagreement.',
    first: 'read-trades',
    then: 'policy',
  },
  'leverage-differs': {
    means: 'The venue shows another leverage than the config.',
    first: 'refuse',
  },
  'margin-mode-differs': {
    means: 'The venue shows another margin mode than the config.',
    first: 'refuse',
  },
  'position-mode-differs': {
    means: 'Long and short of a contract are held, but the config says `oneWay`.',
    first: 'refuse',
  },
  'terms-unverified': {
    means: 'No position and no order shows a leverage or mode that the config states.',
    first: 'accept-or-refuse',
  },
} as const satisfies Readonly<Record<DisagreementKind, DisagreementFact>>;

/** Disagreements that the policy `ignore` can leave alone. */
const SEPARABLE: ReadonlySet<DisagreementKind> = new Set(['order-unknown-foreign']);

/**
 * Returns how to resolve a disagreement now.
 *
 * `isRepeated`: whether it is still there after its first resolution. `ignore` counts as `refuse` for a position or a balance, because external
 * amounts cannot be separated from the bot's own.
 */
export function resolutionOf(
  { kind }: Pick<Disagreement, 'kind'>,
  { policy, isRepeated }: { readonly policy: ExternalPolicy; readonly isRepeated: boolean },
): Exclude<Resolution, 'policy'> {
  const fact: DisagreementFact = DISAGREEMENTS[kind];
  const resolution = isRepeated ? (fact.then ?? fact.first) : fact.first;
  if (resolution !== 'policy') return resolution;
  return policy === 'ignore' && !SEPARABLE.has(kind) ? 'refuse' : policy;
}
