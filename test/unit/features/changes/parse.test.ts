import { describe, expect, it } from 'vitest';
import { parseChanges } from '../../../../src/features/changes/feature.ts';
import { UsageError } from '../../../../src/lib/errors.ts';
import { splitWords } from '../../../../src/lib/words.ts';

function parsed(line: string): unknown {
  const split = splitWords(line);
  try {
    return parseChanges('words' in split ? split.words : []);
  } catch (error) {
    return error instanceof UsageError ? (error.suggestion ?? error.message) : error;
  }
}

describe('the words of /changes', () => {
  it.each([
    ['', { kind: 'list' }],
    ['list', { kind: 'list' }],
    ['show k3m9x2ab', { kind: 'show', id: 'k3m9x2ab' }],
    ['SHOW `K3M9X2AB`', { kind: 'show', id: 'k3m9x2ab' }],
  ])('%s', (line, command) => {
    expect(parsed(line)).toEqual(command);
  });

  it.each([
    ['shwo K3m9x2ab', '/changes show K3m9x2ab'],
    ['k3m9x2ab', '/changes show k3m9x2ab'],
    ['withdraw #K3m9x2ab', '/changes show k3m9x2ab'],
    ['withdraw', '/changes'],
    ['show a b', '/changes show a'],
    ['list mine', '/changes list'],
    ['lst', '/changes list'],
    ['show', '`ID` is missing after `show`: it is on the card of the request.'],
    ['nonsense-word', '/changes'],
    ['pending', '/changes'],
  ])('%s is answered with %s', (line, said) => {
    expect(parsed(line)).toBe(said);
  });
});
