import * as fc from '../../support/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { boltLogger, createLogger, type Logger, type LogLevel } from '../../../src/lib/logger.ts';
import { PurserError } from '../../../src/lib/errors.ts';
import { Secret } from '../../../src/lib/secret.ts';

const secret = 'sk/live+"41c9';

function openLog(options: { level?: LogLevel; secrets?: readonly string[] } = {}) {
  const { level = 'info', secrets = [secret] } = options;
  const lines: string[] = [];
  const logger = createLogger({
    level,
    secrets: secrets.map((value) => new Secret(value)),
    destination: { write: (line) => void lines.push(line) },
  });
  const entries = () => lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  return { logger, lines, entries };
}

/** The log line, and every way in which the secret could still be read from it. */
function written(log: (logger: Logger) => void): { text: string; forms: string[] } {
  const { logger, lines, entries } = openLog();
  log(logger);
  expect(entries()).toHaveLength(1);

  return { text: lines.join(''), forms: [secret, JSON.stringify(secret).slice(1, -1)] };
}

function requestError(): Error {
  const error = new Error('request failed');
  return Object.assign(error, {
    config: { headers: { 'X-Key': secret, cookie: 'session=unknown-cookie' } },
    request: { body: 'unknown-cookie' },
  });
}

const cases: readonly [name: string, log: (logger: Logger) => void, leaks: readonly string[]][] = [
  ['three levels deep in an object', (log) => log.info({ a: { b: { c: secret } } }), []],
  ['in an array', (log) => log.info({ list: [1, [secret]] }), []],
  ["in an error's message and stack", (log) => log.error(new Error(`no ${secret} here`)), []],
  [
    "in the request that a library's error carries",
    (log) => log.error({ err: requestError(), other: requestError() }, 'failed'),
    ['unknown-cookie'],
  ],
  [
    'in the cause of a cause',
    (log) =>
      log.error(
        new Error('a', { cause: new Error('b', { cause: new Error(secret, { cause: secret }) }) }),
      ),
    [],
  ],
];

describe('a secret never reaches the log', () => {
  it.each(cases)('%s', (_, log, leaks) => {
    const { text, forms } = written(log);

    for (const form of [...forms, ...leaks]) expect(text).not.toContain(form);
    expect(text.includes('[hidden]') || text.includes('request failed')).toBe(true);
  });

  it('nor through the fields of a child logger', () => {
    const { text } = written((log) => log.child({ key: secret }).info('hello'));

    expect(text).toContain('"key":"[hidden]"');
  });

  it('and whatever is logged stays one line of JSON', () => {
    const value = fc.string({ unit: 'binary' });
    fc.assert(
      fc.property(fc.string({ minLength: 8 }), value, value, (key, before, after) => {
        const { logger, lines, entries } = openLog({ secrets: [key] });

        logger.info({ field: before + key, [`name ${key}`]: 1 }, before + key + after);

        expect(entries()).toHaveLength(1);
        expect(lines[0]?.indexOf('\n')).toBe((lines[0]?.length ?? 0) - 1);
        expect(JSON.stringify(entries())).not.toContain(JSON.stringify(key).slice(1, -1));
      }),
    );
  });

  it('also if the line has to be withheld for it', () => {
    const { logger, entries } = openLog({ secrets: ['"b",'] });

    logger.info({ a: 'b' }, 'text');

    expect(entries()).toMatchObject([{ msg: expect.stringContaining('withheld') }]);
  });
});

