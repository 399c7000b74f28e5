import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { isScalar, isSeq, parseDocument } from 'yaml';
import { BOT_SCOPES } from '../../src/slack/scopes.ts';
import schema from '../support/slack-manifest-schema/manifest.schema.2.0.0.json' with { type: 'json' };

interface Manifest {
  features: {
    slash_commands: {
      command: string;
      description: string;
      usage_hint: string;
      should_escape?: boolean;
    }[];
  };
  settings: { event_subscriptions: { bot_events: string[] } };
}

const document = parseDocument(
  readFileSync(new URL('../../manifest.yml', import.meta.url), 'utf8'),
);
const manifest = document.toJS() as Manifest;
const commands = manifest.features.slash_commands;

// Slack's schema carries notes of its own (`_note`, `regex`) and formats: strict mode would refuse them.
const validate = new Ajv({ strict: false, validateFormats: false, allErrors: true }).compile(
  schema,
);

/** Entries of a list in the manifest with the comment on the same line. */
function commentedEntries(path: string[]): { value: unknown; comment: string }[] {
  const list = document.getIn(path);
  if (!isSeq(list)) throw new Error(`${path.join('.')} is no list`);
  return list.items.map((item) => {
    if (!isScalar(item)) throw new Error(`${path.join('.')} has an entry that is no word`);
    return { value: item.value, comment: (item.comment ?? '').trim() };
  });
}

const SCOPES = commentedEntries(['oauth_config', 'scopes', 'bot']);
const OPTIONAL = commentedEntries(['oauth_config', 'scopes', 'bot_optional']);

describe('manifest.yml', () => {
  test("is valid by Slack's own schema", () => {
    validate(manifest);

    expect(validate.errors).toBeNull();
  });

  test("is checked by a schema with Slack's rules", () => {
    const wrong = structuredClone(manifest);
    Object.assign(wrong.features, { slash_command: [] });
    wrong.features.slash_commands[0]!.command = 'charges';

    validate(wrong);

    expect(validate.errors?.map((error) => error.instancePath)).toEqual(
      expect.arrayContaining(['/features', '/features/slash_commands/0/command']),
    );
  });

  test('has every command of the design once', () => {
    expect(commands.map(({ command }) => command)).toEqual([
      '/charges',
      '/usage',
      '/invoices',
      '/alert',
      '/billing',
      '/deployments',
      '/workload',
      '/changes',
      '/purser',
    ]);
  });

  test.each(commands)(
    '$command gets people and channels as ids and explains itself',
    ({ should_escape, description, usage_hint }) => {
      expect(should_escape).toBe(true);
      // Longer ones are legal, but the command list of Slack's clients cuts them off.
      expect(description.length).toBeLessThanOrEqual(80);
      expect(usage_hint.length).toBeLessThanOrEqual(120);
    },
  );

  test('gives the use of every scope, and names each once', () => {
    const scopes = [...SCOPES, ...OPTIONAL];

    expect(scopes.filter(({ comment }) => comment.length < 10)).toEqual([]);
    expect(new Set(scopes.map(({ value }) => value)).size).toBe(scopes.length);
  });

  test('asks for no scope beyond those of a bot that posts and looks people up', () => {
    const scopes = [...SCOPES, ...OPTIONAL].map(({ value }) => value);

    expect(scopes).not.toContain('chat:write.public');
    expect(scopes.filter((scope) => String(scope).startsWith('admin'))).toEqual([]);
    expect(manifest).not.toHaveProperty('oauth_config.scopes.user');
  });

  test('lets the installer refuse the scopes that Purser works without', () => {
    const optional = BOT_SCOPES.filter(({ works }) => works).map(({ scope }) => scope);

    expect(new Set(OPTIONAL.map(({ value }) => value))).toEqual(new Set(optional));
  });

  test('gives a reason for every event', () => {
    const events = commentedEntries(['settings', 'event_subscriptions', 'bot_events']);

    expect(events.length).toBeGreaterThan(0);
    expect(events.filter(({ comment }) => comment === '')).toEqual([]);
  });
});
