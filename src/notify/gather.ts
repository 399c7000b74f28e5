import type { KnownBlock } from '@slack/types';
import {
  context,
  joinMrkdwn,
  lines,
  mrkdwn,
  Mrkdwn,
  section,
  topText,
} from '../slack/kit/index.ts';
import { MAX_COVERS } from './message.ts';
import type { Message } from './message.ts';

/** So many are shown in lines; of the others their number. */
const MAX_LINES = 50;
/** Lines of a section: so few that texts of common length are shown whole. */
const SECTION_LINES = 5;

/** With this many characters a line, the longest message of all is one that Slack takes. */
const LINE_LENGTH = 220;

/** As many messages, from the first on, as one message can stand for: at least one, if there is any. */
export function fitting(messages: readonly Message[]): Message[] {
  let room = MAX_COVERS + 1;
  const end = messages.findIndex(({ key, covers = [] }, index) => {
    room -= [key, ...covers].join(' ').length + 1;
    return index > 0 && room < 0;
  });
  return messages.slice(0, end === -1 ? messages.length : end);
}

/**
 * One message that tells several: a title, and a line for each of the first, which is its text. A card needs no
 * line beside its outcomes, because each of them says more.
 */
export function gatheredContent(
  title: string,
  messages: readonly Message[],
): { text: string; blocks: KnownBlock[] } {
  const roots = new Set(messages.map(({ threadKey }) => threadKey));
  const all = messages
    .filter(({ key, covers }) => covers !== undefined || !roots.has(key))
    .map(({ text }) => lineOf(text));
  const rest = all.length - MAX_LINES;
  const told = all.slice(0, MAX_LINES);
  const sections: KnownBlock[] = [];
  for (let from = 0; from < told.length; from += SECTION_LINES) {
    const group = told.slice(from, from + SECTION_LINES);
    sections.push(lines(group.map((line) => mrkdwn`• ${line}`)));
  }
  const more = rest > 0 ? [mrkdwn`… and ${rest} more`] : [];
  return {
    text: topText(joinMrkdwn([mrkdwn`${title}`, ...told, ...more], '\n')),
    blocks: [section(mrkdwn`*${title}*`), ...sections, ...more.map((line) => context(line))],
  };
}

/** A text of ours is escaped already; it is cut between entities, tokens and code spans. */
function lineOf(text: string): Mrkdwn {
  const line = text.replaceAll('\n', ' ');
  if (line.length <= LINE_LENGTH) return new Mrkdwn(line);
  const room = line.slice(0, LINE_LENGTH - 2);
  const whole = room.replace(/(?:<[^<>]*|&\w*|[\uD800-\uDBFF])$/, '');
  const open = whole.split('`').length % 2 === 0;
  return new Mrkdwn(`${whole}…${open ? '`' : ''}`);
}
