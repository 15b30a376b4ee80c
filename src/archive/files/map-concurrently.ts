/** Maps values with at most `concurrency` calls at a time; results stay in order. Rejects with the first failure, but the other calls go on. */
export async function mapConcurrently<T, R>(
  values: readonly T[],
  concurrency: number,
  map: (value: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let index = next; index < values.length; index = next) {
      next += 1;
      const value = values[index];
      if (value !== undefined) results[index] = await map(value);
    }
  };
  const workers = Math.min(concurrency, values.length);
  await Promise.all(Array.from({ length: workers }, work));
  return results;
}
