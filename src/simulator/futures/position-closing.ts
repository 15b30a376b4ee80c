import type { Fixed } from '../../domain/index.js';
import { viewEndedPosition, type EndedPositionView } from './account-view.js';
import type { ContractBook } from './contract-book.js';
import type { ContractPosition } from './contract-position.js';
import type { CloseResult, ContractFill, MarginBook } from './margin-book.js';

/** The amounts that a close posted. `ended` is set if the position ended and ended positions are kept. */
export interface ClosingResult extends Omit<CloseResult, 'ended'> {
  readonly ended: EndedPositionView | undefined;
}

/** The result of a forced close. */
export interface ForcedResult extends ClosingResult {
  /** Part of the loss beyond the margin that the venue paid, ≥ 0. */
  readonly insurance: Fixed;
}

/** Closes positions: by an order, by force, or own long against own short. Keeps the results of ended positions. */
export class PositionClosing {
  readonly #ended: EndedPositionView[] = [];
  readonly #listsEnded: boolean;

  /** `listsEnded`: whether the results of ended positions are computed and kept. */
  constructor(listsEnded: boolean) {
    this.#listsEnded = listsEnded;
  }

  /** Ended positions, in order of their end. Empty if they are not kept. */
  get ended(): readonly EndedPositionView[] {
    return this.#ended;
  }

  close(book: MarginBook, contract: ContractBook, fill: ContractFill): ClosingResult {
    const { value, fee, profit, released, ended: life } = book.close(contract, fill);
    let ended: EndedPositionView | undefined;
    if (life !== undefined && this.#listsEnded) {
      ended = viewEndedPosition(contract.position(fill.direction), life);
      this.#ended.push(ended);
    }
    return { value, fee, profit, released, ended };
  }

  /** Closes by force: the venue pays the loss beyond the margin. */
  force(book: MarginBook, contract: ContractBook, fill: ContractFill): ForcedResult {
    const result = this.close(book, contract, fill);
    return { ...result, insurance: insure(book, contract.position(fill.direction), result) };
  }

  /** Closes long against short at mark, without fee. */
  net(
    book: MarginBook,
    contract: ContractBook,
    contracts: Fixed,
  ): { readonly long: ForcedResult; readonly short: ForcedResult } {
    const terms = { contracts, price: contract.mark, feeRate: 0n };
    const long = this.close(book, contract, { ...terms, direction: 'long' });
    const short = this.close(book, contract, { ...terms, direction: 'short' });
    const [longSide, shortSide] = contract.positions;
    return {
      long: { ...long, insurance: insure(book, longSide, long) },
      short: { ...short, insurance: insure(book, shortSide, short) },
    };
  }
}

/** Posts the loss of a forced close beyond the margin. For cross, it posts the negative balance of the account once no cross position is left. */
function insure(book: MarginBook, position: ContractPosition, { released }: ClosingResult): Fixed {
  if (position.isHeld) return 0n;
  const money = position.isIsolated ? released : book.holdsCross ? 0n : book.crossBalance;
  if (money >= 0n) return 0n;
  book.insure(-money);
  return -money;
}
