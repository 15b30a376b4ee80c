import { createColors } from 'picocolors';
import { visibleText } from '../../domain/index.js';

/** Members that the text of a line already contains, or that are of no use for people. */
const KNOWN = new Set(['level', 'time', 'bot', 'mode', 'kind', 'eventTime', 'msg']);
/** Kinds of lines whose text is enough; the JSON log has the rest. */
const TERSE = new Set(['verdict', 'submit', 'cancel', 'order', 'fill', 'state', 'heartbeat']);

/** Writes one line of a JSON log for people: `12:00:00.123 sma-btc fill filled buy …`. A line that is not JSON keeps its text. No text controls the terminal. */
export function prettyLine(line: string, options: { readonly color: boolean }): string {
  const entry = parse(line);
  if (entry === undefined) return visibleText(line.trimEnd());
  const colors = createColors(options.color);
  const { level, time, bot, mode, kind, msg } = entry;
  const clock = typeof time === 'number' ? new Date(time).toISOString().slice(11, 23) : '';
  const text = level === 'warn' ? colors.yellow(textOf(msg)) : textOf(msg);
  const rest = TERSE.has(textOf(kind)) ? '' : restOf(entry);
  const head = `${colors.dim(clock)} ${textOf(bot)}${mode === 'dry-run' ? colors.yellow(' dry run') : ''} ${colors.cyan(textOf(kind).padEnd(9))}`;
  return `${head} ${text}${rest === '' ? '' : ` ${colors.dim(rest)}`}`;
}

type Entry = Readonly<Record<string, unknown>>;

function restOf(entry: Entry): string {
  const rest = Object.entries(entry)
    .filter(([name]) => !KNOWN.has(name))
    .map(([name, value]) =>
      name === 'fields' ? JSON.stringify(value) : `${name}=${JSON.stringify(value)}`,
    )
    .join(' ');
  return visibleText(rest);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? visibleText(value) : '';
}

function parse(line: string): Entry | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Entry) : undefined;
  } catch {
    return undefined;
  }
}
