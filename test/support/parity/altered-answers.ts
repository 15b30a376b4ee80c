import { Agent, type Dispatcher } from 'undici';

/** Changes an answer in a test: `path` is the path of the request, with its query. */
export type Alter = (body: string, path: string) => string;

/** A connection pool whose answers with status 200 are altered on their way. */
export function alteredAnswers(alter: Alter): Dispatcher {
  return new Agent({ keepAliveTimeout: 10 }).compose(
    (dispatch) => (options, handler) =>
      dispatch(options, new AlteredAnswer(handler, (body) => alter(body, options.path))),
  );
}

/** Holds an answer back until it is complete, and passes the changed text on. */
class AlteredAnswer implements Dispatcher.DispatchHandler {
  readonly #handler: Dispatcher.DispatchHandler;
  readonly #alter: (body: string) => string;
  readonly #chunks: Buffer[] = [];
  #status = 0;

  constructor(handler: Dispatcher.DispatchHandler, alter: (body: string) => string) {
    this.#handler = handler;
    this.#alter = alter;
  }

  onRequestStart(...given: Parameters<NonNullable<Dispatcher.DispatchHandler['onRequestStart']>>) {
    this.#handler.onRequestStart?.(...given);
  }

  onResponseStart(
    ...given: Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseStart']>>
  ) {
    const [controller, status, headers, message] = given;
    this.#status = status;
    const others = Object.entries(headers).filter(([name]) => name !== 'content-length');
    this.#handler.onResponseStart?.(controller, status, Object.fromEntries(others), message);
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer) {
    this.#chunks.push(chunk);
  }

  onResponseEnd(...given: Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseEnd']>>) {
    const body = Buffer.concat(this.#chunks).toString('utf8');
    const told = this.#status === 200 ? this.#alter(body) : body;
    this.#handler.onResponseData?.(given[0], Buffer.from(told));
    this.#handler.onResponseEnd?.(...given);
  }

  onResponseError(
    ...given: Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseError']>>
  ) {
    this.#handler.onResponseError?.(...given);
  }
}
