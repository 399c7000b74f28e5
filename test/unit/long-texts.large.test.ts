import { describe, expect, it } from 'vitest';
import { toCsv } from '../../src/reporting/csv.ts';
import { unitInDescription } from '../../src/reporting/quantity.ts';
import { valuesIn } from '../../src/reporting/range.ts';
import { isSingleQuoted } from '../../src/reporting/query-words.ts';
import { meansNothing } from '../../src/features/help/find.ts';
import {
  checkEmail,
  explainPlatformError,
  PlatformError,
  sentenceOf,
} from '../../src/platform/errors.ts';
import { invisible, lookalike, revealed } from '../../src/lib/lookalikes.ts';
import { cutForeign, joinLines, stripControl, truncate, withoutStop } from '../../src/lib/text.ts';
import { nearest, splitWords } from '../../src/lib/words.ts';
import { createScrubber, scrubStrings } from '../../src/lib/secret.ts';
import { explainQuery } from '../../src/platform/consumption/query.ts';
import { scanItems } from '../../src/platform/deployments/client.ts';
import { workloadOfLinks } from '../../src/platform/deployments/deployment.ts';
import { numberIn, parseExact, timeOf } from '../../src/platform/json.ts';
import { readManifest } from '../../src/platform/workload/read.ts';
import { comparable } from '../../src/features/workload/lookups.ts';
import { spoken } from '../../src/rollouts/render/parts.ts';
import {
  isFatal,
  nextStepFor,
  plainCause,
  restartsInShort,
} from '../../src/rollouts/watch/causes.ts';
import { topText } from '../../src/slack/kit/blocks.ts';
import { clip, code, escapeText, mrkdwn, rich, verbatim } from '../../src/slack/kit/text.ts';
import { isSlackAddress } from '../../src/slack/replies/answers.ts';

/** The longest text that a person can have the bot read at once. Characters. */
const LENGTH = 200_000;

const PIECES = [
  ...` \n\t./\\"'\`,;:=@<>&#-_*~0a(“|{[\u200B`.split(''),
  ' \n',
  '. ',
  '\r\n',
  '//',
  '//a:',
  '\\"',
  '\\\\/',
  '&a',
  '<a|',
  '{"a":',
  '- ',
  'a: ',
  'é😀',
  'Bearer ',
  'authorization:',
  'authorization "',
  'xoxb-',
  'svc-bsat-',
  'hooks.slack.com/',
  '?ticket=',
  '/upload/v1/',
  '/upload/v',
  'plain-secre',
  '*a* ',
  ':a',
  ':1',
  '_a',
  '`a',
  '2026-01-01T00:00:00Z ',
  'retention of 13 months ',
  'alert no ',
  'rate: 1, ',
  '/workload/',
  'back-off pulling ',
  'image "',
  'OOMKilled ',
  'replica ',
  'restarting ',
];

const ATTACKS = PIECES.flatMap((piece) => {
  const run = piece.repeat(Math.ceil(LENGTH / piece.length));
  return [`${run}\u0001`, `x${run} \u2603 x`];
});

const scrub = createScrubber(['plain-secret', '/a+b/c=="d"']);
const NOW = Date.UTC(2026, 10, 20);
const named = { name: 'oslo', links: [{ rel: 'workload', href: '/workload/web' }] };
const sent = { startTime: '2026-01-01T00:00:00Z', endTime: '2026-02-01T00:00:00Z' };

/** Every function that takes a text of another person, by its name. An error counts as its answer. */
const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  scrub,
  scrubStrings: (text) => scrubStrings([{ text }], scrub),
  stripControl,
  joinLines,
  withoutStop,
  cutForeign,
  truncate: (text) => truncate(text, LENGTH - 7),
  clip: (text) => clip(text, LENGTH - 7),
  lookalike,
  invisible,
  revealed,
  nearest: (text) => nearest(text, ['help', text.slice(1)]),
  splitWords,
  sentenceOf: (text) => sentenceOf(text, scrub),
  'sentenceOf JSON': (text) => sentenceOf(JSON.stringify({ error: { message: text } }), scrub),
  explainQuery: (text) =>
    explainQuery({ status: 400, sentence: text, body: text, path: '/x', sent, nowMs: NOW }),
  explainPlatformError: (text) =>
    explainPlatformError(new PlatformError('bad-request', text, { status: 400 })),
  parseExact,
  numberIn,
  timeOf,
  checkEmail,
  workloadOfLinks: (text) => workloadOfLinks([{ rel: 'workload', href: text }]),
  scanItems: (text) =>
    scanItems([{ name: text }, { ...named, status: { lastProcessedVersion: text } }]),
  comparable,
  plainCause,
  isFatal,
  nextStepFor: (text) => nextStepFor(text),
  restartsInShort,
  spoken,
  escapeText,
  code: (text) => code(text, LENGTH),
  mrkdwn: (text) => mrkdwn`*${text}*`,
  topText: (text) => topText(mrkdwn`${text}`),
  rich: (text) => rich`${text}`,
  verbatim: (text) => verbatim(text),
  toCsv: (text) => toCsv(['a'], [[text]]),
  unitInDescription,
  valuesIn: (text) => valuesIn('team', text),
  isSingleQuoted,
  meansNothing,
  isSlackAddress: (text) => isSlackAddress(text, 'https://slack.com/api/'),
};

/** A refusal is an answer. */
function isAnswered(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch (error) {
    return error instanceof Error;
  }
}

describe('a text of 200 KB, whatever is in it, takes time in proportion to its length', () => {
  // No one measures: quadratic code takes minutes for each of these, and the time of a test is over.
  it.each(Object.entries(READERS))('%s', (_, read) => {
    expect(ATTACKS.filter((text) => isAnswered(() => read(text)))).toHaveLength(ATTACKS.length);
  });

  // Anyone who fills in a form hands in 512 KB at most; the parser of YAML is not ours, and slow.
  it.each(PIECES)('a manifest of %j', (piece) => {
    const text = `spec: ${piece.repeat(Math.ceil(LENGTH / piece.length))}`;

    expect(isAnswered(() => readManifest(text))).toBe(true);
  });
});
