import { spawn, type ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** The compiled program: `npm test` compiles before it tests. */
const MAIN = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));

interface Announced {
  readonly url: string;
  readonly port: number;
  readonly controlToken: string;
  readonly accounts: readonly { readonly key: string; readonly secret: string }[];
}

/** `evenkeel exchange` in a process of its own. */
export interface ExchangeProcess extends Omit<Announced, 'accounts'> {
  readonly child: ChildProcess;
  readonly key: string;
  readonly secret: string;
  /** Its output on the error stream: only the status line, unless something fails. */
  errors(): string;
}

let children: ChildProcess[] = [];

/** Starts the exchange on a free port and waits until it announces its address. If it ends first, rejects with its output. */
export async function startExchangeProcess(
  args: readonly string[],
  cwd: string,
): Promise<ExchangeProcess> {
  const flags = ['exchange', ...args, '--port', '0', '--json'];
  const child = spawn(process.execPath, [MAIN, ...flags], { cwd });
  children.push(child);
  let [output, errors] = ['', ''];
  child.stderr.on('data', (text: Buffer) => (errors += text.toString()));
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (text: Buffer) => {
      output += text.toString();
      if (output.includes('\n')) resolve(output);
    });
    child.once('exit', () => {
      reject(new Error(`the exchange ended: ${errors}`));
    });
  });
  const { accounts, ...announced } = JSON.parse(line) as Announced;
  const [account] = accounts;
  if (account === undefined) throw new Error('expected an account');
  const { key, secret } = account;
  return { ...announced, child, key, secret, errors: () => errors };
}

/** Kills every exchange that was started; for the end of a test. */
export function killExchanges(): void {
  for (const child of children) child.kill('SIGKILL');
  children = [];
}

export function isRunning({ child }: ExchangeProcess): boolean {
  return child.exitCode === null && child.signalCode === null;
}

/** Resident memory in bytes; undefined if the system does not report it. */
export async function residentBytes({
  child,
}: Pick<ExchangeProcess, 'child'>): Promise<number | undefined> {
  try {
    const status = await readFile(`/proc/${String(child.pid)}/status`, 'utf8');
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1_024;
  } catch {
    return undefined;
  }
}
