import { takeLedgerLock, type LedgerLock } from '../../../src/research/ledger/ledger-lock.js';

/** Takes the lock of each ledger that it is told of and says whether it has it, and lets it go when it is told so. */
let lock: LedgerLock | undefined;

process.on('message', (ledger: string) => {
  void answer(ledger).then((said) => process.send?.(said));
});

async function answer(ledger: string): Promise<string> {
  if (ledger === 'release') {
    await lock?.release();
    lock = undefined;
    return 'released';
  }
  try {
    lock = await takeLedgerLock(ledger);
    return 'taken';
  } catch (error: unknown) {
    return String((error as { readonly code?: unknown }).code);
  }
}

process.send?.('ready');
