import type { Fixed } from './fixed.js';
import type { Asset, ProductKind } from './instrument.js';

/**
 * Is told wherever a run's course depends on how much money there is, so that two runs that differ in nothing else can be told to go on alike.
 */
export interface CashWatch {
  /** A size, a limit, a proof or the strategy has read an amount: with any other it might have gone on in another way. */
  read(): void;
  /** It was looked whether what is available of an asset covers what is needed, and nothing else was read of the amount. */
  compared(account: ProductKind, asset: Asset, available: Fixed, needed: Fixed): void;
  /** Money of contracts that a proof of safety leaves out, so that it holds with so much less, too. */
  reserveOf(asset: Asset): Fixed;
}
