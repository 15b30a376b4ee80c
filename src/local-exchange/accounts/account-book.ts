import { createSecretKey, type KeyObject } from 'node:crypto';
import { DomainError, type EpochMs, type Fixed, type InstrumentId } from '../../domain/index.js';
import type { ExchangeAccount } from '../exchange-account.js';
import type { AccountSettings } from './account-settings.js';
import { leastLimit } from './least-limit.js';

/** An account with the key and secret that sign its calls. */
export interface AccountHolder {
  readonly settings: AccountSettings;
  readonly account: ExchangeAccount;
  readonly secret: KeyObject;
  /** The identity whose budget signed calls count toward. */
  readonly principal: string;
}

/** Creates the account that is opened at `time` as the `ordinal`-th. */
type CreateAccount = (
  settings: AccountSettings,
  opening: { readonly time: EpochMs; readonly ordinal: number },
) => ExchangeAccount;

/** The accounts of the exchange, by key and by user id. */
export class AccountBook {
  readonly #create: CreateAccount;
  readonly #byKey = new Map<string, AccountHolder>();
  readonly #byUser = new Map<string, AccountHolder>();

  constructor(create: CreateAccount) {
    this.#create = create;
  }

  /**
   * Checks that an account can be opened, without opening it.
   *
   * @throws {DomainError} `E_ACCOUNT` when its key or its user id is taken.
   */
  check({ key, userId }: AccountSettings): void {
    if (this.#byKey.has(key)) {
      throw new DomainError('E_ACCOUNT', 'another account has this key');
    }
    if (this.#byUser.has(userId)) {
      throw new DomainError('E_ACCOUNT', `user id ${userId} is taken`);
    }
  }

  /** Opens an account. @throws {DomainError} as {@link check}. */
  open(settings: AccountSettings, time: EpochMs): AccountHolder {
    this.check(settings);
    const holder: AccountHolder = {
      settings,
      account: this.#create(settings, { time, ordinal: this.#byUser.size + 1 }),
      secret: createSecretKey(settings.secret, 'utf8'),
      principal: `key ${settings.userId}`,
    };
    this.#byKey.set(settings.key, holder);
    this.#byUser.set(settings.userId, holder);
    return holder;
  }

  byKey(key: string): AccountHolder | undefined {
    return this.#byKey.get(key);
  }

  byUser(userId: string): AccountHolder | undefined {
    return this.#byUser.get(userId);
  }

  /**
   * Volume that orders may still take of the open candle, as one account sees it: each account has its own share. If the caller is unknown, this is
   * the smallest value of all accounts.
   */
  volumeLeft(
    instrumentId: InstrumentId,
    time: EpochMs,
    asking: AccountHolder | undefined,
  ): Fixed | undefined {
    const holders = asking === undefined ? this.list() : [asking];
    return leastLimit(holders.map(({ account }) => account.volumeLeft(instrumentId, time)));
  }

  list(): readonly AccountHolder[] {
    return [...this.#byUser.values()];
  }
}
