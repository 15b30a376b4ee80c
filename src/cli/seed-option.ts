import { Option } from 'commander';
import { wholeNumber } from './whole-number.js';

/** The seed without `--seed`. */
export const DEFAULT_SEED = 1;

/** Parses the value of `--seed`. */
export const seedNumber = wholeNumber(0, 999_999_999);

export const seedOption = (): Option =>
  new Option('--seed <number>', 'seed of the random draws')
    .argParser(seedNumber)
    .default(DEFAULT_SEED);
