import {
  decimal,
  DomainError,
  fixedFromInput,
  isObject,
  parseDuration,
  type EnterIntent,
  type ExitIntent,
  type Fixed,
  type OrderIntent,
} from '../../../domain/index.js';

/** Parsed work terms of an order; durations in milliseconds. */
type WorkTerms =
  | { readonly kind: 'limit-for'; readonly forMs: number }
  /** `most`: how far from the arrival price, as a ratio of it. */
  | { readonly kind: 'chase'; readonly everyMs: number; readonly most: Fixed }
  | { readonly kind: 'twap'; readonly everyMs: number; readonly slices: number };

/** Basis points in a ratio of 1. */
const BASIS_POINTS = 10_000n;
const MOST_SLICES = 1_000;

/** Parses the work terms of an intent whose form has been checked; undefined without work terms. */
export function workOf(intent: OrderIntent): WorkTerms | undefined {
  const work = intent.kind === 'enter' || intent.kind === 'exit' ? intent.work : undefined;
  if (work === undefined) return undefined;
  if ('limitFor' in work) return { kind: 'limit-for', forMs: parseDuration(work.limitFor) };
  if ('chase' in work) {
    const { every, maxBps } = work.chase;
    const most = fixedFromInput(maxBps) / BASIS_POINTS;
    return { kind: 'chase', everyMs: parseDuration(every), most };
  }
  const { over, slices } = work.twap;
  return { kind: 'twap', everyMs: Math.floor(parseDuration(over) / slices), slices };
}

/** A problem of work terms: the place in the intent, what was expected, and what was received. */
interface WorkProblem {
  readonly at: string;
  readonly expected: string;
  readonly received: unknown;
}

/** Finds a problem in the work terms of an intent. Plugins may be JavaScript, so every value is checked. */
export function findWorkProblem(intent: EnterIntent | ExitIntent): WorkProblem | undefined {
  const work: unknown = intent.work;
  if (!isObject(work)) return expected('work', 'one of limitFor, chase and twap', work);
  const kinds = ['limitFor', 'chase', 'twap'].filter((kind) => work[kind] !== undefined);
  const [kind, other] = kinds;
  if (kind === undefined || other !== undefined)
    return expected(
      'work',
      'one of limitFor, chase and twap',
      kinds.join(' and ') || 'none of them',
    );
  return (
    findUnknown('work', work, kind === 'limitFor' ? ['limitFor', 'then'] : [kind]) ??
    FORMS[kind as keyof typeof FORMS](work, intent) ??
    findRest(kind, intent)
  );
}

type Form = (
  work: Record<string, unknown>,
  intent: EnterIntent | ExitIntent,
) => WorkProblem | undefined;

const FORMS = {
  limitFor: ({ limitFor, then }) =>
    durationProblem('work.limitFor', limitFor) ??
    (then === 'market' ? undefined : expected('work.then', 'market', then)),
  chase: ({ chase }, intent) => {
    if (!isObject(chase)) return expected('work.chase', '{ every, maxBps }', chase);
    return (
      findUnknown('work.chase', chase, ['every', 'maxBps']) ??
      durationProblem('work.chase.every', chase['every']) ??
      basisPointsProblem(chase['maxBps']) ??
      priceProblem('chase follows last', intent)
    );
  },
  twap: ({ twap }, intent) => {
    if (!isObject(twap)) return expected('work.twap', '{ over, slices }', twap);
    const { over, slices } = twap;
    const isCount =
      Number.isInteger(slices) && Number(slices) >= 2 && Number(slices) <= MOST_SLICES;
    return (
      findUnknown('work.twap', twap, ['over', 'slices']) ??
      durationProblem('work.twap.over', over) ??
      (isCount
        ? undefined
        : expected(
            'work.twap.slices',
            `a whole number from 2 to ${String(MOST_SLICES)}`,
            slices,
          )) ??
      (parseDuration(String(over)) >= Number(slices)
        ? undefined
        : expected('work.twap.over', 'at least a millisecond for each slice', over)) ??
      priceProblem('a slice takes what there is', intent) ??
      sizeProblem(intent)
    );
  },
} satisfies Record<string, Form>;

/** A resting order must not have a `timeInForce` that ends it at once. */
function findRest(
  kind: string,
  { timeInForce }: EnterIntent | ExitIntent,
): WorkProblem | undefined {
  const isFit = timeInForce === undefined || timeInForce === 'GTC' || timeInForce === 'POST_ONLY';
  return isFit && (kind !== 'twap' || timeInForce === undefined)
    ? undefined
    : expected(
        'timeInForce',
        `${kind === 'twap' ? 'none' : 'GTC or POST_ONLY'} beside work`,
        timeInForce,
      );
}

function priceProblem(
  why: string,
  { limitPrice }: EnterIntent | ExitIntent,
): WorkProblem | undefined {
  return limitPrice === undefined
    ? undefined
    : expected('limitPrice', `none beside work: ${why}`, limitPrice);
}

/** Sizes by equity and by risk are computed again for each order, so that parts of them would not add up to the whole. */
function sizeProblem({ size }: EnterIntent | ExitIntent): WorkProblem | undefined {
  const isFixed = size === undefined || 'quantity' in size || 'notional' in size || 'share' in size;
  return isFixed ? undefined : expected('size', 'quantity or notional beside twap', size);
}

function durationProblem(at: string, said: unknown): WorkProblem | undefined {
  return isLifetime(said)
    ? undefined
    : expected(at, 'a duration above 0 such as 90s, 15min, 3h or 2d', said);
}

function basisPointsProblem(said: unknown): WorkProblem | undefined {
  const at = 'work.chase.maxBps';
  try {
    const value = decimal(said as string);
    if (value.gt(0) && value.lt(10_000)) return undefined;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
  }
  return expected(at, 'basis points above 0 and below 10000', said);
}

/** Whether a text is a duration above 0. */
export function isLifetime(said: unknown): boolean {
  if (typeof said !== 'string') return false;
  try {
    return parseDuration(said) > 0;
  } catch (error) {
    if (error instanceof DomainError) return false;
    throw error;
  }
}

function findUnknown(
  at: string,
  said: Record<string, unknown>,
  known: readonly string[],
): WorkProblem | undefined {
  const key = Object.keys(said).find((one) => !known.includes(one) && said[one] !== undefined);
  return key === undefined ? undefined : expected(at, `only ${known.join(' and ')}`, key);
}

function expected(at: string, what: string, received: unknown): WorkProblem {
  return { at, expected: what, received };
}
