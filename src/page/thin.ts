/** Most points of a curve on a page: more than a screen has pixels. */
const MOST_POINTS = 6_000;

/** Thins a curve with too many points: keeps the first, lowest, highest and last point of each stretch. */
export function thin<Point>(
  points: readonly Point[],
  valueOf: (point: Point) => number,
): readonly Point[] {
  if (points.length <= MOST_POINTS) return points;
  const stretch = Math.ceil(points.length / (MOST_POINTS / 4));
  const kept: Point[] = [];
  for (let start = 0; start < points.length; start += stretch) {
    const end = Math.min(points.length, start + stretch);
    const places = [start, end - 1];
    let [low, high] = [start, start];
    for (let place = start; place < end; place += 1) {
      if (valueOf(points[place] as Point) < valueOf(points[low] as Point)) low = place;
      if (valueOf(points[place] as Point) > valueOf(points[high] as Point)) high = place;
    }
    const chosen = [...new Set([...places, low, high])].sort((a, b) => a - b);
    kept.push(...chosen.map((place) => points[place] as Point));
  }
  return kept;
}
