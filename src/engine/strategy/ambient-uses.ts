import { fileURLToPath } from 'node:url';
import { formatUtc, type EpochMs, type ErrorCode } from '../../domain/index.js';

/** Uses of the outside world that are noticed while an engine runs a strategy. */
export type AmbientKind = 'clock' | 'random' | 'promise';

/** One place where a strategy used the clock, random values or a promise, and how often. */
export interface AmbientUse {
  readonly kind: AmbientKind;
  /** For example `Date.now`. */
  readonly what: string;
  /** Absolute path; undefined if it is unknown. */
  readonly file: string | undefined;
  /** From 1. */
  readonly line: number | undefined;
  readonly count: number;
  /** Engine time of the first use, and (`last`) of the last one. */
  readonly first: EpochMs;
  readonly last: EpochMs;
}

interface Place {
  readonly file: string | undefined;
  readonly line: number | undefined;
}

/** How many uses have their place looked up. Later uses count for the last place that was found for the same function. */
const MOST_LOOKS = 1_000;
/** Most places that are kept. */
const MOST_PLACES = 20;
/** Depth of the searched stack: calls of packages may lie between the strategy and the use. */
const MOST_FRAMES = 50;

/** Folder of our own running code. Its uses are not the strategy's. */
const OWN_FOLDER = fileURLToPath(new URL('../../', import.meta.url));

/** Collects uses of the outside world by a strategy. It costs nothing until the strategy uses something. */
export class AmbientUses {
  readonly #now: () => EpochMs;
  readonly #byPlace = new Map<string, { -readonly [Key in keyof AmbientUse]: AmbientUse[Key] }>();
  readonly #list: AmbientUse[] = [];
  readonly #lastPlaces = new Map<string, Place>();
  #looks = 0;

  constructor(now: () => EpochMs) {
    this.#now = now;
  }

  /** `hidden`: the function that calls this one. The place is above it on the stack. */
  note(kind: AmbientKind, what: string, hidden: (...given: never[]) => unknown): void {
    const place = this.#placeOf(what, hidden);
    if (place === undefined) return;
    const { file, line } = place;
    const key = `${what} ${file ?? ''}:${String(line)}`;
    const known = this.#byPlace.get(key);
    const now = this.#now();
    if (known !== undefined) {
      known.count += 1;
      known.last = now;
    } else if (this.#list.length < MOST_PLACES) {
      const use = { kind, what, file, line, count: 1, first: now, last: now };
      this.#byPlace.set(key, use);
      this.#list.push(use);
    }
  }

  /** In the order in which they were noticed. It grows while the run goes on. */
  get list(): readonly AmbientUse[] {
    return this.#list;
  }

  /** Undefined if the use is not the strategy's. */
  #placeOf(what: string, hidden: (...given: never[]) => unknown): Place | undefined {
    const known = this.#looks < MOST_LOOKS ? undefined : this.#lastPlaces.get(what);
    if (known !== undefined) return known;
    const place = findPlace(hidden);
    if (place === undefined) return undefined;
    this.#looks += 1;
    this.#lastPlaces.set(what, place);
    return place;
  }
}

const MEANINGS: Readonly<Record<AmbientKind, string>> = {
  clock: 'read the clock',
  random: 'drew random values',
  promise: "made promises, which do not follow the engine's clock",
};

/** Codes of the same findings in a check of the plugin's text. */
const AMBIENT_CODES = {
  clock: 'E_PLUGIN_CLOCK',
  random: 'E_PLUGIN_RANDOM',
  promise: 'E_PLUGIN_PROMISE',
} as const satisfies Readonly<Record<AmbientKind, ErrorCode>>;

/** Describes a use in one line. `nameFile` shortens an absolute path. */
export function describeAmbientUse(
  { kind, what, file, line, count, first, last }: AmbientUse,
  nameFile: (file: string) => string,
): string {
  const place = file === undefined ? '' : ` at ${nameFile(file)}:${String(line)}`;
  const times =
    count === 1
      ? `once, on ${formatUtc(first)}`
      : `${String(count)} times from ${formatUtc(first)} to ${formatUtc(last)}`;
  return `the strategy ${MEANINGS[kind]} (${what}${place}, ${times}): another run may give other orders (${AMBIENT_CODES[kind]})`;
}

/** The innermost place on the stack that is neither Node's nor a package's; undefined if that place is ours. */
function findPlace(hidden: (...given: never[]) => unknown): Place | undefined {
  for (const site of captureSites(hidden)) {
    const file = fileOf(site);
    if (file === undefined || file.startsWith('node:') || /[\\/]node_modules[\\/]/.test(file))
      continue;
    // Work that we do for the strategy, such as a log line, is our use.
    if (file.startsWith(OWN_FOLDER)) return undefined;
    return { file, line: site.getLineNumber() ?? undefined };
  }
  return undefined;
}

function fileOf(site: NodeJS.CallSite): string | undefined {
  const name = site.getFileName() ?? undefined;
  return name?.startsWith('file:') === true ? fileURLToPath(name) : name;
}

function captureSites(hidden: (...given: never[]) => unknown): readonly NodeJS.CallSite[] {
  const { stackTraceLimit } = Error;
  const before = Object.getOwnPropertyDescriptor(Error, 'prepareStackTrace');
  const holder: { stack?: readonly NodeJS.CallSite[] } = {};
  try {
    Error.stackTraceLimit = MOST_FRAMES;
    Error.prepareStackTrace = (_, sites) => sites;
    Error.captureStackTrace(holder, hidden);
    return holder.stack ?? [];
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
    if (before === undefined) Reflect.deleteProperty(Error, 'prepareStackTrace');
    else Object.defineProperty(Error, 'prepareStackTrace', before);
  }
}
