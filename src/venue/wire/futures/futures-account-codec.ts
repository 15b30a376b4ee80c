import { createInstrumentId, type Fixed } from '../../../domain/index.js';
import type { FuturesAccountSnapshot, MarginAssetAccount, VenuePosition } from '../../account.js';
import {
  decodeLocalTime,
  encodeAmount,
  encodeAmountOrZero,
  encodeLocalTime,
  priceOrNone,
  symbolOf,
} from '../json/encoding.js';
import type { AnswerOf } from '../endpoint.js';
import type { ENDPOINTS } from '../endpoint-table.js';
import type { MarginAccountAnswer, PositionAnswer } from './futures-account-shapes.js';
import { modeNumber, numberOrZero } from './futures-encoding.js';
import type { JsonOutput } from '../json/json.js';
import type { AnswerProfile } from '../profile.js';

const FREEZES = ['no', 'liquidation', 'delivery'] as const;

/** Makes the futures account. Times without a zone stay undefined. */
export function decodeFuturesAccount({
  account,
}: AnswerOf<(typeof ENDPOINTS)['futures.account']>): FuturesAccountSnapshot {
  const entries = Array.isArray(account) ? account : [account];
  return { kind: 'futures', accounts: entries.map(decodeMarginAccount) };
}

function decodeMarginAccount(answer: MarginAccountAnswer): MarginAssetAccount {
  return {
    marginAsset: answer.marginCoin.toUpperCase(),
    available: answer.accountNormal,
    locked: answer.accountLock,
    isolatedMargin: answer.partPositionNormal,
    crossMargin: answer.totalPositionNormal,
    realizedProfit: answer.achievedAmount,
    unrealizedProfit: answer.unrealizedAmount,
    crossEquity: answer.totalEquity,
    isolatedEquity: answer.partEquity,
    crossMarginRate: answer.totalMarginRate,
    crossCost: answer.totalCost,
    accountMarginRate: answer.sumMarginRate,
    positions: (answer.positionVos ?? []).flatMap(({ contractName, contractId, positions }) =>
      (positions ?? []).map((position) => decodePosition(position, { contractName, contractId })),
    ),
  };
}

interface PositionContext {
  readonly contractName: string;
  readonly contractId: string | undefined;
}

function decodePosition(
  answer: PositionAnswer,
  { contractName, contractId }: PositionContext,
): VenuePosition {
  return {
    instrumentId: createInstrumentId('futures', contractName),
    positionId: answer.id,
    direction: answer.side === 'buy' ? 'long' : 'short',
    marginMode: answer.positionType,
    quantity: answer.volume,
    pendingCloseQuantity: answer.pendingCloseVolume,
    closedQuantity: answer.closeVolume,
    openPrice: answer.openPrice,
    averagePrice: answer.avgPrice,
    averageClosePrice: priceOrNone(answer.closePrice),
    markPrice: priceOrNone(answer.indexPrice),
    leverage: answer.leverageLevel,
    margin: answer.holdAmount,
    realizedProfit: answer.realizedAmount,
    totalRealizedProfit: answer.historyRealizedAmount,
    unrealizedProfit: answer.unRealizedAmount,
    unrealizedOpenProfit: answer.openRealizedAmount,
    closeProfit: answer.closeProfit,
    sharedAmount: answer.shareAmount,
    tradeFee: answer.tradeFee,
    fundingFee: answer.capitalFee,
    value: answer.positionBalance,
    marginRate: answer.marginRate,
    returnRate: answer.returnRate,
    maintenanceRate: answer.keepRate,
    maxFeeRate: answer.maxFeeRate,
    liquidationPrice: answer.reducePrice,
    frozen: answer.freezeLock === undefined ? undefined : FREEZES[answer.freezeLock],
    isValid: answer.status !== 0,
    createdTime: decodeLocalTime(answer.ctime),
    updatedTime: decodeLocalTime(answer.mtime),
    frozenTime: decodeLocalTime(answer.lockTime),
    contractId,
    userId: answer.uid,
    brokerId: answer.brokerId,
  };
}

