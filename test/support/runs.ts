/** `npm run test:long` multiplies every count by this. */
const LONG_FACTOR = 20;

const scale = process.env['EVENKEEL_LONG'] === '1' ? LONG_FACTOR : 1;

/** How often a property is tried where its test says nothing: 100 times, in CI 200 times. */
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
