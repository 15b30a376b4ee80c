import type { EpochMs, InstrumentId } from '../../domain/index.js';
import type { EndpointId, FamilyEndpointId } from '../../venue/wire/index.js';
import type { AccountSettings } from '../accounts/account-settings.js';
import type { CommandEffects } from '../exchange-account.js';
import type { RulePatch } from '../market/listing-rules.js';

/**
 * One event of the exchange. Everything else follows from these events and the stored candles, so the journal is the whole state.
 *
 * Times are market time and never fall.
 */
export type ExchangeJournalEntry =
  | {
      /** A request that orders or cancels something, after its check. */
      readonly kind: 'command';
      readonly time: EpochMs;
      readonly userId: string;
      readonly endpoint: EndpointId | FamilyEndpointId;
      readonly request: unknown;
      readonly effects: CommandEffects;
    }
  | { readonly kind: 'account'; readonly time: EpochMs; readonly settings: AccountSettings }
  | {
      readonly kind: 'rules';
      readonly time: EpochMs;
      readonly instrumentId: InstrumentId;
      readonly change: RulePatch;
      /** The change is made to the rules with which the instrument was listed. @defaultValue to the rules in force */
      readonly isRestored?: true;
    }
  | { readonly kind: 'advance'; readonly time: EpochMs }
  /** In lockstep: candles open at the instant. */
  | { readonly kind: 'opening'; readonly time: EpochMs };

/** Stores entries. An entry is on the disk when {@link append} returns. */
export interface ExchangeJournal {
  /** Oldest first; read once, at start. */
  entries(): Iterable<ExchangeJournalEntry>;
  /** @throws {DataError} `E_EXCHANGE_STATE` when it cannot be written. The event must then not happen. */
  append(entry: ExchangeJournalEntry): void;
  close(): void;
}
