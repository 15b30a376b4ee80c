import { z } from 'zod';
import { DomainError, formatFixed, parseFixed } from '../../domain/index.js';
import { describeMismatch } from '../../venue/wire/index.js';
import type { AccountSettings } from './account-settings.js';

/** A text with one message for a wrong type and a wrong form. */
const worded = (what: string, form: RegExp): z.ZodString =>
  z.string({ error: what }).regex(form, { error: what });

const AMOUNT = worded('a quoted decimal >= 0', /^\d{1,20}(?:\.\d{1,18})?$/);
const RATE = worded('a quoted ratio >= 0 and < 1', /^0(?:\.\d{1,18})?$/);
const REBATE = worded('a quoted ratio > -1 and < 1', /^-?0(?:\.\d{1,18})?$/);
const ASSETS = z.record(z.string().regex(/^[A-Z0-9]{1,20}$/), AMOUNT, {
  error: ({ code }) => (code === 'invalid_key' ? 'an asset in capitals such as USDT' : undefined),
});
const TOKEN = worded('1 to 128 printable characters without blanks', /^[\x21-\x7e]{1,128}$/);
/** A rebate is at most what takers pay: else whoever trades with himself would earn. */
const FEES = z.strictObject({ maker: REBATE, taker: RATE }).superRefine((fees, context) => {
  const [maker, taker] = [parseFixed(fees.maker), parseFixed(fees.taker)];
  if (maker + taker >= 0n) return;
  const message = `at least ${formatFixed(-taker)}, what takers pay`;
  context.addIssue({ code: 'custom', message, path: ['maker'] });
});

const STANDARD_BALANCES = {
  spot: { USDT: '100000' },
  margin: { USDT: '100000' },
  futures: { USDT: '100000' },
};
const STANDARD_FEES = {
  spot: { maker: '0.001', taker: '0.001' },
  futures: { maker: '0.0002', taker: '0.0006' },
};

/** An account as a person writes it. Everything but the name has a default; a missing key or secret is generated. */
const accountDraftSchema = z.strictObject({
  name: worded('a name of letters, digits, ".", "_" and "-"', /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/),
  userId: worded('a quoted whole number of up to 15 digits', /^[1-9]\d{0,14}$/).optional(),
  key: TOKEN.optional(),
  secret: TOKEN.optional(),
  balances: z
    .strictObject({
      spot: ASSETS.default({}),
      margin: ASSETS.default({}),
      futures: ASSETS.default({}),
    })
    .default(STANDARD_BALANCES),
  fees: z
    .strictObject({
      spot: FEES.default(STANDARD_FEES.spot),
      futures: FEES.default(STANDARD_FEES.futures),
    })
    .default(STANDARD_FEES),
  leverage: worded('a quoted whole number from 1 to 999', /^[1-9]\d{0,2}$/).default('5'),
  marginMode: z.enum(['cross', 'isolated']).optional(),
});

/** Supplies the values that a draft leaves out. */
interface AccountMaking {
  /** Returns a text of about 32 letters and digits that cannot be guessed. */
  readonly randomText: () => string;
  /** User ids that are in use. */
  readonly taken: readonly string[];
}

const FIRST_USER_ID = 10_001;

/**
 * Reads an account draft and fills in missing values.
 *
 * @throws {DomainError} `E_ACCOUNT` naming the member that is wrong.
 */
export function completeAccount(written: unknown, making: AccountMaking): AccountSettings {
  const parsed = accountDraftSchema.safeParse(written);
  if (!parsed.success) {
    const { place, expected, received } = describeMismatch(parsed.error.issues, written);
    // The value of one of these is a secret.
    const shown = place === 'key' || place === 'secret' ? 'another value' : received;
    throw new DomainError(
      'E_ACCOUNT',
      `account${place === '' ? '' : ` ${place}`}: expected ${expected}, received ${shown}`,
    );
  }
  const { userId, key, secret, balances, ...rest } = parsed.data;
  return {
    ...rest,
    balances: {
      spot: plainAmounts(balances.spot),
      margin: plainAmounts(balances.margin),
      futures: plainAmounts(balances.futures),
    },
    userId: userId ?? freeUserId(making.taken),
    key: key ?? making.randomText(),
    secret: secret ?? making.randomText(),
  };
}

/** Writes each amount in one form: 010.50 becomes 10.5. */
function plainAmounts(amounts: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(amounts).map(([asset, amount]) => [asset, formatFixed(parseFixed(amount))]),
  );
}

function freeUserId(taken: readonly string[]): string {
  let id = FIRST_USER_ID;
  while (taken.includes(String(id))) id += 1;
  return String(id);
}
