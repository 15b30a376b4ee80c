import { compareVenue, describeDisagreement, type Disagreement } from '../../live/index.js';

type CompareVenueOptions = Parameters<typeof compareVenue>[0];

/** What a command that has not arrived, or whose answer is still looked for, leaves open. */
const ON_ITS_WAY: readonly Disagreement['kind'][] = [
  'submit-without-answer',
  'command-never-journalled-as-sent',
  'cancel-without-answer',
];

/**
 * Compares what a bot believes with what its venue shows, as a live bot does at its start, once all that has happened was read. Returns a line for
 * each disagreement.
 *
 * @throws errors of the source.
 */
export async function findDisagreements({
  session: { orders, commands },
  instruments,
  ...options
}: CompareVenueOptions): Promise<readonly string[]> {
  const found = await compareVenue({
    ...options,
    instruments: instruments.filter(({ isReadOnly }) => isReadOnly !== true),
    session: { orders, commands, readAccount: () => Promise.resolve() },
  });
  return found.filter(({ kind }) => !ON_ITS_WAY.includes(kind)).map(describeDisagreement);
}
