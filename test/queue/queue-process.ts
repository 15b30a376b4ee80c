import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

export interface ProcessOptions {
  readonly folder: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Modules of this folder that are loaded first. */
  readonly preload?: readonly string[];
}

/** The compiled program in a process of its own. */
export class QueueProcess {
  readonly #process: ChildProcess;
  #output = '';
  readonly ended: Promise<{ readonly code: number | null; readonly signal: string | null }>;

  constructor(words: readonly string[], { folder, env = {}, preload = [] }: ProcessOptions) {
    const imports = preload.map((name) => `--import=${new URL(name, import.meta.url).href}`);
    this.#process = spawn(process.execPath, [...imports, PROGRAM, ...words], {
      cwd: folder,
      env: { PATH: process.env['PATH'] ?? '', HOME: folder, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.#process.stdout, this.#process.stderr])
      stream?.on('data', (text: Buffer) => {
        this.#output += text.toString();
      });
    this.ended = once(this.#process, 'close').then(([code, signal]) => ({
      code: code as number | null,
      signal: signal as string | null,
    }));
  }

  get output(): string {
    return this.#output;
  }

  get isRunning(): boolean {
    return this.#process.exitCode === null && this.#process.signalCode === null;
  }

  get pid(): number {
    return this.#process.pid ?? 0;
  }

  kill(signal: NodeJS.Signals = 'SIGKILL'): void {
    this.#process.kill(signal);
  }
}
