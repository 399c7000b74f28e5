import type { KnownBlock } from '@slack/types';
import { HEALTH_VALUES, mounterName } from '../../platform/workload/health.ts';
import { comparable, mentions } from '../../platform/workload/search.ts';
import { code, joinMrkdwn, mrkdwn, section } from '../../slack/kit/index.ts';
import type { Mrkdwn } from '../../slack/kit/index.ts';

/** Shorter words are in nearly everything. */
const SHORTEST = 3;

interface Remark {
  readonly keys: readonly string[];
  readonly text: Mrkdwn;
}

/** What else is asked beside variables and tags (spec 2.13): those with the word, or all. Pure. */
export function remarkBlocks(prefix: string, word: string | undefined): KnownBlock[] {
  return [health(), mounter(prefix)]
    .filter(({ keys }) => word === undefined || isIn(keys, word))
    .map(({ text }) => section(text));
}

function isIn(keys: readonly string[], word: string): boolean {
  return comparable(word).length >= SHORTEST && keys.some((key) => mentions(key, word));
}

function health(): Remark {
  const values = joinMrkdwn(
    HEALTH_VALUES.map((value) => code(value)),
    ', ',
  );
  return {
    keys: ['health', ...HEALTH_VALUES],
    text: mrkdwn`*Workload health* has the values ${values}. No endpoint here gives them: a deployment tells ${code('ready')}, ${code('deploying')} and ${code('message')}, and ${code('/deployments')} shows the state made of them.`,
  };
}

function mounter(prefix: string): Remark {
  const name = mounterName(prefix);
  return {
    keys: [name, 'object stores', 'object storage', 'mounted'],
    text: mrkdwn`*${code(name)} in usage*: object stores mounted by a workload are metered to that workload; their CPU, memory and egress appear under a container of that name.`,
  };
}
