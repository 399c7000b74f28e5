import { ConfigError, loadConfig } from '../../../src/config/config.ts';
import type { Environment } from '../../../src/config/variables.ts';

/** The least that the bot starts with, in HTTP mode. */
export const minimal = {
  SLACK_BOT_TOKEN: 'xoxb-bot-token',
  SLACK_SIGNING_SECRET: 'signing-secret',
  API_URL: 'https://api.example.com/',
  ORG_TOKENS: '{"acme":"acme-key"}',
  NOTIFY_CHANNEL: 'C0NOTIFY',
} satisfies Environment;

/** Everything that turns billing on. */
export const billing = {
  BILLING_URL: 'https://billing.example.com',
  BILLING_ACCOUNT_ID: '0b6f4f6e-3f1c-4d1e-9b7a-1f2e3d4c5b6a',
  BILLING_TOKEN: 'svc-bsat-billing',
} satisfies Environment;

/** Nothing is switched off. */
export const EVERYTHING_ON = {
  ...billing,
  SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
  GLOBAL_DOMAIN: 'example.com',
  LOCATION_DOMAIN: 'location.example.com',
  INTERNAL_DOMAIN: 'internal.example',
  LINKS: '{"Logs":"https://logs.example.com"}',
} satisfies Environment;

/** Reads the minimal environment with these changes; `files`: path -> text. */
export function load(changes: Environment = {}, files: Readonly<Record<string, string>> = {}) {
  return loadConfig({ ...minimal, ...changes }, (path) => {
    const text = files[path];
    if (text === undefined) throw new Error(`ENOENT ${path}`);
    return text;
  });
}

export function thrownBy(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  return undefined;
}

/** The problems of the minimal environment with these changes. */
export function problemsOf(
  changes: Environment,
  files?: Readonly<Record<string, string>>,
): readonly string[] {
  const error = thrownBy(() => load(changes, files));
  return error instanceof ConfigError ? error.problems : [];
}
