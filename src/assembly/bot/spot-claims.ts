import { formatFixed, UsageError, type Asset, type Fixed } from '../../domain/index.js';
import { lookAgain, type BelievedBalance } from '../../live/index.js';
import type { AccountSource } from '../../venue/index.js';

/** An asset of which several bots together claim more than the account has. */
interface Overclaim {
  readonly asset: Asset;
  readonly claims: readonly { readonly bot: string; readonly amount: Fixed }[];
  /** Amount in the account, free and locked. */
  readonly actual: Fixed;
}

/** The balances of a bot, until it has ended. */
interface Claimant {
  readonly balances: () => readonly BelievedBalance[];
  readonly ended: AbortSignal;
}

/** Balances of the shared spot account that each bot on a key counts as its own. */
export class SpotClaims {
  readonly #bots = new Map<string, Claimant>();

  /** Adds the balances that a bot counts as its own, as they change, until the bot has ended. May be called with each comparison. */
  enter(bot: string, balances: Claimant['balances'], ended: AbortSignal): void {
    const before = this.#bots.get(bot);
    this.#bots.set(bot, { balances, ended });
    if (before?.ended === ended) return;
    const leave = (): void => {
      if (this.#bots.get(bot)?.ended === ended) this.#bots.delete(bot);
    };
    if (ended.aborted) leave();
    else ended.addEventListener('abort', leave, { once: true });
  }

  /** Finds assets that several bots claim, and of which the account has less than their sum. A shortage of a single bot is checked elsewhere. */
  async overclaims(
    source: Pick<AccountSource, 'account'>,
    signal: AbortSignal,
  ): Promise<readonly Overclaim[]> {
    // Bots that trade only contracts have no spot account, and no address for one.
    const isShared = [...this.#byAsset().values()].some(({ claims }) => claims.length > 1);
    if (!isShared) return [];
    const snapshot = await source.account('spot', { signal });
    if (snapshot.kind !== 'spot') return [];
    const shown = new Map(snapshot.balances.map(({ asset, exact }) => [asset, exact]));
    return [...this.#byAsset()].flatMap(([asset, { claims, tolerance }]): readonly Overclaim[] => {
      const { free = 0n, locked = 0n } = shown.get(asset) ?? {};
      const actual = free + locked;
      const claimed = claims.reduce((sum, { amount }) => sum + amount, 0n);
      return claims.length > 1 && claimed - actual > tolerance ? [{ asset, claims, actual }] : [];
    });
  }

  #byAsset(): ReadonlyMap<Asset, { readonly claims: Overclaim['claims']; tolerance: Fixed }> {
    const assets = new Map<Asset, { claims: Overclaim['claims'][number][]; tolerance: Fixed }>();
    for (const [bot, { balances }] of this.#bots)
      for (const { account, asset, free, locked, tolerance } of balances()) {
        const amount = free + locked;
        if (account !== 'spot' || amount <= 0n) continue;
        const known = assets.get(asset) ?? { claims: [], tolerance: 0n };
        known.claims.push({ bot, amount });
        known.tolerance += tolerance;
        assets.set(asset, known);
      }
    return assets;
  }
}

/**
 * Checks that the bots on a key together do not claim more than their spot account has. A shortage is checked again before it counts, because changes may
 * be on their way between bot and venue.
 *
 * @throws {UsageError} `E_ALLOCATION`; errors of the source.
 */
export async function refuseOverclaims(
  claims: SpotClaims,
  {
    source,
    signal,
    pause,
  }: {
    readonly source: Pick<AccountSource, 'account'>;
    readonly signal: AbortSignal;
    readonly pause: (delayMs: number) => Promise<void>;
  },
): Promise<void> {
  const found = await lookAgain({ compare: () => claims.overclaims(source, signal), pause });
  if (found.length === 0) return;
  throw new UsageError(
    'E_ALLOCATION',
    `together the bots on one key count on more than its spot account has: ${found.map(describeOverclaim).join('; ')}; stop one, or give it a new journal and a smaller live.allocation`,
  );
}

function describeOverclaim({ asset, claims, actual }: Overclaim): string {
  const each = claims.map(({ bot, amount }) => `${formatFixed(amount)} of ${bot}`).join(' and ');
  return `${each}, of ${formatFixed(actual)} ${asset}`;
}
