import { BINANCE_CM, BINANCE_SPOT, BINANCE_UM } from './binance-dumps.js';
import type { DataSource } from '../../../archive/index.js';

/** All built-in sources. */
export const DATA_SOURCES: readonly DataSource[] = [BINANCE_SPOT, BINANCE_UM, BINANCE_CM];
