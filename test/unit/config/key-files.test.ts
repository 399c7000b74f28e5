import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { loadConfig } from '../../../src/config/config.ts';
import { createKeyFiles } from '../../../src/config/key-files.ts';
import type { Environment } from '../../../src/config/variables.ts';
import { billing, minimal } from './environment.ts';

const MINUTE_MS = 60_000;
const key = (byte: number): string => Buffer.alloc(32, byte).toString('base64');

/** A bot whose keys are all in files, each named as its variable. */
function openFiles(changes: Environment = {}) {
  const files: Record<string, string | undefined> = {
    SLACK_BOT_TOKEN: 'xoxb-old',
    SLACK_SIGNING_SECRET: 'signing-old',
    ORG_TOKENS: '{"acme":"acme-old","beta":"beta-old"}',
    BILLING_TOKEN: 'svc-bsat-old',
    SECRET_KEY: key(1),
  };
  const env: Environment = {
    ...minimal,
    ...billing,
    DEFAULT_ORG: 'acme',
    ...Object.fromEntries(Object.keys(files).map((name) => [name, ''])),
    ...Object.fromEntries(Object.keys(files).map((name) => [`${name}_FILE`, name])),
    ...changes,
  };
  if (changes['REDIS_URL_FILE']) files['REDIS_URL'] = 'redis://:old@redis';
  const readFile = (path: string): string => {
    const text = files[path];
    if (text === undefined) throw new Error(`ENOENT ${path}`);
    return text;
  };
  const config = loadConfig(env, readFile);
  const lines: unknown[] = [];
  const log = (fields: unknown, message?: string) => void lines.push([message, fields]);
  const logger = { info: log, warn: log, error: log } as never;
  return {
    config,
    lines,
    files,
    keyFiles: createKeyFiles({ config, logger, env, readFile }),
    keyOf: (org: string) => config.api.credentials.get(org)?.secret.reveal(),
    signing: () => (config.slack.mode === 'http' ? config.slack.signingSecret.all() : []),
  };
}

const READ = 'The key files were read again';
const BROKEN = 'A key file is broken: its former keys stay';

describe('reading the key files again', () => {
  it('gives every secret of the running process the value of its file', () => {
    const { config, files, keyFiles, keyOf, lines, signing } = openFiles();
    files['SLACK_BOT_TOKEN'] = 'xoxb-new\n';
    files['SLACK_SIGNING_SECRET'] = 'signing-new, signing-old';
    files['ORG_TOKENS'] = '{"acme":"acme-new","beta":"beta-old"}';
    files['BILLING_TOKEN'] = 'svc-bsat-new';
    files['SECRET_KEY'] = `${key(2)},${key(1)}`;

    keyFiles.read();

    expect(config.slack.botToken.reveal()).toBe('xoxb-new');
    expect(signing()).toEqual(['signing-new', 'signing-old']);
    expect([keyOf('acme'), keyOf('beta')]).toEqual(['acme-new', 'beta-old']);
    expect(config.billing?.token.reveal()).toBe('svc-bsat-new');
    expect(config.secretKey?.all()).toEqual([key(2), key(1)]);
    const renewed = [
      'SLACK_BOT_TOKEN',
      'SLACK_SIGNING_SECRET',
      'BILLING_TOKEN',
      'SECRET_KEY',
      'ORG_TOKENS',
    ];
    expect(lines).toEqual([[READ, { renewed }]]);
  });

  it.each([
    ['empty', ''],
    ['gone', undefined],
    ['no key', 'two words'],
  ])('keeps the key of a file that is %s, and takes the others', (_, text) => {
    const { config, files, keyFiles, lines, signing } = openFiles();
    files['BILLING_TOKEN'] = text;
    files['SLACK_SIGNING_SECRET'] = 'signing-new';

    keyFiles.read();

    expect(config.billing?.token.reveal()).toBe('svc-bsat-old');
    expect(signing()).toEqual(['signing-new']);
    expect(lines).toEqual([
      [
        BROKEN,
        { variables: ['BILLING_TOKEN'], problems: [expect.stringMatching(/^BILLING_TOKEN/)] },
      ],
      [READ, { renewed: ['SLACK_SIGNING_SECRET'] }],
    ]);
    expect(JSON.stringify(lines)).not.toContain('two words');
  });

  it('keeps all keys where a file does not fit to the settings', () => {
    const { files, keyFiles, keyOf, lines } = openFiles({ DEFAULT_ORG: 'beta' });
    files['ORG_TOKENS'] = '{"acme":"acme-new"}';

    keyFiles.read();

    expect(keyOf('acme')).toBe('acme-old');
    expect(lines).toEqual([[BROKEN, expect.objectContaining({ variables: ['DEFAULT_ORG'] })]]);
  });

  it('names the settings that need a restart: other orgs, and another Redis', () => {
    const { files, keyFiles, keyOf, lines } = openFiles({ REDIS_URL_FILE: 'REDIS_URL' });
    files['ORG_TOKENS'] = '{"acme":"acme-new","gamma":"gamma-new"}';
    files['REDIS_URL'] = 'redis://:new@redis';

    keyFiles.read();

    expect([keyOf('acme'), keyOf('gamma')]).toEqual(['acme-new', undefined]);
    expect(lines).toEqual([
      [READ, { renewed: ['ORG_TOKENS'] }],
      [
        'A change of these takes effect at the next start',
        { variables: ['REDIS_URL', 'ORG_TOKENS'] },
      ],
    ]);
  });
});

describe('once a minute', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('a change is noticed, once, whether its file can be read or not', () => {
    const { files, keyFiles } = openFiles();
    let changes = 0;
    keyFiles.watch(() => {
      changes += 1;
      keyFiles.read();
    });
    vi.advanceTimersByTime(10 * MINUTE_MS);
    expect(changes).toBe(0);

    files['BILLING_TOKEN'] = 'svc-bsat-new';
    vi.advanceTimersByTime(MINUTE_MS);
    expect(changes).toBe(1);

    files['BILLING_TOKEN'] = undefined;
    vi.advanceTimersByTime(10 * MINUTE_MS);
    expect(changes).toBe(2);
  });
});
