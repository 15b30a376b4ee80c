import { formatFixed, UsageError, type Asset, type Fixed } from '../../domain/index.js';
import { lookAgain, type BelievedBalance } from '../../live/index.js';
import type { AccountSource } from '../../venue/index.js';

/** An asset of which bots count together on more than there is. */
export interface Overclaim {
  readonly asset: Asset;
  readonly claims: readonly { readonly bot: string; readonly amount: Fixed }[];
  /** What the account has, free and locked. */
  readonly actual: Fixed;
}

type Balances = () => readonly BelievedBalance[];

/** What each bot on a key takes for its own of the spot account, which they share. */
export class SpotClaims {
  readonly #bots = new Map<string, Balances>();

  /** Counts what a bot takes for its own, as it changes, until it has ended. */
  enter(bot: string, balances: Balances, ended: AbortSignal): void {
    this.#bots.set(bot, balances);
    const leave = (): void => {
      if (this.#bots.get(bot) === balances) this.#bots.delete(bot);
    };
    if (ended.aborted) leave();
    else ended.addEventListener('abort', leave, { once: true });
  }

  /** Assets that several bots count on, and of which there is less than they do. What is missing of one bot's is its own matter. */
  async overclaims(
    source: Pick<AccountSource, 'account'>,
    signal: AbortSignal,
  ): Promise<readonly Overclaim[]> {
    // Bots of contracts alone have no spot account, nor the address of one.
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
    for (const [bot, balances] of this.#bots)
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
 * Sees that the bots on a key do not count together on more than their spot account has. What may be on its way between bot and venue is
 * looked at again before it counts.
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
    `the bots on one key count together on more than its spot account has: ${found.map(describeOverclaim).join('; ')}; stop one, or begin it anew with a smaller live.allocation`,
  );
}

function describeOverclaim({ asset, claims, actual }: Overclaim): string {
  const each = claims.map(({ bot, amount }) => `${formatFixed(amount)} of ${bot}`).join(' and ');
  return `${each} where there are ${formatFixed(actual)} ${asset}`;
}
