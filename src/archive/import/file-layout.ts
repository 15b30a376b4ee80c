/** What a file of rows must have: a time, and numbers. */
export interface FileLayout {
  /** First the time, then the numbers. */
  readonly columns: readonly FileLayoutColumn[];
  /** Number of columns in the widespread dump without header. The first ones are those of the layout. Undefined: no such dump is known. */
  readonly dumpColumns: number | undefined;
}

interface FileLayoutColumn {
  /** Name for messages and for `--columns`. */
  readonly name: string;
  /** Names of the column in files, in lower case without punctuation, the likelier ones first. */
  readonly synonyms: readonly string[];
}

const TIME_SYNONYMS: readonly string[] = [
  'opentime',
  'opentimems',
  'timems',
  'timestampms',
  'timestamp',
  'unixtimestamp',
  'unix',
  'unixtime',
  'epoch',
  'datetime',
  'time',
  'date',
  'ts',
  't',
  'starttime',
  'start',
  'candlebegintime',
  'idx',
  'index',
  'indexlevel0',
  // The unnamed index column of a written table.
  '',
];

const PRICES: readonly FileLayoutColumn[] = [
  { name: 'time', synonyms: TIME_SYNONYMS },
  { name: 'open', synonyms: ['open', 'o', 'openprice', 'priceopen'] },
  { name: 'high', synonyms: ['high', 'h', 'highprice', 'pricehigh', 'highest'] },
  { name: 'low', synonyms: ['low', 'l', 'lowprice', 'pricelow', 'lowest'] },
  { name: 'close', synonyms: ['close', 'c', 'closeprice', 'priceclose', 'last'] },
];

/**
 * The widespread dump of twelve columns without header: open time, open, high, low, close, volume, close time, quote volume, trades,
 * and three that are not needed.
 */
const DUMP_COLUMNS = 12;

export const CANDLE_FILE_LAYOUT: FileLayout = {
  columns: [
    ...PRICES,
    {
      name: 'volume',
      synonyms: ['volume', 'vol', 'v', 'basevolume', 'volumebase', 'volumetraded'],
    },
  ],
  dumpColumns: DUMP_COLUMNS,
};

/** Nothing is traded at a mark price: a column of volume is passed over. */
export const MARK_LAYOUT: FileLayout = { columns: PRICES, dumpColumns: DUMP_COLUMNS };

export const FUNDING_FILE_LAYOUT: FileLayout = {
  columns: [
    {
      name: 'time',
      synonyms: [
        'fundingtime',
        'fundingtimestamp',
        'fundingratetimestamp',
        'calctime',
        'settlementtime',
        ...TIME_SYNONYMS,
      ],
    },
    {
      name: 'rate',
      // Files of rates in the shape of candles hold the rate in `open`.
      synonyms: ['fundingrate', 'lastfundingrate', 'realizedrate', 'rate', 'funding', 'open'],
    },
  ],
  dumpColumns: undefined,
};
