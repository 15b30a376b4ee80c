/** A symmetric matrix, row after row; only its lower half is read. */
export interface SymmetricMatrix {
  readonly size: number;
  readonly values: Float64Array;
}

/** Most rotations for one eigenvalue. A matrix that needs more contains NaN. */
const MAX_ROTATIONS = 60;

/**
 * All eigenvalues of a symmetric matrix, unordered. The matrix is not changed. It takes about 4/3·n³ multiplications.
 *
 * @see Source: Martin, Reinsch, Wilkinson 1968 (Householder to three diagonals), Bowdler and others 1968 (implicit QL)
 */
export function eigenvaluesOf(matrix: SymmetricMatrix): Float64Array {
  const { diagonal, beside } = toThreeDiagonals(matrix);
  return chaseQl(diagonal, beside);
}

interface ThreeDiagonals {
  readonly diagonal: Float64Array;
  /** Element i stands between i − 1 and i; the first is 0. */
  readonly beside: Float64Array;
}

function toThreeDiagonals({ size, values }: SymmetricMatrix): ThreeDiagonals {
  const rows = Array.from({ length: size }, (_, row) =>
    values.slice(row * size, row * size + row + 1),
  );
  const diagonal = new Float64Array(size);
  const beside = new Float64Array(size);
  for (let row = size - 1; row >= 1; row -= 1) {
    beside[row] = reflect(rows, row);
    diagonal[row] = at(rowAt(rows, row), row);
  }
  if (size > 0) diagonal[0] = at(rowAt(rows, 0), 0);
  return { diagonal, beside };
}

/** Clears the elements of a row left of the neighbor of the diagonal, by one reflection of all rows before it. Returns that neighbor. */
function reflect(rows: readonly Float64Array[], row: number): number {
  const vector = rowAt(rows, row);
  const last = row - 1;
  let rest = 0;
  for (let k = 0; k < last; k += 1) rest += at(vector, k) ** 2;
  const corner = at(vector, last);
  if (rest === 0) return corner;
  const length = Math.sqrt(rest + corner * corner) * (corner > 0 ? -1 : 1);
  const half = rest + corner * corner - corner * length;
  vector[last] = corner - length;
  const product = multiply(rows, vector, row);
  let overlap = 0;
  for (let k = 0; k < row; k += 1) overlap += (at(product, k) / half) * at(vector, k);
  const share = overlap / (2 * half);
  for (let j = 0; j < row; j += 1) product[j] = at(product, j) / half - share * at(vector, j);
  for (let j = 0; j < row; j += 1) {
    const [line, a, b] = [rowAt(rows, j), at(vector, j), at(product, j)];
    for (let k = 0; k <= j; k += 1)
      line[k] = at(line, k) - (a * at(product, k) + b * at(vector, k));
  }
  return length;
}

/** The first `size` rows and columns times a vector. */
function multiply(rows: readonly Float64Array[], vector: Float64Array, size: number): Float64Array {
  const product = new Float64Array(size);
  for (let j = 0; j < size; j += 1) {
    const line = rowAt(rows, j);
    const own = at(vector, j);
    let sum = at(line, j) * own;
    for (let k = 0; k < j; k += 1) {
      const value = at(line, k);
      sum += value * at(vector, k);
      product[k] = at(product, k) + value * own;
    }
    product[j] = at(product, j) + sum;
  }
  return product;
}

function chaseQl(d: Float64Array, beside: Float64Array): Float64Array {
  const size = d.length;
  const e = new Float64Array(size);
  e.set(beside.subarray(1));
  for (let first = 0; first < size; first += 1) {
    for (let rotation = 0; rotation < MAX_ROTATIONS; rotation += 1) {
      let end = first;
      while (end < size - 1 && !isNothing(at(e, end), at(d, end), at(d, end + 1))) end += 1;
      if (end === first) break;
      chase(d, e, first, end);
    }
  }
  return d;
}

function isNothing(value: number, before: number, after: number): boolean {
  const scale = Math.abs(before) + Math.abs(after);
  return Math.abs(value) + scale === scale;
}

/** One implicit QL step on the part from `first` to `end`. */
function chase(d: Float64Array, e: Float64Array, first: number, end: number): void {
  const slope = (at(d, first + 1) - at(d, first)) / (2 * at(e, first));
  const root = Math.hypot(slope, 1);
  let g = at(d, end) - at(d, first) + at(e, first) / (slope + (slope < 0 ? -root : root));
  let [s, c, p] = [1, 1, 0];
  for (let i = end - 1; i >= first; i -= 1) {
    const f = s * at(e, i);
    const b = c * at(e, i);
    const r = Math.hypot(f, g);
    e[i + 1] = r;
    if (r === 0) {
      d[i + 1] = at(d, i + 1) - p;
      e[end] = 0;
      return;
    }
    s = f / r;
    c = g / r;
    g = at(d, i + 1) - p;
    const turned = (at(d, i) - g) * s + 2 * c * b;
    p = s * turned;
    d[i + 1] = g + p;
    g = c * turned - b;
  }
  d[first] = at(d, first) - p;
  e[first] = g;
  e[end] = 0;
}

function at(list: Float64Array, index: number): number {
  return list[index] as number;
}

function rowAt(rows: readonly Float64Array[], index: number): Float64Array {
  return rows[index] as Float64Array;
}
