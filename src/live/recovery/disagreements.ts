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
    'The order is looked for until it is found, proved absent or ambiguous. Found, it goes on as accepted; absent, it is reported `not-submitted` and never sent late; ambiguous, entries halt and the candidates are named.',
  'look-up':
    'The order is asked for by its id and its executions are read; its fills are told, then its end. One that the venue does not know, twice and ten seconds apart, has ended with what its executions say.',
  'read-trades':
    'Own executions are read from the last one known on and told as fills, each once. What they do not explain goes to the policy.',
  'cancel-again':
    'The order is looked up, and while it works canceled again: canceling is safe to repeat.',
  cancel:
    'The order is canceled: nobody wants it any more. Entries halt until it has ended, and what it filled goes to the policy.',
  policy: '`live.externalOrders` says whether it is claimed, ignored or refused.',
  claim:
    'The epoch is closed, and the next one begins with it in its checkpoint: the strategy starts from warm-up and is told.',
  ignore: 'It is left as it is, stays out of the numbers of the bot, and is logged once.',
  refuse:
    'A bot that starts does not; one that runs halts entries, until it is gone or the operator decides.',
  'accept-or-refuse':
    '`--probe` finds them out, `live.unverified: accept` takes them as configured; else the start is refused.',
} as const;

export type Resolution = keyof typeof RESOLUTIONS;

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
    means: 'The journal ends with an order of which nothing says whether it was sent.',
    first: 'search',
  },
  'order-missing': {
    means: 'An order that the venue accepted is neither working there nor known to have ended.',
    first: 'look-up',
  },
  'order-ended': {
    means: 'An order that should work has ended at the venue.',
    first: 'look-up',
  },
  'order-filled-further': {
    means: 'The venue has filled more of an order than the bot was told.',
    first: 'read-trades',
    then: 'look-up',
  },
  'cancel-without-answer': {
    means: 'A cancel was wanted, nothing says what became of it, and the order works.',
    first: 'cancel-again',
  },
  'order-not-ended': {
    means: 'An order that the bot knows as ended works at the venue.',
    first: 'cancel',
  },
  'order-unknown-foreign': {
    means: 'An order works at the venue that no journal of this bot knows.',
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
    means: 'The venue holds nothing of a position.',
    first: 'read-trades',
    then: 'policy',
  },
  'position-foreign': {
    means: 'The venue holds contracts on a side where the bot holds none.',
    first: 'read-trades',
    then: 'policy',
  },
  'balance-short': {
    means: 'Less of an asset can be there than the bot takes for its own; more is no disagreement.',
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
    means: 'Long and short of a contract are held, and the config says one way.',
    first: 'refuse',
  },
  'terms-unverified': {
    means: 'Neither a position nor an order shows a leverage or a mode that the config asserts.',
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
