import { Session, type Profiler } from 'node:inspector';

/** Folders of the program: compiled, or its source as the tests load it. */
const FOLDERS = ['dist-modules/', 'src/'];

/** A function of the program and how often it was called. */
export interface CountedFunction {
  /** With the folder of the program, `dist-modules` or `src`. */
  readonly file: string;
  /** Empty for a function without a name. */
  readonly name: string;
  readonly calls: number;
}

/** Counts the calls of the program's functions, by the coverage of the JavaScript engine. The same work gives the same counts on each machine. */
export class CallCounter {
  readonly #session = new Session();

  constructor() {
    this.#session.connect();
    this.#session.post('Profiler.enable');
    this.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  }

  /** Functions that were called since the last call of this method. */
  take(): readonly CountedFunction[] {
    let counted: readonly CountedFunction[] = [];
    // The answer comes before `post` returns.
    this.#session.post('Profiler.takePreciseCoverage', (error, { result }) => {
      if (error !== null) throw error;
      counted = result.flatMap((script) => functionsOf(script));
    });
    return counted;
  }

  stop(): void {
    this.#session.disconnect();
  }
}

function functionsOf({ url, functions }: Profiler.ScriptCoverage): readonly CountedFunction[] {
  const folder = FOLDERS.find((name) => url.includes(`/${name}`));
  if (folder === undefined || url.includes('/node_modules/')) return [];
  const file = url.slice(url.indexOf(`/${folder}`) + 1);
  return functions
    .map(({ functionName: name, ranges }) => ({ file, name, calls: ranges[0]?.count ?? 0 }))
    .filter(({ calls }) => calls > 0);
}
