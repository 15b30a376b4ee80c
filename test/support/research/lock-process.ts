import { takeLedgerLock, type LedgerLock } from '../../../src/research/ledger/ledger-lock.js';

/** A process that takes the lock of a ledger on a message with its path and reports the result. It releases the lock on the message `release`. */
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
