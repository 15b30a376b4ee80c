import type { Archive, HoldingInfo, HoldingKey } from '../../archive/index.js';

/**
 * What an archive says of something that it stores; undefined where it does not.
 *
 * @throws {DataError} as `Archive.holdings`, and where what is stored cannot be used.
 */
export async function storedInfo(
  archive: Archive,
  { kind, instrumentId, interval }: HoldingKey,
): Promise<HoldingInfo | undefined> {
  const found = (await archive.holdings()).find(
    ({ key }) =>
      key.kind === kind && key.instrumentId === instrumentId && key.interval === interval,
  );
  if (found?.status === 'broken') throw found.error;
  return found?.info;
}
