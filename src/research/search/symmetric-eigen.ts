/** A square matrix, row by row. */
type Matrix = readonly Float64Array[];

/** Eigenvalues of a symmetric matrix. Each eigenvector is a column. */
export interface Eigen {
  readonly values: Float64Array;
  readonly vectors: Matrix;
}

/** Most sweeps over all pairs of axes. A matrix of a few dozen rows needs about six. */
const MAX_SWEEPS = 60;
/** The squares beside the diagonal count as zero below this share of all squares. */
const NOTHING = 1e-30;

/**
 * Eigenvalues and eigenvectors of a small symmetric matrix. The matrix is not changed.
 *
 * Source: Jacobi 1846, cyclic, as Golub, Van Loan, *Matrix computations*, §8.5.
 */
export function eigenOf(matrix: Matrix): Eigen {
  const a = matrix.map((row) => row.slice());
  const size = a.length;
  const vectors = a.map((_, row) => Float64Array.from({ length: size }, (__, at) => +(at === row)));
  const total = squares(a, () => true);
  for (let sweep = 0; sweep < MAX_SWEEPS; sweep += 1) {
    if (squares(a, (row, at) => row !== at) <= NOTHING * total) break;
    for (let p = 0; p < size; p += 1)
      for (let q = p + 1; q < size; q += 1) rotate(a, vectors, p, q);
  }
  return { values: Float64Array.from(a, (_, row) => at(a, row, row)), vectors };
}

/** Rotates two axes so that the element between them becomes 0. */
function rotate(a: Matrix, vectors: Matrix, p: number, q: number): void {
  const between = at(a, p, q);
  if (between === 0) return;
  const slope = (at(a, q, q) - at(a, p, p)) / (2 * between);
  const tangent = (slope < 0 ? -1 : 1) / (Math.abs(slope) + Math.hypot(slope, 1));
  const cosine = 1 / Math.hypot(tangent, 1);
  const sine = tangent * cosine;
  for (let k = 0; k < a.length; k += 1) turn(a, [k, p], [k, q], cosine, sine);
  for (let k = 0; k < a.length; k += 1) turn(a, [p, k], [q, k], cosine, sine);
  for (let k = 0; k < a.length; k += 1) turn(vectors, [k, p], [k, q], cosine, sine);
}

type Place = readonly [row: number, at: number];

function turn(matrix: Matrix, one: Place, two: Place, cosine: number, sine: number): void {
  const [x, y] = [at(matrix, ...one), at(matrix, ...two)];
  set(matrix, one, cosine * x - sine * y);
  set(matrix, two, sine * x + cosine * y);
}

function squares(a: Matrix, isCounted: (row: number, at: number) => boolean): number {
  let sum = 0;
  for (const [row, line] of a.entries())
    for (const [place, value] of line.entries()) if (isCounted(row, place)) sum += value * value;
  return sum;
}

function at(matrix: Matrix, row: number, place: number): number {
  return matrix[row]?.[place] ?? Number.NaN;
}

function set(matrix: Matrix, [row, place]: Place, value: number): void {
  const line = matrix[row];
  if (line !== undefined) line[place] = value;
}
