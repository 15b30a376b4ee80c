import type { Archive, HoldingInfo, HoldingKey } from '../../archive/index.js';

/**
 * Returns an archive's information about stored rows or records; undefined if they are not stored.
 *
 * @throws {DataError} as `Archive.holdings`, and if the stored file cannot be used.
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
