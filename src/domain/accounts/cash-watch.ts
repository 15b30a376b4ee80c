import type { Fixed } from '../amounts/fixed.js';
import type { Asset, ProductKind } from '../instruments/instrument.js';

/**
 * Called wherever the course of a run depends on an amount of money. It serves to prove that two runs that differ only in money continue alike.
 */
export interface CashWatch {
  /** A size, a limit, a proof or the strategy has read an amount. With any other amount the run might have continued in another way. */
  read(): void;
  /** The available amount of an asset was compared with the needed amount, and not used in any other way. */
  compared(account: ProductKind, asset: Asset, available: Fixed, needed: Fixed): void;
  /** Money of contracts that a proof of safety leaves out, so that the proof also holds with that much less money. */
  reserveOf(asset: Asset): Fixed;
}
