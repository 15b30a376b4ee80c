import {
  absFixed,
  DAY_MS,
  divideHalfEven,
  FIXED_DECIMALS,
  FIXED_ONE,
  formatFixed,
  formatUtc,
  HOUR_MS,
  MINUTE_MS,
  parseFixed,
  powerOfTen,
  type Asset,
  type EpochMs,
} from '../../domain/index.js';
import type { Figure } from '../figures/figure.js';

/** Text for a figure that the sample cannot support. */
const UNKNOWN = 'n/a';
const MONEY_DECIMALS = 2;
/** Decimals of a coin, and of amounts below 1. */
const COIN_DECIMALS = 8;
/** National currencies that exchanges quote in, and coins that follow one. The hundredth of any other coin may be worth a thousand dollars. */
const MONEY =
  /USD|^(?:AED|ARS|AUD|BIDR|BRL|CAD|CHF|CLP|CNY|COP|CZK|DAI|DKK|EUR|EUR[A-Z]|GBP|HKD|HUF|IDR|IDRT|ILS|INR|JPY|KRW|KZT|MXN|MYR|NGN|NOK|NZD|PHP|PLN|RUB|SAR|SEK|SGD|THB|TRY|TWD|UAH|VND|ZAR)$/;

/** Writes a whole number with separators between thousands: 87,840. */
export function countText(count: number): string {
  return grouped(String(count));
}

/** Most decimals with which amounts from 1 on are written: two of money such as USDT, eight of coins such as BTC. */
export function moneyDecimals(currency: Asset): number {
  return MONEY.test(currency) ? MONEY_DECIMALS : COIN_DECIMALS;
}

/** Writes an amount for reading: two to `most` decimals, or eight below 1, rounded half to even. Not for calculations. `most`: see {@link moneyDecimals}. */
export function shortAmount(amount: string, most: number): string {
  const value = parseFixed(amount);
  const isSmall = value !== 0n && absFixed(value) < FIXED_ONE;
  const unit = powerOfTen(FIXED_DECIMALS - (isSmall ? COIN_DECIMALS : most));
  const [whole = '', fraction = ''] = formatFixed(divideHalfEven(value, unit) * unit).split('.');
  return `${grouped(whole)}.${fraction.padEnd(MONEY_DECIMALS, '0')}`;
}

/** Writes a rate as percentage with two decimals: 0.0235 is "2.35 %". */
export function percentText(rate: Figure | undefined): string {
  return rate === null || rate === undefined ? UNKNOWN : `${twoDecimals(rate * 100)} %`;
}

/** Writes a ratio with two decimals. */
export function ratioText(ratio: Figure | undefined): string {
  return ratio === null || ratio === undefined ? UNKNOWN : twoDecimals(ratio);
}

/** Writes an amount with its currency; `n/a` if it is null. */
export function moneyText(amount: string | null, currency: Asset): string {
  return amount === null ? UNKNOWN : `${shortAmount(amount, moneyDecimals(currency))} ${currency}`;
}

/** Writes a duration in its two largest units: "12 d 4 h", "35 min". */
export function durationText(milliseconds: Figure): string {
  if (milliseconds === null) return UNKNOWN;
  const days = Math.floor(milliseconds / DAY_MS);
  const hours = Math.floor((milliseconds % DAY_MS) / HOUR_MS);
  const minutes = Math.floor((milliseconds % HOUR_MS) / MINUTE_MS);
  if (days > 0)
    return hours > 0 ? `${countText(days)} d ${String(hours)} h` : `${countText(days)} d`;
  if (hours > 0)
    return minutes > 0 ? `${String(hours)} h ${String(minutes)} min` : `${String(hours)} h`;
  return `${String(minutes)} min`;
}

/** Writes an instant in UTC: as a date at midnight, otherwise as date and time. */
export function instantText(time: EpochMs): string {
  const text = formatUtc(time);
  return time % DAY_MS === 0 ? text.slice(0, 10) : text;
}

/** The first digits of a hash: enough to tell hashes apart. */
export function shortHash(hash: string): string {
  return hash.slice(0, 12);
}

function twoDecimals(value: number): string {
  const text = value.toFixed(2);
  return text === '-0.00' ? '0.00' : grouped(text);
}

function grouped(number: string): string {
  const [whole = '', ...fraction] = number.split('.');
  return [whole.replace(/\B(?=(?:\d{3})+$)/g, ','), ...fraction].join('.');
}
