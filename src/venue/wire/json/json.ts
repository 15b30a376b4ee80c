import { WireFormatError } from '../../../domain/index.js';

/** What {@link parseJson} returns. Numbers of more than 15 digits are text: a float64 would change them. */
export type JsonValue =
  null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** A number written exactly as its text says: order ids above 2^53 and decimals of any length. */
export class JsonNumber {
  readonly text: string;

  /** @throws {WireFormatError} `E_WIRE_JSON` unless the text is a JSON number. */
  constructor(text: string) {
    if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text)) {
      throw new WireFormatError('E_WIRE_JSON', `expected a JSON number, received ${shorten(text)}`);
    }
    this.text = text;
  }
}

/** A piece of JSON that is written as it stands. */
export class JsonText {
  readonly text: string;

  /** @throws {WireFormatError} `E_WIRE_JSON` unless the text is JSON. */
  constructor(text: string) {
    parseJson(text);
    this.text = text;
  }
}

/** What {@link formatJson} writes. Members that are undefined are left out. */
export type JsonOutput =
  | null
  | boolean
  | number
  | string
  | JsonNumber
  | JsonText
  | readonly JsonOutput[]
  | { readonly [key: string]: JsonOutput | undefined };

/** Digits a float64 always keeps. */
const EXACT_DIGITS = 15;
/** Exponents beyond this leave the range in which 15 digits survive, or make numbers without meaning. */
const EXACT_EXPONENT = 100;
/** Quick check: if no number starts with 16 digits or points, and none has an exponent, no number can be inexact. */
const HAS_LONG_NUMBER = /(?:^|[-:[,\s])[\d.]{16}/;
const HAS_EXPONENT = /\d[eE]/;
/** A whole number of the grammar, with its exponent. */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE]([+-]?\d+))?$/;
/** A run of characters that numbers consist of. The run need not be a valid number. */
const NUMBER_STRETCH = /[\d.eE+-]+/y;
const COLON = /[ \t\n\r]*:/y;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;

/**
 * Parses JSON without losing a digit: a number of more than 15 digits becomes the text it was.
 *
 * JSON.parse does the parsing; numbers that it would damage are quoted before. This was chosen by test and measurement
 * (test/perf/wire.bench.ts) over lossless-json with a number parser of the same rule, which gives the same values, takes two to three
 * times as long and runs out of stack on an answer of brackets.
 * @throws {WireFormatError} `E_WIRE_JSON` when the text is no JSON.
 */
export function parseJson(text: string): JsonValue {
  const hasExponent = HAS_EXPONENT.test(text);
  const isSuspect = hasExponent || HAS_LONG_NUMBER.test(text);
  const exact = isSuspect ? quoteInexact(text, hasExponent ? 1 : EXACT_DIGITS + 1) : text;
  try {
    return JSON.parse(exact) as JsonValue;
  } catch (error: unknown) {
    throw new WireFormatError('E_WIRE_JSON', `expected JSON, received ${shorten(text)}`, {
      cause: error,
    });
  }
}

/** Puts numbers of at least `shortest` characters that a float64 would change in quotes. Text that is no JSON stays no JSON. */
function quoteInexact(text: string, shortest: number): string {
  let quoted = '';
  let copied = 0;
  let at = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(text, at);
    } else if (code === MINUS || (code >= ZERO && code <= NINE)) {
      const end = endOfStretch(NUMBER_STRETCH, text, at);
      if (end - at >= shortest && isInexact(text.slice(at, end)) && !isKey(text, end)) {
        quoted += `${text.slice(copied, at)}"${text.slice(at, end)}"`;
        copied = end;
      }
      at = end;
    } else {
      at += 1;
    }
  }
  return quoted + text.slice(copied);
}

/** Place after the string that starts at `start`; the end of the text where it is unfinished. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1) {
    let before = end;
    while (text.charCodeAt(before - 1) === BACKSLASH) before -= 1;
    if ((end - before) % 2 === 0) return end + 1;
    end = text.indexOf('"', end + 1);
  }
  return text.length;
}

/** Place after the match of a sticky pattern at `start`; `start` if there is no match. */
function endOfStretch(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start;
  return pattern.test(text) ? pattern.lastIndex : start;
}

/** Whether a colon follows: a number there is no JSON, and must not become a key by being quoted. */
function isKey(text: string, end: number): boolean {
  return endOfStretch(COLON, text, end) > end;
}

function isInexact(text: string): boolean {
  const match = NUMBER.exec(text);
  if (match === null) return false;
  const [mantissa = ''] = text.split(/[eE]/);
  const digits = mantissa.replace(/[-.]/g, '').length;
  return digits > EXACT_DIGITS || Math.abs(Number(match[1] ?? 0)) > EXACT_EXPONENT;
}

/**
 * Writes JSON, members in their own order, {@link JsonNumber} digit by digit; in one line, or indented by `indent` spaces per level.
 */
export function formatJson(value: JsonOutput, indent = 0): string {
  return indent === 0 ? writeLine(value) : write(value, { step: ' '.repeat(indent), margin: '\n' });
}

/** What to write before each entry of an indented list or object. */
interface Layout {
  readonly step: string;
  readonly margin: string;
}

function write(value: JsonOutput, layout: Layout): string {
  if (value instanceof JsonNumber || value instanceof JsonText) return value.text;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = { step: layout.step, margin: layout.margin + layout.step };
  const [first, last, entries] = isList(value)
    ? ['[', ']', value.map((entry) => write(entry, inner))]
    : ['{', '}', writeMembers(value, inner)];
  if (entries.length === 0) return first + last;
  return first + inner.margin + entries.join(`,${inner.margin}`) + layout.margin + last;
}

function writeMembers(
  value: { readonly [key: string]: JsonOutput | undefined },
  layout: Layout,
): readonly string[] {
  return Object.entries(value).flatMap(([key, member]) =>
    member === undefined ? [] : [`${JSON.stringify(key)}: ${write(member, layout)}`],
  );
}

/** One line, as answers are: written piece by piece, because a server writes thousands of members a second. */
function writeLine(value: JsonOutput): string {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : 'null';
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (value instanceof JsonNumber || value instanceof JsonText) return value.text;
  let text = '';
  if (isList(value)) {
    for (const entry of value) text += (text === '' ? '' : ',') + writeLine(entry);
    return `[${text}]`;
  }
  for (const key of Object.keys(value)) {
    const member = value[key];
    if (member === undefined) continue;
    text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${writeLine(member)}`;
  }
  return `{${text}}`;
}

function isList(value: JsonOutput): value is readonly JsonOutput[] {
  return Array.isArray(value);
}

/** Shows the start of a text in an error: one line, at most 40 characters. */
function shorten(text: string): string {
  const line = text.slice(0, 41).replace(/\s+/g, ' ');
  return text.length === 0 ? 'nothing' : `"${line.slice(0, 40)}${text.length > 40 ? '…' : ''}"`;
}
