import type { AnswerProfile } from '../../../src/venue/wire/index.js';
import { FAMILY_ADDITIONS, MARGIN_TWINS, UNLISTED } from './family-tables.js';
import { ENDPOINT_FACTS, RECORDS } from './interface-tables.js';

type Fields = readonly (readonly [string, string])[];
type Json = Readonly<Record<string, unknown>>;

/** Differences between an answer and the tables of the interface or its family: missing fields, extra fields, or fields of another type. */
export function differencesOf(id: string, answer: unknown, profile: AnswerProfile): string[] {
  const name = MARGIN_TWINS[id] ?? id;
  const output = ENDPOINT_FACTS.find((fact) => fact.id === name)?.output;
  const unlisted = UNLISTED[name];
  if (unlisted !== undefined) {
    const records = Array.isArray(answer) ? (answer as readonly unknown[]) : [answer];
    return records.flatMap((record) => compare(id, record, unlisted, profile));
  }
  if (output === undefined) return [`${id}: nothing is written about its answer`];
  const bare =
    name === 'spot.symbols' && profile === 'family' ? (answer as Json)['symbols'] : answer;
  if (output.isList !== Array.isArray(bare)) return [`${id}: expected a list or none`];
  const additions = profile === 'family' ? (FAMILY_ADDITIONS[name] ?? []) : [];
  const fields = [...RECORDS[output.record], ...additions];
  const records = output.isList ? (bare as readonly unknown[]) : [bare];
  if (records.length === 0) return [`${id}: expected records`];
  const own = records.flatMap((record) => compare(id, record, fields, profile));
  return [...own, ...nested(id, bare, profile)];
}

/** Differences in nested records: balances, margin accounts, positions and the levels of a book. */
function nested(id: string, answer: unknown, profile: AnswerProfile): string[] {
  if (id === 'spot.account') {
    const { balances } = answer as { readonly balances: readonly unknown[] };
    return balances.flatMap((balance) => compare(id, balance, RECORDS.balance, profile));
  }
  if (/depth$/.test(id)) {
    const { bids, asks } = answer as { readonly bids: unknown[][]; readonly asks: unknown[][] };
    const levels = [...bids, ...asks];
    const isPair = (level: unknown[]): boolean =>
      (profile === 'family' ? level.length >= 2 : level.length === 2) &&
      level.every((part) => isOf(part, 'float', profile));
    return levels.length > 0 && levels.every(isPair) ? [] : [`${id}: expected pairs of floats`];
  }
  if (id !== 'futures.account') return [];
  const { account } = answer as { readonly account: Json | readonly Json[] };
  if (Array.isArray(account) !== (profile === 'family'))
    return [`${id}: expected ${profile === 'family' ? 'a list' : 'an object'}`];
  return [account].flat().flatMap((entry: Json) => {
    const groups = entry['positionVos'] as readonly Json[];
    const positions = groups.flatMap((group) => group['positions'] as readonly Json[]);
    if (positions.length === 0) return [`${id}: expected a position`];
    return [
      ...compare(id, entry, RECORDS.marginAccount, profile),
      ...groups.flatMap((group) => compare(id, group, RECORDS.positionGroup, profile)),
      ...positions.flatMap((position) => compare(id, position, RECORDS.position, profile)),
    ];
  });
}

function compare(id: string, record: unknown, fields: Fields, profile: AnswerProfile): string[] {
  if (typeof record !== 'object' || record === null) return [`${id}: expected an object`];
  const values = record as Json;
  const known = new Map(fields.map(([name, type]) => [name.replace('?', ''), type]));
  const missing = fields
    .filter(([name]) => !name.endsWith('?') && !(name in values))
    .map(([name]) => `${id}.${name} is missing`);
  const others = Object.entries(values).flatMap(([name, value]) => {
    const type = known.get(name);
    if (type === undefined) return [`${id}.${name} is not known`];
    return isOf(value, type, profile)
      ? []
      : [`${id}.${name}: expected ${type}, received ${JSON.stringify(value)}`];
  });
  return [...missing, ...others];
}

/** Whether a value has a type of the interface. The family also writes amounts and ids as text, and ids of spot as a list of one. */
function isOf(value: unknown, type: string, profile: AnswerProfile): boolean {
  const isFamily = profile === 'family';
  const isNumber = typeof value === 'number';
  const isText = typeof value === 'string';
  switch (type) {
    case 'string':
      return isText;
    case 'boolean':
      return typeof value === 'boolean';
    case 'list':
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && value !== null;
    case 'time':
      return value === null || (isText && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/.test(value));
    case 'integer':
    case 'long':
    case 'id': {
      if (isFamily && Array.isArray(value) && value.length === 1)
        return isOf(value[0], type, profile);
      const digits = isText ? /^\d+$/.test(value) : isNumber && Number.isInteger(value);
      return digits && (isNumber || isFamily);
    }
    default:
      return isNumber || (isFamily && isText && /^-?\d+(?:\.\d+)?$/.test(value));
  }
}
