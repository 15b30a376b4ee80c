import { createHash } from 'node:crypto';
import { appendFile, readFile } from 'node:fs/promises';
import { DataError, formatFixed, reasonOf, UsageError } from '../../domain/index.js';
import type { CliContext } from '../cli-context.js';
import type { UnloggedSetup } from './load-setups.js';

/**
 * Asks the operator to type the bot's name before its first start with a key. A file beside the journal stores a hash of the key as the answer.
 *
 * @throws {UsageError} `E_NOT_CONFIRMED` if another text is typed, or if there is no terminal; {DataError} `E_DATA_WRITE` if the
 * answer cannot be stored.
 */
export async function confirmKey(setup: UnloggedSetup, context: CliContext): Promise<void> {
  const memory = `${setup.journal}.keys`;
  const mark = markOf(setup);
  const known = await readFile(memory, 'utf8').catch(() => '');
  if (known.split('\n').includes(mark)) return;
  const { name } = setup.config;
  if (context.ask === undefined) {
    throw new UsageError(
      'E_NOT_CONFIRMED',
      `no terminal to confirm the first live start of ${name} on this key; --yes skips the confirmation`,
    );
  }
  context.stderr.write(describeRisk(setup));
  const typed = await context.ask(`Type the name of the bot to let it trade: `);
  if (typed?.trim() !== name) {
    throw new UsageError('E_NOT_CONFIRMED', `expected "${name}"; nothing was started`);
  }
  await appendFile(memory, `${mark}\n`, { mode: 0o600 }).catch((cause: unknown) => {
    throw new DataError('E_DATA_WRITE', `cannot write ${memory}: ${reasonOf(cause)}`, {
      cause,
    });
  });
}

/** The hash includes the bot's name, so that an answer for one bot is not valid for another with the same journal file. */
function markOf({ config, credentials }: UnloggedSetup): string {
  // A custom venue may have no keys.
  const key = credentials?.key.reveal() ?? config.venue.path ?? '';
  const hash = createHash('sha256').update(`evenkeel live ${config.name} ${key}`).digest('hex');
  return `sha256:${hash}`;
}

function describeRisk({ config, journal }: UnloggedSetup): string {
  const { name, venue, instruments, live } = config;
  const hosts = [...new Set([venue.path, venue.spotUrl, venue.futuresUrl])].filter(
    (url) => url !== undefined,
  );
  const allocation = Object.entries(live.allocation).flatMap(([account, amounts]) =>
    [...amounts].map(([asset, amount]) => `${account} ${formatFixed(amount)} ${asset}`),
  );
  const lines = [
    `${name} will trade with real money, for the first time on this key:`,
    `  venue       ${hosts.join(', ')}`,
    `  instruments ${instruments.map(({ instrumentId }) => instrumentId).join(', ')}`,
    `  allocation  ${allocation.join(', ')}`,
    `  at its stop ${STOPS[live.onStop]}`,
    `  journal     ${journal}`,
  ];
  return `${lines.join('\n')}\n`;
}

const STOPS = {
  keep: 'it keeps its orders and positions',
  cancel: 'it cancels its orders and keeps its positions',
  flatten: 'it cancels its orders and closes its positions',
} as const;
