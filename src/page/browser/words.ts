/** Writes an instant in UTC: to the minute, or with seconds and milliseconds if it has them. */
export function timeText(time: number | null): string {
  if (time === null) return '';
  const text = new Date(time).toISOString();
  return time % 60_000 === 0
    ? text.slice(0, 16).replace('T', ' ')
    : text.slice(0, 23).replace('T', ' ').replace('.000', '');
}

export function dayText(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** Rounds decimal text half to even, for reading. */
export function amountText(amount: string | null, decimals = 2): string {
  if (amount === null) return '';
  const [whole = '0', fraction = ''] = amount.replace('-', '').split('.');
  const kept = BigInt(whole + fraction.padEnd(decimals, '0').slice(0, decimals));
  const rest = fraction.slice(decimals).padEnd(1, '0');
  const half = `5${'0'.repeat(rest.length - 1)}`;
  const isUp = rest > half || (rest === half && kept % 2n === 1n);
  const digits = String(kept + (isUp ? 1n : 0n)).padStart(decimals + 1, '0');
  const sign = amount.startsWith('-') && /[1-9]/.test(digits) ? '−' : '';
  const grouped = digits.slice(0, -decimals).replace(/\B(?=(\d{3})+$)/g, ',');
  return `${sign}${grouped}.${digits.slice(-decimals)}`;
}

/** Number of decimals with which half of the amounts show three digits or more: two for hundreds of dollars, more for parts of a coin. */
export function amountDecimals(amounts: readonly string[]): number {
  const sizes = amounts
    .map((amount) => Math.abs(Number(amount)))
    .filter((size) => size > 0)
    .sort((a, b) => a - b);
  const middle = sizes[sizes.length >>> 1] ?? 1_000;
  return Math.min(8, Math.max(2, 2 - Math.floor(Math.log10(middle))));
}

/** Writes an amount of a picture like the figures above it: with two to `most` decimals, or with eight below 1. */
export function moneyText(amount: number | null, most: number): string {
  if (amount === null) return '--';
  const decimals = amount !== 0 && Math.abs(amount) < 1 ? 8 : most;
  return minusText(
    amount.toLocaleString('en-US', {
      minimumFractionDigits: 2,
      maximumFractionDigits: decimals,
    }),
  );
}

/** A figure that is text already, with the minus sign of the other figures of a page. What is written as zero has no sign. */
export function minusText(figure: string): string {
  return figure.replace(/^-(?=[\d,.]*[1-9])/, '−').replace(/^-(?=\d)/, '');
}

export function percentText(value: number | null, decimals = 2): string {
  return value === null ? 'n/a' : `${minusText((value * 100).toFixed(decimals))} %`;
}

/** Number of decimals that keep percentages apart in a range of this width. */
export function percentDecimals(width: number): number {
  return width > 0 ? Math.min(6, Math.max(1, 1 - Math.floor(Math.log10((width * 100) / 2)))) : 2;
}

export function numberText(value: number | null): string {
  return value === null ? 'n/a' : minusText(value.toFixed(2));
}

/** Writes what 1 becomes, with enough decimals to tell one day from the next. */
export function growthText(value: number | null): string {
  return value === null ? 'n/a' : value.toFixed(4);
}

const UNITS = [
  ['w', 604_800_000],
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const;

/** Writes a duration in the largest unit that divides it: 4 h. */
export function lengthText(ms: number): string {
  const [name, length] = UNITS.find(([, unit]) => ms >= unit && ms % unit === 0) ?? ['ms', 1];
  return `${String(ms / length)} ${name}`;
}

/** Writes a duration in its two largest units: 3 d 4 h. */
export function durationText(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  const [d, h, m] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24, minutes % 60];
  if (d > 0) return h > 0 ? `${String(d)} d ${String(h)} h` : `${String(d)} d`;
  if (h > 0) return m > 0 ? `${String(h)} h ${String(m)} min` : `${String(h)} h`;
  return ms < 60_000 ? `${String(Math.round(ms / 1000))} s` : `${String(m)} min`;
}

/** Writes a number with all its digits, and never with an exponent. */
export function plainText(value: number): string {
  return minusText(
    value.toLocaleString('en-US', { maximumFractionDigits: 20, useGrouping: false }),
  );
}

/** Writes a figure short: 0.1234, −1.2. */
export function figureText(value: number | null | undefined): string {
  return value === null || value === undefined ? 'n/a' : plainText(Number(value.toPrecision(4)));
}

/** Writes a difference with its sign. A ratio has four digits, or two decimals as the figures beside it if these are more. A number of trades has all of its digits. */
export function differenceText(exact: string, kind: 'amount' | 'rate' | 'number'): string {
  const value = Number(exact);
  const text =
    kind === 'amount'
      ? amountText(exact, amountDecimals([exact]))
      : kind === 'rate'
        ? percentText(value).replace('%', 'pp')
        : Number.isInteger(value)
          ? plainText(value)
          : Math.abs(value) < 100
            ? figureText(value)
            : numberText(value);
  return text.startsWith('−') || !/[1-9]/.test(text) ? text : `+${text}`;
}

/** Significant digits of a price: more than ticks have, and fewer than averages. */
const PRICE_DIGITS = 9;

/** Writes a price with all its decimals. Averages have more than fit: they are rounded, and the exact text shows the rest. */
export function priceText(price: string | null): string {
  if (price === null) return '';
  const [whole = '0', fraction = ''] = price.split('.');
  const zeros = fraction.search(/[1-9]|$/);
  const decimals = Math.max(2, PRICE_DIGITS + (whole === '0' ? zeros : -whole.length));
  if (fraction.length <= decimals) return price;
  return amountText(price, decimals)
    .replaceAll(',', '')
    .replace(/\.?0+$/, '');
}
