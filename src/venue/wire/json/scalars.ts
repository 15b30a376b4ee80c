import { fixedFromNumber, parseFixed, type Fixed } from '../../../domain/index.js';

/**
 * How one kind of value is read from an answer, whatever spelling a deployment chose.
 *
 * `read` returns undefined for what it does not understand, and never throws.
 */
export interface Scalar<T> {
  /** For the error: "expected …". */
  readonly expected: string;
  /** JSON types it accepts, for the documentation. */
  readonly types: readonly string[];
  /** Canonical spellings, for the documentation. */
  readonly values?: readonly (string | number)[];
  /** Whether 0 stands for "no value" in a field that may be missing. */
  readonly zeroIsAbsent?: true;
  read(value: unknown): T | undefined;
}

const DECIMAL_TEXT = /^[+-]?\d{1,40}(?:\.\d{1,40})?(?:[eE][+-]?\d{1,2})?$/;
/** Larger amounts are damage, and would make arithmetic slow. */
const LARGEST_AMOUNT = 1e40;
/** Times below this are seconds: as milliseconds they would lie before 1973-03-03. */
const SECONDS_LIMIT = 1e11;
/** Most characters of a text: those of the longest client id that a request may carry, because a list must show every order. */
export const LONGEST_TEXT = 255;
/** Last instant a Date can hold. */
const LAST_INSTANT = 8.64e15;

/** Exact decimal. Text is read digit by digit; a number of at most 15 digits by its shortest text. */
export const DECIMAL: Scalar<Fixed> = {
  expected: 'a decimal number',
  types: ['number', 'string'],
  read(value) {
    if (typeof value === 'number') {
      return Math.abs(value) < LARGEST_AMOUNT ? fixedFromNumber(value) : undefined;
    }
    return typeof value === 'string' && DECIMAL_TEXT.test(value) ? parseFixed(value) : undefined;
  },
};

/** Exact decimal that cannot be below 0: a quantity, or a price that may be missing. */
export const AMOUNT: Scalar<Fixed> = {
  ...DECIMAL,
  expected: 'a decimal number >= 0',
  read(value) {
    const amount = DECIMAL.read(value);
    return amount !== undefined && amount >= 0n ? amount : undefined;
  },
};

/** Exact price of a trade, or of a market. Some deployments write 0 where there is none: a stop must not take it for a price. */
export const PRICE: Scalar<Fixed> = {
  ...DECIMAL,
  expected: 'a price above 0',
  zeroIsAbsent: true,
  read(value) {
    const price = DECIMAL.read(value);
    return price !== undefined && price > 0n ? price : undefined;
  },
};

/** Candle prices and volumes, which are float64 by design. */
export const FLOAT: Scalar<number> = {
  expected: 'a decimal number >= 0',
  types: ['number', 'string'],
  read(value) {
    const number = typeof value === 'string' && DECIMAL_TEXT.test(value) ? Number(value) : value;
    return typeof number === 'number' && number >= 0 && number < Infinity ? number : undefined;
  },
};

/** Whole number ≥ 0 that is no id: a precision, a count. */
export const COUNT: Scalar<number> = {
  expected: 'a whole number >= 0',
  types: ['integer', 'string'],
  read(value) {
    const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
    return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0
      ? number
      : undefined;
  },
};

/** An id as text. Numbers above 2^53 are refused: their digits were lost before they came here. */
export const ID: Scalar<string> = {
  expected: 'an id (whole number, text, or a list of one of them)',
  types: ['integer', 'string', 'array'],
  read(value) {
    const id: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
    if (typeof id === 'number') return Number.isSafeInteger(id) && id >= 0 ? String(id) : undefined;
    return typeof id === 'string' && /^[\w-]{1,64}$/.test(id) ? id : undefined;
  },
};

/** UTC milliseconds; seconds are recognized by their size. */
export const INSTANT: Scalar<number> = {
  expected: 'a time in milliseconds or seconds since 1970',
  types: ['integer', 'string'],
  zeroIsAbsent: true,
  read(value) {
    const number = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value;
    if (typeof number !== 'number' || !Number.isInteger(number) || number <= 0) return undefined;
    const time = number < SECONDS_LIMIT ? number * 1000 : number;
    return time <= LAST_INSTANT ? time : undefined;
  },
};

const LOCAL_TEXT = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:?\d{2})?$/;

/** A time of any form: a number, or the venue's local text without a zone such as `2020-12-11T17:42:10`. */
export const LOCAL_TIME: Scalar<number | string> = {
  expected: 'a time as number or as text such as 2020-12-11T17:42:10',
  types: ['integer', 'string'],
  zeroIsAbsent: true,
  read(value) {
    if (typeof value === 'string' && LOCAL_TEXT.test(value)) {
      return value;
    }
    return INSTANT.read(value);
  },
};

export const TEXT: Scalar<string> = {
  expected: 'text',
  types: ['string', 'number'],
  read(value) {
    if (typeof value === 'number') return String(value);
    return typeof value === 'string' && value.length <= LONGEST_TEXT ? value : undefined;
  },
};

/** The venue's name of a pair or contract. Deployments write it in either case; it is upper case here. */
export const SYMBOL: Scalar<string> = {
  expected: 'a symbol such as BTCUSDT or E-BTC-USDT',
  types: ['string'],
  read(value) {
    return typeof value === 'string' && /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(value)
      ? value.toUpperCase()
      : undefined;
  },
};

export const FLAG: Scalar<boolean> = {
  expected: 'true or false',
  types: ['boolean', 'integer', 'string'],
  read(value) {
    if (value === true || value === 1 || value === '1' || value === 'true') return true;
    return value === false || value === 0 || value === '0' || value === 'false' ? false : undefined;
  },
};
