import { present } from '../../domain/index.js';
import type { ParameterValue } from '../../report/index.js';
import type { Axis, Combination, SearchSpace } from './search-space.js';

/** A place in a search space: per axis from 0, its first value, to 1. */
export type Point = readonly number[];

/** Digits of a number on a continuous axis: it can be written in YAML and read back without losing one. */
const DIGITS = 12;

/** The combination at a point. Listed values share their axis in equal parts. */
export function combinationAt(space: SearchSpace, point: Point): Combination {
  const places = space.map((axis, at) => {
    if (axis.kind === 'continuous') return Number.NaN;
    const { length } = axis.values;
    return Math.max(0, Math.min(length - 1, Math.floor(coordinate(point, at) * length)));
  });
  const parameters = Object.fromEntries(
    space.map((axis, at) => [axis.name, valueOf(axis, coordinate(point, at), places[at] ?? 0)]),
  );
  return { parameters, places };
}

/** The point of a combination: of a listed value the middle of its part. */
export function pointOf(space: SearchSpace, { parameters, places }: Combination): Point {
  return space.map((axis, at) =>
    axis.kind === 'listed'
      ? (present(places[at], 'place') + 0.5) / axis.values.length
      : (Number(parameters[axis.name]) - axis.min) / (axis.max - axis.min),
  );
}

/** A number of a continuous range with as many digits as are written. */
export function shortNumber(
  value: number,
  { min, max }: Readonly<Record<'min' | 'max', number>>,
): number {
  return Math.min(max, Math.max(min, Number(value.toPrecision(DIGITS))));
}

/** Tells combinations of one space apart. */
export function keyOf({ parameters }: Combination): string {
  return JSON.stringify(Object.values(parameters));
}

function valueOf(axis: Axis, share: number, place: number): ParameterValue {
  if (axis.kind === 'listed') return present(axis.values[place], 'value of an axis');
  return shortNumber(axis.min + (axis.max - axis.min) * share, axis);
}

function coordinate(point: Point, axis: number): number {
  return present(point[axis], 'coordinate');
}
