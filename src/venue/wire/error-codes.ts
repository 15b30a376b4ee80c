/** What a code means for the call that got it. */
type VenueErrorKind =
  /** The request is malformed; the venue did nothing. */
  | 'invalid-request'
  /** Key, signature, permission, address or account refused: trading stops. The venue did nothing. */
  | 'auth'
  /** Our clock is off: measure again. The venue did nothing. */
  | 'clock'
  /** Slow down. The venue did nothing. */
  | 'rate-limit'
  /** The venue does not know, or does not say, whether it did something. A command may have worked. */
  | 'unknown-outcome'
  /** The venue does not serve now and did nothing. */
  | 'unavailable'
  /** The order or cancel was understood and refused. */
  | 'rejected'
  /** The order does not exist. */
  | 'not-found'
  /** Nothing to list: an empty answer in the form of an error. */
  | 'empty';

/** One code of the venue. */
export interface VenueErrorFact {
  readonly name: string;
  /** Who must act: the code that made the request, the owner of key and account, or the venue. */
  readonly actor: 'caller' | 'owner' | 'venue';
  /** Whether the same request may pass later without a change. */
  readonly transient: boolean;
  readonly kind: VenueErrorKind;
}

function fact(
  kind: VenueErrorKind,
  actor: VenueErrorFact['actor'],
  name: string,
  transient = false,
): VenueErrorFact {
  return { name, actor, transient, kind };
}

/**
 * Error codes by number.
 *
 * Source: public documents, error lists and clients of the interface's family; the interface itself shows none. Confidence high for -10xx,
 * -11xx up to -1121 and -20xx, medium for the rest; the last four are from live answers.
 */
