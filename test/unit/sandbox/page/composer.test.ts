import { describe, expect, it } from 'vitest';
import { readAddress, writeAddress } from '../../../../src/sandbox/slack/page/address.ts';
import { commandOf, complete } from '../../../../src/sandbox/slack/page/chat/completion.ts';
import { agoLabel, clockTime, dayLabel } from '../../../../src/sandbox/slack/page/chat/times.ts';
import { sampleBoot } from './sample-workspace.ts';

const boot = sampleBoot();

/** What the list over the composer offers for a text with the caret at its end. */
const offered = (text: string): readonly string[] | undefined =>
  complete(text, text.length, boot)?.suggestions.map(({ title }) => title);

describe('completion', () => {
  it('offers the commands that begin with what was typed, at the start only', () => {
    expect(offered('/')).toEqual(['/deployments', '/usage']);
    expect(offered('/DEP')).toEqual(['/deployments']);
    expect(offered('/nothing')).toBeUndefined();
    expect(offered('see /dep')).toBeUndefined();
    expect(offered('/deployments ')).toBeUndefined();
  });

  it('offers channels and people, by the beginning of each of their names', () => {
    expect(offered('in #')).toEqual(['#deployments', '#ops']);
    expect(offered('ask @da')).toEqual(['@dana']);
    expect(offered('ask @adm')).toEqual(['@ada']);
    expect(offered('mail@da')).toBeUndefined();
  });

  it('says where the completed word begins', () => {
    expect(complete('/deployments watch in #op', 25, boot)).toMatchObject({
      from: 22,
      suggestions: [{ insert: '#ops ' }],
    });
  });

  it('knows the command once it is typed out, for its usage', () => {
    expect(commandOf('/usage by', boot.commands)?.command).toBe('/usage');
    expect(commandOf('/usage', boot.commands)).toBeUndefined();
  });
});

describe('times', () => {
  const reader = { now: new Date('2026-10-09T08:53:20Z'), timeZone: 'UTC' };
  const at = (iso: string): string => `${Date.parse(iso) / 1000}.000100`;

  it.each([
    ['2026-10-09T00:01:00Z', 'Today'],
    ['2026-10-08T23:59:00Z', 'Yesterday'],
    ['2026-10-06T12:00:00Z', 'Tuesday, October 6th'],
    ['2026-09-22T12:00:00Z', 'Tuesday, September 22nd'],
    ['2026-09-11T12:00:00Z', 'Friday, September 11th'],
    ['2025-12-31T12:00:00Z', 'Wednesday, December 31st, 2025'],
  ])('names the day of %s %s', (iso, label) => {
    expect(dayLabel(at(iso), reader)).toBe(label);
  });

  it('writes the time of day and how long ago something was', () => {
    expect(clockTime(at('2026-10-09T15:04:59Z'), reader)).toBe('3:04 PM');
    expect(agoLabel(at('2026-10-09T08:53:00Z'), reader.now)).toBe('just now');
    expect(agoLabel(at('2026-10-09T08:52:00Z'), reader.now)).toBe('1 minute ago');
    expect(agoLabel(at('2026-10-09T05:00:00Z'), reader.now)).toBe('3 hours ago');
  });
});

describe('the address', () => {
  it.each([
    { type: 'channel', id: 'C1' },
    { type: 'app', tab: 'home' },
    { type: 'app', tab: 'messages' },
  ] as const)('leads back to %j', (place) => {
    const url = new URL(writeAddress('U1', place), 'http://127.0.0.1/');
    expect(readAddress(url)).toEqual({ user: 'U1', place });
  });

  it('of a first visit names nobody and nothing', () => {
    expect(readAddress({ search: '', hash: '' })).toEqual({ user: null, place: null });
  });
});
