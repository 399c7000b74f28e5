import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { BOT_SCOPES } from '../../../src/slack/scopes.ts';

interface Manifest {
  oauth_config: { scopes: { bot: string[] } };
}

it('the scopes that the doctor looks for are those that the manifest asks for', () => {
  const text = readFileSync(new URL('../../../manifest.yml', import.meta.url), 'utf8');
  const asked = (parse(text) as Manifest).oauth_config.scopes.bot;

  expect(BOT_SCOPES.map(({ scope }) => scope).toSorted()).toEqual(asked.toSorted());
  expect(BOT_SCOPES.filter(({ without }) => without.length < 10)).toEqual([]);
});
