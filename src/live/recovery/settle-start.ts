import { UsageError } from '../../domain/index.js';
import { describeDisagreement } from './describe-disagreement.js';
import { resolutionOf, type Disagreement, type ExternalPolicy } from './disagreements.js';
import { VISIBILITY_MS } from './outcome-search.js';

/** Number of comparisons before a difference counts as lasting. */
const LOOKS = 3;

interface SettleStartOptions {
  /** Reads everything, reports news to the engine, and returns the remaining differences. */
  readonly compare: () => Promise<readonly Disagreement[]>;
  readonly policy: ExternalPolicy;
  readonly pause: (delayMs: number) => Promise<void>;
  /** Takes a text for each ignored disagreement. */
  readonly onIgnored: (text: string) => void;
}

/**
 * Compares bot and venue until they agree, or until a difference is lasting: still there after readings as far apart as data may be missing from the
 * venue's lists. Returns the disagreements that are neither resolved nor ignored.
 *
 * @throws {UsageError} `E_DISAGREEMENT` for what the policy refuses; errors of `compare`.
 */
export async function settleStart(options: SettleStartOptions): Promise<readonly Disagreement[]> {
  const { policy, onIgnored } = options;
  const found = await lookAgain(options);
  const lasting: Disagreement[] = [];
  const refused: string[] = [];
  for (const each of found) {
    const resolution = resolutionOf(each, { policy, isRepeated: true });
    if (resolution === 'ignore') onIgnored(`ignored: ${describeDisagreement(each)}`);
    else if (resolution === 'refuse') refused.push(describeDisagreement(each));
    // The session resolves these itself, and entries wait until then.
    else if (resolution !== 'cancel') lasting.push(each);
  }
  if (refused.length === 0) return lasting;
  throw new UsageError(
    'E_DISAGREEMENT',
    `bot and venue disagree: ${refused.join('; ')}; resolve this at the venue, or set live.externalOrders: claim`,
  );
}

/** Returns the differences that are still there after `LOOKS` comparisons. @throws errors of `compare`. */
export async function lookAgain<T>({
  compare,
  pause,
}: Pick<SettleStartOptions, 'pause'> & {
  readonly compare: () => Promise<readonly T[]>;
}): Promise<readonly T[]> {
  let found = await compare();
  for (let look = 1; found.length > 0 && look < LOOKS; look += 1) {
    await pause(VISIBILITY_MS);
    found = await compare();
  }
  return found;
}

/** The disagreements that a policy claims. */
export function adoptable(
  found: readonly Disagreement[],
  policy: ExternalPolicy,
): readonly Disagreement[] {
  return found.filter((each) => resolutionOf(each, { policy, isRepeated: true }) === 'claim');
}
