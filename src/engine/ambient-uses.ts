import { fileURLToPath } from 'node:url';
import { formatUtc, type EpochMs, type ErrorCode } from '../domain/index.js';

/** What of the outside a strategy can use while its engine runs it, and that is noticed. */
export type AmbientKind = 'clock' | 'random' | 'promise';

/** One place where a strategy used the clock, chance or a promise, and how often. */
export interface AmbientUse {
  readonly kind: AmbientKind;
  /** For example `Date.now`. */
  readonly what: string;
  /** Absolute path; undefined where it cannot be told. */
  readonly file: string | undefined;
  /** From 1. */
  readonly line: number | undefined;
  readonly count: number;
  /** The engine's time, of the first and of the last. */
  readonly first: EpochMs;
  readonly last: EpochMs;
}

interface Place {
  readonly file: string | undefined;
  readonly line: number | undefined;
}

/** Uses whose place is looked for; what comes later is counted with the place that was found last of the same. */
const MOST_LOOKS = 1_000;
/** Places that are kept. */
const MOST_PLACES = 20;
/** Calls between a strategy and what a package does for it. */
const MOST_FRAMES = 50;

/** Our own code, as it runs: what it uses is not the strategy's use. */
const OWN_FOLDER = fileURLToPath(new URL('../', import.meta.url));

/** Collects what a strategy uses of the outside. Nothing is done, and nothing costs, until it uses something. */
export class AmbientUses {
  readonly #now: () => EpochMs;
  readonly #byPlace = new Map<string, { -readonly [Key in keyof AmbientUse]: AmbientUse[Key] }>();
  readonly #list: AmbientUse[] = [];
  readonly #lastPlaces = new Map<string, Place>();
  #looks = 0;

  constructor(now: () => EpochMs) {
    this.#now = now;
  }

  /** `hidden` is the function that calls it: the place is above it. */
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

  /** Undefined where it is no use of the strategy's. */
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

/** Codes that looking at the text of a plugin uses for the same. */
export const AMBIENT_CODES = {
  clock: 'E_PLUGIN_CLOCK',
  random: 'E_PLUGIN_RANDOM',
  promise: 'E_PLUGIN_PROMISE',
} as const satisfies Readonly<Record<AmbientKind, ErrorCode>>;

/** Says a use in one line. `nameFile` shortens an absolute path. */
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

/** The innermost place of the stack that is neither ours, nor Node's, nor a package's. */
function findPlace(hidden: (...given: never[]) => unknown): Place | undefined {
  for (const site of captureSites(hidden)) {
    const file = fileOf(site);
    if (file === undefined || file.startsWith('node:') || /[\\/]node_modules[\\/]/.test(file))
      continue;
    // What we do on its behalf, a line in the log for example, is our use.
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
