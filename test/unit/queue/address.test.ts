import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../src/domain/index.js';
import { parseAddress, requireClosed } from '../../../src/queue/index.js';
import { failureOf } from '../../support/failure.js';

const parse = (url: string) => parseAddress(url, '--queue');

describe('parseAddress', () => {
  it('refuses a password with a bare percent sign, without repeating it', () => {
    const failure = failureOf(() => parse('redis://:50%off@queue:6379'));

    expect(failure).toMatchObject({ code: 'E_QUEUE_ADDRESS' });
    expect(failure.message).toContain('%25');
    expect(failure.message).not.toContain('off');
  });

  it('reads host, port, database, name, password and TLS', () => {
    expect(parse('rediss://worker:p%40ss@queue.example:6380/3')).toEqual({
      host: 'queue.example',
      port: 6_380,
      database: 3,
      username: 'worker',
      password: 'p@ss',
      isEncrypted: true,
      shown: 'rediss://queue.example:6380',
    });
    expect(parse('redis://[::1]')).toMatchObject({ host: '::1', port: 6_379, database: 0 });
  });

  it.each(['queue.example:6379', 'http://queue.example', 'redis://a/b', 'redis://a?x=1'])(
    'refuses %s without repeating it',
    (url) => {
      const failure = failureOf(() => parse(url));

      expect(failure).toMatchObject({ code: 'E_QUEUE_ADDRESS' });
      expect(failure.message).not.toContain(url);
    },
  );

  it('never shows a password', () => {
    const secret = fc.stringMatching(/^[A-Za-z0-9]{12,20}$/);
    fc.assert(
      fc.property(secret, fc.constantFrom('redis', 'rediss', 'http', 'x'), (password, protocol) => {
        const url = `${protocol}://:${password}@queue.example`;
        const failure = failureOf(() => {
          throw new UsageError('E_USAGE', parse(url).shown);
        });
        expect(failure.message).not.toContain(password);
      }),
    );
  });
});

describe('requireClosed', () => {
  it.each(['redis://127.0.0.1', 'redis://127.9.9.9:1', 'redis://localhost', 'redis://[::1]'])(
    'accepts the local address %s without a password',
    (url) => {
      expect(() => {
        requireClosed(parse(url), false);
      }).not.toThrow();
    },
  );

  it.each([
    'redis://10.0.0.1',
    'rediss://queue.example',
    'redis://127.evil.example',
    'redis://0.0.0.0',
  ])('refuses %s without a password, unless it is forced', (url) => {
    expect(
      failureOf(() => {
        requireClosed(parse(url), false);
      }),
    ).toMatchObject({ code: 'E_QUEUE_OPEN' });
    expect(() => {
      requireClosed(parse(url), true);
    }).not.toThrow();
    expect(() => {
      requireClosed(parse(url.replace('://', '://:secret@')), false);
    }).not.toThrow();
  });
});