describe('a log entry', () => {
  it('has the level by name, the time, the fields and the message', () => {
    const { logger, entries } = openLog();

    logger.warn({ requestId: 'r1' }, 'slow answer');

    expect(entries()).toEqual([
      { level: 'warn', time: expect.any(String), requestId: 'r1', msg: 'slow answer' },
    ]);
  });

  it('logs the fields of an error that callers act on, down to its causes', () => {
    const { logger, entries } = openLog();
    const cause = Object.assign(new Error('refused'), { code: 'ECONNREFUSED', port: 6379 });

    logger.error(
      { err: new PurserError('no answer', { reason: 'network', retryable: true, cause }) },
      'read failed',
    );

    expect(entries()[0]).toMatchObject({
      msg: 'read failed',
      err: {
        type: 'PurserError',
        message: 'no answer',
        reason: 'network',
        retryable: true,
        cause: { type: 'Error', message: 'refused', code: 'ECONNREFUSED' },
      },
    });
    expect(JSON.stringify(entries())).not.toContain('6379');
  });

  it('treats the error of a child logger in the same way', () => {
    const { logger, entries } = openLog();

    logger.child({ err: requestError() }).info('hello');

    expect(entries()[0]?.['err']).toEqual({
      type: 'Error',
      message: 'request failed',
      stack: expect.any(String),
    });
  });

  it('survives an error that is its own cause', () => {
    const { logger, entries } = openLog();
    const error = new Error('round');
    error.cause = error;

    logger.error(error);

    expect(entries()[0]).toMatchObject({ msg: 'round', err: { cause: { message: 'round' } } });
  });
});

describe("the logger of Slack's libraries", () => {
  it('joins texts, takes errors by the allow-list and objects by their kind', () => {
    const { logger, entries } = openLog();
    const bolt = boltLogger(logger);
    bolt.setName('socket-mode');

    bolt.error('Slack API error: %s', requestError(), { token: 'unknown-cookie' }, null, 7);

    expect(entries()).toMatchObject([
      {
        level: 'error',
        from: 'socket-mode',
        msg: 'Slack API error: %s [Object] null 7',
        err: { type: 'Error', message: 'request failed' },
      },
    ]);
    expect(JSON.stringify(entries())).not.toContain('unknown-cookie');
  });

  it('keeps our level, whatever level it is given', () => {
    const { logger, entries } = openLog({ level: 'warn' });
    const bolt = boltLogger(logger);

    bolt.setLevel('debug');
    bolt.debug('a whole request');
    bolt.info('connected');
    bolt.warn('slow');

    expect(logger.level).toBe('warn');
    expect(bolt.getLevel()).toBe('warn');
    expect(entries().map((entry) => entry['msg'])).toEqual(['slow']);
  });

  it.each([
    ['trace', 'debug'],
    ['debug', 'info'],
    ['info', 'info'],
    ['fatal', 'error'],
    ['silent', 'error'],
  ] as const)('calls our level %s %s', (level, expected) => {
    expect(boltLogger(openLog({ level }).logger).getLevel()).toBe(expected);
  });

  it('writes their debug texts, which hold requests and answers, at trace alone', () => {
    const textsAt = (level: LogLevel): unknown[] => {
      const { logger, entries } = openLog({ level });
      boltLogger(logger).debug('a whole request');
      return entries().map(({ msg }) => msg);
    };

    expect(textsAt('debug')).toEqual([]);
    expect(textsAt('trace')).toEqual(['a whole request']);
  });
});

describe('every line', () => {
  it('says which service, version, role and thread wrote it', () => {
    const lines: string[] = [];
    const base = { service: 'purser', version: '1.2.3', role: 'app', thread: 'main' };
    const destination = { write: (line: string) => void lines.push(line) };

    createLogger({ level: 'info', secrets: [], base, destination }).info('Ready');

    expect(JSON.parse(lines.join(''))).toMatchObject({ ...base, msg: 'Ready' });
  });

  it.each(['debug', 'info'] as const)('has no e-mail address at %s', (level) => {
    const { logger, lines } = openLog({ level });

    logger.error({ err: new Error('no user ada.l+x@acme.example, or “bo@ümlaut.example”') });

    expect(lines.join('')).toContain('no user [e-mail], or “[e-mail]”');
  });

  it('has e-mail addresses at trace', () => {
    const { logger, lines } = openLog({ level: 'trace' });
    logger.info({ email: 'ada@acme.example' });
    expect(lines.join('')).toContain('ada@acme.example');
  });
});
