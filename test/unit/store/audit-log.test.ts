import { describe, expect, it } from 'vitest';
import { createAuditLog } from '../../../src/store/audit.ts';
import { createLogger } from '../../../src/lib/logger.ts';

function logOf(key = 'key') {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  const logger = createLogger({ level: 'info', secrets: [], destination });
  const log = createAuditLog(logger, () => [Buffer.from(key)]);
  return {
    /** The line of the log for a line of the audit with these fields. */
    write: (fields: object): Record<string, unknown> => {
      log({ at: 1, event: 'request', ...fields }, 'abc');
      return JSON.parse(lines.at(-1) ?? '') as Record<string, unknown>;
    },
  };
}

const HIDDEN = /^email:[\da-f]{12}$/;

describe('the log line of an audit line', () => {
  it('names its kind, the event, the person, and the hash', () => {
    const line = { change: 'k3m9x2ab', state: 'pending', by: 'U0ADA', kind: 'user.add' };
    expect(logOf().write(line)).toMatchObject({
      level: 'info',
      audit: true,
      at: 1,
      event: 'request',
      ...line,
      hash: 'abc',
    });
  });

  it('has one hash for one address, wherever it is and however it is written', () => {
    const { write } = logOf();
    const { email } = write({ email: 'ada@acme.example' });
    expect(email).toMatch(HIDDEN);

    const logged = write({
      why: 'mailto:Ada@ACME.example?',
      comment: 'As <ada@acme.example>, *ada@acme.example*, said.',
      before: [{ name: 'Recipients', text: "'ada@acme.example', `bob@acme.example`" }],
      order: { kind: 'user.add', emails: ['ada@acme.example'], 'ada@acme.example': 1 },
    });

    const hidden = String(email);
    expect(logged).toMatchObject({
      why: `mailto:${hidden}?`,
      comment: `As <${hidden}>, *${hidden}*, said.`,
      order: { kind: 'user.add', emails: [hidden], [hidden]: 1 },
    });
    expect(JSON.stringify(logged['before'])).toContain(`'${hidden}', \``);
    expect(JSON.stringify(logged)).not.toMatch(/acme|@/);
  });

  it.each([
    'o’brien+x@acme.example',
    "o'brien@acme.example",
    'ada@acme',
    '"ada l"@acme.example',
    'ada/l@acme.example',
    'to=ada@acme.example',
    'ада@пример.рф',
    'ada%acme.example@relay.example',
  ])('has no part of %s', (address) => {
    const logged = JSON.stringify(logOf().write({ comment: `ask ${address}, please` }));
    expect(logged).toMatch(/"ask email:[\da-f]{12}, please"/);
  });

  it('keeps text that is no address', () => {
    const comment = 'at @ noon, <@U0ADA> and @oncall: a@';
    expect(logOf().write({ comment })).toMatchObject({ comment });
  });

  it('has another hash with another key', () => {
    const line = { email: 'ada@acme.example' };
    expect(logOf('one').write(line)['email']).not.toBe(logOf('other').write(line)['email']);
  });
});
