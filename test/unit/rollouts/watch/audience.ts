import type { Message } from '../../../../src/notify/message.ts';
import { scanItems } from '../../../../src/platform/deployments/client.ts';
import { messagesOf, type Audience } from '../../../../src/rollouts/render/messages.ts';
import {
  advance,
  EMPTY_GVC,
  type Advance,
  type GvcState,
  type Cache,
  type RecordList,
} from '../../../../src/rollouts/watch/advance.ts';
import { EMPTY_ORG, type OrgState } from '../../../../src/rollouts/watch/group.ts';
import type { Mute, Watch } from '../../../../src/rollouts/watches.ts';
import { linesOf, type PlayLine, type Story } from '../../../stories/watch/story.ts';

const MINUTE_MS = 60_000;

interface Polled {
  gvc: string;
  list: RecordList;
  now: number;
}

/** Every poll of a story: each list is read again once a minute. */
function* pollsOf(lines: readonly PlayLine[]): Generator<Polled> {
  const lists = new Map<string, RecordList>();
  for (const [index, line] of lines.entries()) {
    if (!('items' in line)) continue;
    const { listed: seen, ...unread } = scanItems(line.items);
    const list = { seen, ...unread };
    lists.set(line.gvc, list);
    const now = Date.parse(line.at);
    yield { gvc: line.gvc, list, now };
    const next = lines[index + 1];
    const end = next === undefined ? now : Date.parse(next.at);
    for (let at = now + MINUTE_MS; at < end; at += MINUTE_MS) {
      for (const [gvc, again] of lists) yield { gvc, list: again, now: at };
    }
  }
}

/** A watch of the GVC `shop`. */
export function watch(channel: string, over: Partial<Watch> = {}): Watch {
  return { org: 'acme', gvc: 'shop', channel, quiet: false, configured: false, ...over };
}

export function mute(over: Partial<Mute> = {}): Mute {
  return { channel: 'C1', since: 0, until: Infinity, by: 'U0ADA', ...over };
}

interface Listening {
  watches?: readonly Watch[];
  mutes?: readonly Mute[];
  links?: NonNullable<Audience['links']>;
  /** The bot restarts before every poll: only its stored state is left. */
  restarts?: true;
}

interface Step {
  gvc: string;
  now: number;
  step: Advance;
}

/** The step of each poll of a story. @param restarts see `Listening` */
function* stepsOf(story: Pick<Story, 'polls'>, restarts = false): Generator<Step> {
  const states = new Map<string, { state: GvcState; previousAt: number }>();
  let org: OrgState = EMPTY_ORG;
  let cache: Cache = new Map();
  for (const { gvc, list, now } of pollsOf(linesOf(story))) {
    const { state, previousAt } = states.get(gvc) ?? { state: EMPTY_GVC, previousAt: 0 };
    const options = { gvc, now, previousAt, patience: 1, idleMs: MINUTE_MS, cache };
    const step = advance(state, org, list, options);
    const { state: next, org: shared } = step;
    const kept = restarts ? structuredClone({ next, shared }) : { next, shared };
    if (restarts) cache = new Map();
    states.set(gvc, { state: kept.next, previousAt: now });
    org = kept.shared;
    yield { gvc, now, step };
  }
}

/** All messages of a story. */
export function messagesFor(
  story: Pick<Story, 'polls'>,
  { watches = [watch('C1')], mutes = [], links = [], restarts }: Listening = {},
): Message[] {
  return [...stepsOf(story, restarts)].flatMap(({ gvc, now, step }) =>
    messagesOf({ org: 'acme', gvc }, step.notices, { watches, mutes, links, now, ops: 'COPS' }),
  );
}

/** Whether the poll after the last one of a story should be soon. */
export function isActiveAfter(story: Pick<Story, 'polls'>): boolean | undefined {
  return [...stepsOf(story)].at(-1)?.step.active;
}

/** `C1 cart/12/failed`, in parentheses where it is only an edit or needs another message, with its mute. */
export function sketch(messages: readonly Message[]): string[] {
  const short = (key: string): string => key.replace(/^acme\/(?:shop\/)?/, '');
  const lines = messages.map(({ channel, key, editOnly, orphan, held }) => {
    const name = `${channel} ${short(key)}`;
    const own = editOnly === true || orphan === 'drop' ? `(${name})` : name;
    return held === undefined ? own : `${own} held`;
  });
  return [...new Set(lines)];
}
