/** `npm run test:long` multiplies every count by this. */
const LONG_FACTOR = 20;

const isLong = process.env['EVENKEEL_LONG'] === '1';
const scale = isLong ? LONG_FACTOR : 1;

/** Number of cases of a property whose test sets none: 100, in CI 200. */
export function propertyRuns(): number {
  return (process.env['CI'] === 'true' ? 200 : 100) * scale;
}

/**
 * How often a law of risk or of the ledger is tried: 1,000 times.
 *
 * @example see test/unit/architecture/runs.test.ts "are 1,000 for laws"
 */
export function lawRuns(): number {
  return 1_000 * scale;
}

/** How often a property is tried whose every case is a whole run, or several: 50 times, in a long run 2,000. */
export function replayRuns(): number {
  return isLong ? 2_000 : 50;
}

/** How many random sequences of steps a ledger is led through beside its naive twin: 300, in a long run 10,000. */
export function sequenceRuns(): number {
  return isLong ? 10_000 : 300;
}

/** How many sequences of intents and answers the order manager is led through, for each product: 150, with `EVENKEEL_SEQUENCES=N` N, in a long run 10,000. */
export function orderSequences(): number {
  const given = process.env['EVENKEEL_SEQUENCES'];
  if (given !== undefined) return Number.parseInt(given, 10);
  return isLong ? 10_000 : 150;
}

/** How many sequences of intents are played on paper, for each product: 10, with `EVENKEEL_SEQUENCES_PAPER=N` or `EVENKEEL_SEQUENCES=N` N, in a long run 1,000. */
export function paperSequences(): number {
  const given = process.env['EVENKEEL_SEQUENCES_PAPER'] ?? process.env['EVENKEEL_SEQUENCES'];
  if (given !== undefined) return Number.parseInt(given, 10);
  return isLong ? 1_000 : 10;
}

/** Number of sequences of intents on both sides of parity: 4, with `EVENKEEL_SEQUENCES_HTTP=N` N, in a long run 200. */
export function paritySequences(): number {
  const given = process.env['EVENKEEL_SEQUENCES_HTTP'];
  if (given !== undefined) return Number.parseInt(given, 10);
  return isLong ? 200 : 4;
}

/** Number of random replays compared with the plain replay: twice {@link replayRuns}, with `npm run test:differential` 1,000. */
export function differentialRuns(): number {
  return process.env['EVENKEEL_DIFFERENTIAL'] === '1' ? 1_000 : 2 * replayRuns();
}

/** How many ends of random runs are compared with longer runs: 20, with `EVENKEEL_ENDS=N` N, in a long run 10,000. */
export function endingRuns(): number {
  const given = process.env['EVENKEEL_ENDS'];
  if (given !== undefined) return Number.parseInt(given, 10);
  return isLong ? 10_000 : 20;
}

/** Number of random runs on both sides of parity, to ends of any kind, and half as many of restless strategies: 3, with `EVENKEEL_PARITY=N` N, in a long run 60. */
export function parityEnds(): number {
  const given = process.env['EVENKEEL_PARITY'];
  if (given !== undefined) return Number.parseInt(given, 10);
  return isLong ? 60 : 3;
}

/**
 * Number of runs of strategies that take too much risk, with and without a journal, and by parity: 10 and 2, with `EVENKEEL_BOLD=N` N and N ÷ 20 × 3, in a
 * long run 2,000 and 300.
 */
export function boldRuns(): { readonly journal: number; readonly parity: number } {
  const given = process.env['EVENKEEL_BOLD'];
  const journal = given !== undefined ? Number.parseInt(given, 10) : isLong ? 2_000 : 10;
  return { journal, parity: Math.ceil((journal * 3) / 20) };
}

/**
 * Seed of the cases of properties. It is the same in every run, so that a verdict on a tree is always the same; `npm run test:long` draws new cases each time,
 * and EVENKEEL_SEED=N draws the cases of N.
 */
export function propertySeed(): number {
  const given = process.env['EVENKEEL_SEED'];
  if (given !== undefined) return Number.parseInt(given, 10);
  return isLong ? Date.now() % 2 ** 31 : 20_260_101;
}
