import type {
  Asset,
  CashWatch,
  Direction,
  EpochMs,
  Fixed,
  InstrumentId,
} from '../../../domain/index.js';
import type { RiskAccount } from '../../../risk/index.js';

/** The account as risk sees it for a trigger. A trigger holds back nothing until it fires, so working orders do not count. */
export class TriggerAccount implements RiskAccount {
  readonly #account: RiskAccount;

  constructor(account: RiskAccount) {
    this.#account = account;
  }

  get now(): EpochMs {
    return this.#account.now;
  }

  get cashWatch(): CashWatch | undefined {
    return this.#account.cashWatch;
  }

  get equityCurrency(): Asset {
    return this.#account.equityCurrency;
  }

  lastPrice(instrumentId: InstrumentId): Fixed | undefined {
    return this.#account.lastPrice(instrumentId);
  }

  markPrice(instrumentId: InstrumentId): Fixed | undefined {
    return this.#account.markPrice(instrumentId);
  }

  freeBalance(...of: Parameters<RiskAccount['freeBalance']>): Fixed {
    return this.#account.freeBalance(...of);
  }

  owed(): Fixed {
    return this.#account.owed();
  }

  equity(...of: Parameters<RiskAccount['equity']>): Fixed {
    return this.#account.equity(...of);
  }

  worthOf(asset: Asset): Fixed | undefined {
    return this.#account.worthOf(asset);
  }

  held(instrumentId: InstrumentId, direction: Direction): Fixed {
    return this.#account.held(instrumentId, direction);
  }

  closing(): Fixed {
    return 0n;
  }

  workingOrders(): number {
    return 0;
  }
}
