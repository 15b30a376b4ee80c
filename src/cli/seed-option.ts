import { Option } from 'commander';
import { wholeNumber } from './whole-number.js';

export const seedOption = (): Option =>
  new Option('--seed <number>', 'seed of the random draws')
    .argParser(wholeNumber(0, 999_999_999))
    .default(1);
