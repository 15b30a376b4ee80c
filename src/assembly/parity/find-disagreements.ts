import { compareVenue, describeDisagreement, type Disagreement } from '../../live/index.js';

type CompareVenueOptions = Parameters<typeof compareVenue>[0];

/** Disagreements about commands that have not arrived, or whose answers are still missing. */
const ON_ITS_WAY: readonly Disagreement['kind'][] = [
  'submit-without-answer',
  'command-never-journalled-as-sent',
  'cancel-without-answer',
];

/**
 * Compares the state of a bot with its venue, as a live bot does at its start, after everything that happened has been read. Returns a line for each
 * disagreement.
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