/**
 * Writes the account: a list in the family's form, an object by the interface. An account of several coins is a list in both profiles,
 * because the interface's object can hold only one coin. The coins of an account do not change while it is open.
 */
export function encodeFuturesAccount(
  { accounts }: FuturesAccountSnapshot,
  profile: AnswerProfile,
): JsonOutput {
  const entries = accounts.map((account) => encodeMarginAccount(account, profile));
  const [only, ...others] = entries;
  const isObject = profile === 'interface' && only !== undefined && others.length === 0;
  return { account: isObject ? only : entries };
}

function encodeMarginAccount(account: MarginAssetAccount, profile: AnswerProfile): JsonOutput {
  const amount = (value: Fixed | undefined): JsonOutput => encodeAmountOrZero(value, profile);
  return {
    marginCoin: account.marginAsset,
    accountNormal: amount(account.available),
    accountLock: amount(account.locked),
    partPositionNormal: amount(account.isolatedMargin),
    totalPositionNormal: amount(account.crossMargin),
    achievedAmount: amount(account.realizedProfit),
    unrealizedAmount: amount(account.unrealizedProfit),
    totalMarginRate: amount(account.crossMarginRate),
    totalEquity: amount(account.crossEquity),
    partEquity: amount(account.isolatedEquity),
    totalCost: amount(account.crossCost),
    sumMarginRate: amount(account.accountMarginRate),
    positionVos: encodePositionGroups(account.positions, profile),
  };
}

function encodePositionGroups(
  positions: readonly VenuePosition[],
  profile: AnswerProfile,
): JsonOutput {
  const contracts = [...new Set(positions.map(({ instrumentId }) => instrumentId))];
  return contracts.map((instrumentId) => {
    const group = positions.filter((position) => position.instrumentId === instrumentId);
    const name = symbolOf(instrumentId);
    return {
      contractId: numberOrZero(group[0]?.contractId),
      contractName: name,
      contractSymbol: name.split('-').slice(1).join('-'),
      positions: group.map((position) => encodePosition(position, profile)),
    };
  });
}

function encodePosition(position: VenuePosition, profile: AnswerProfile): JsonOutput {
  const amount = (value: Fixed | undefined): JsonOutput => encodeAmountOrZero(value, profile);
  return {
    id: numberOrZero(position.positionId),
    uid: numberOrZero(position.userId),
    positionType: modeNumber(position.marginMode),
    side: position.direction === 'long' ? 'BUY' : 'SELL',
    volume: encodeAmount(position.quantity, profile),
    openPrice: amount(position.openPrice),
    avgPrice: amount(position.averagePrice),
    closePrice: amount(position.averageClosePrice),
    leverageLevel: amount(position.leverage),
    holdAmount: amount(position.margin),
    closeVolume: amount(position.closedQuantity),
    pendingCloseVolume: amount(position.pendingCloseQuantity),
    realizedAmount: amount(position.realizedProfit),
    historyRealizedAmount: amount(position.totalRealizedProfit),
    tradeFee: amount(position.tradeFee),
    capitalFee: amount(position.fundingFee),
    closeProfit: amount(position.closeProfit),
    shareAmount: amount(position.sharedAmount),
    freezeLock: position.frozen === undefined ? 0 : FREEZES.indexOf(position.frozen),
    status: position.isValid ? 1 : 0,
    ctime: encodeLocalTime(position.createdTime),
    mtime: encodeLocalTime(position.updatedTime),
    brokerId: numberOrZero(position.brokerId),
    lockTime: encodeLocalTime(position.frozenTime),
    marginRate: amount(position.marginRate),
    reducePrice: amount(position.liquidationPrice),
    returnRate: amount(position.returnRate),
    unRealizedAmount: amount(position.unrealizedProfit),
    openRealizedAmount: amount(position.unrealizedOpenProfit),
    positionBalance: amount(position.value),
    indexPrice: amount(position.markPrice),
    keepRate: amount(position.maintenanceRate),
    maxFeeRate: amount(position.maxFeeRate),
  };
}