export const VENUE_ERRORS = {
  '1': fact('unknown-outcome', 'venue', 'generic failure'),
  '35': fact('auth', 'owner', 'the user may not order'),
  '-1000': fact('unknown-outcome', 'venue', 'unknown error', true),
  '-1001': fact('unknown-outcome', 'venue', 'internal error', true),
  '-1002': fact('auth', 'owner', 'the API key is missing'),
  '-1003': fact('rate-limit', 'caller', 'too many requests', true),
  '-1004': fact('auth', 'owner', 'no such user or company'),
  '-1006': fact(
    'unknown-outcome',
    'venue',
    'unexpected response, state of the order unknown',
    true,
  ),
  '-1007': fact('unknown-outcome', 'venue', 'timeout inside the venue, execution unknown', true),
  '-1014': fact('invalid-request', 'caller', 'unsupported combination of order fields'),
  '-1015': fact('rejected', 'caller', 'too many orders', true),
  '-1016': fact('unavailable', 'venue', 'the service is shut down', true),
  '-1017': fact('invalid-request', 'caller', 'the content type is missing'),
  '-1020': fact('invalid-request', 'caller', 'unsupported operation'),
  '-1021': fact('clock', 'caller', 'the timestamp lies outside the window', true),
  '-1022': fact('auth', 'owner', 'bad signature'),
  '-1023': fact('auth', 'caller', 'header X-CH-TS is missing'),
  '-1024': fact('auth', 'caller', 'header X-CH-SIGN is missing'),
  '-1025': fact('auth', 'owner', 'the contract account is not opened'),
  '-1100': fact('invalid-request', 'caller', 'illegal characters in a parameter'),
  '-1101': fact('invalid-request', 'caller', 'too many parameters'),
  '-1102': fact(
    'invalid-request',
    'caller',
    'a mandatory parameter is missing, empty or malformed',
  ),
  '-1103': fact('invalid-request', 'caller', 'unknown parameter'),
  '-1104': fact('invalid-request', 'caller', 'not all parameters were read'),
  '-1105': fact('invalid-request', 'caller', 'a parameter is empty'),
  '-1106': fact('invalid-request', 'caller', 'a parameter must not be sent'),
  '-1111': fact('rejected', 'caller', 'precision exceeds the maximum'),
  '-1112': fact('empty', 'venue', 'no open orders, or no depth', true),
  '-1116': fact('invalid-request', 'caller', 'bad order type'),
  '-1117': fact('invalid-request', 'caller', 'bad side'),
  '-1118': fact('invalid-request', 'caller', 'the client order id is empty'),
  '-1121': fact('invalid-request', 'caller', 'bad symbol or contract'),
  '-1136': fact('rejected', 'caller', 'the quantity is below the minimum'),
  '-1137': fact('rejected', 'caller', 'the quantity is above the maximum'),
  '-1138': fact('rejected', 'caller', 'the price is outside its band', true),
  '-1139': fact('rejected', 'caller', 'no market orders here'),
  '-1140': fact('rejected', 'caller', 'the position limit is exceeded'),
  '-1141': fact('rejected', 'caller', 'duplicate cancel, or invalid order'),
  '-1145': fact('rejected', 'caller', 'the state of the order allows no cancel'),
  '-1146': fact('rejected', 'venue', 'the contract is not tradable now', true),
  '-1147': fact(
    'rejected',
    'caller',
    'precision of price or quantity, or coin margin not supported',
  ),
  '-1149': fact('rejected', 'caller', 'the isolated position does not exist'),
  '-1150': fact('rejected', 'caller', 'too many decimals'),
  '-1151': fact('rejected', 'owner', 'the transfer limit is exceeded'),
  '-1152': fact('rejected', 'owner', 'the leverage could not be changed'),
  '-1153': fact('rejected', 'owner', 'the leverage is above the maximum'),
  '-1154': fact('rejected', 'caller', 'the quantity is above the maximum'),
  '-1155': fact('rejected', 'caller', 'the price is too far from the last', true),
  '-1156': fact('rejected', 'caller', 'the quantity exceeds the position'),
  '-1157': fact('rejected', 'venue', 'the position is frozen', true),
  '-1158': fact('rejected', 'caller', 'the total of the orders is above the limit'),
  '-1159': fact('rejected', 'caller', 'too many decimals'),
  '-1160': fact('rejected', 'caller', 'the order money is below the minimum'),
  '-1161': fact('rejected', 'caller', 'the order money is above the maximum'),
  '-1162': fact('rejected', 'caller', 'too many decimals'),
  '-1163': fact('rejected', 'owner', 'open orders block the change of leverage'),
  '-1164': fact('rejected', 'caller', 'the quantity must exceed a minimum'),
  '-1165': fact('rejected', 'owner', 'the margin mode differs from the setting of the user'),
  '-1166': fact('rejected', 'owner', 'the leverage differs from the setting of the user'),
  '-1167': fact('rejected', 'caller', 'the order would trade with an own one', true),
  '-1168': fact('rejected', 'venue', 'there is no book', true),
  '-1196': fact('not-found', 'caller', 'the order was not found'),
  '-1203': fact('rejected', 'caller', 'invalid order'),
  '-2013': fact('not-found', 'caller', 'the order does not exist'),
  '-2014': fact('auth', 'owner', 'bad format of the API key'),
  '-2015': fact('auth', 'owner', 'key, address or permission refused'),
  '-2016': fact('rejected', 'owner', 'trading is frozen'),
  '-2017': fact('rejected', 'owner', 'insufficient balance'),
  '-2100': fact('invalid-request', 'caller', 'a parameter is wrong'),
  '-2101': fact('auth', 'owner', 'the country is banned'),
  '-2102': fact('auth', 'owner', 'the country is banned'),
  '-2200': fact('auth', 'owner', 'the address is not trusted'),
  '110047': fact('rejected', 'caller', 'price or money is below the minimum'),
  '110049': fact('rejected', 'owner', 'insufficient balance'),
  '10015': fact('rejected', 'caller', 'the quantity exceeds what can be closed'),
  '10081': fact('rejected', 'caller', 'the take-profit quantity is below the minimum'),
} as const satisfies Readonly<Record<string, VenueErrorFact>>;

export type VenueErrorCode = keyof typeof VENUE_ERRORS;

/** An undocumented code. Whether the venue did something is not known, so the safe reading is that it may have. */
const UNDOCUMENTED: VenueErrorFact = fact('unknown-outcome', 'venue', 'undocumented code');

const FACTS_BY_CODE: ReadonlyMap<string, VenueErrorFact> = new Map(Object.entries(VENUE_ERRORS));

/** What a code means; undocumented codes are `unknown-outcome`. */
export function venueErrorFact(code: string): VenueErrorFact {
  return FACTS_BY_CODE.get(code) ?? UNDOCUMENTED;
}
