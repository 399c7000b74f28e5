import { type DateContext, formatDate } from './date-token.ts';
import { type Inline, safeUrl, unescapeEntities } from './inline.ts';

const textOf = (raw: string): Inline => ({ type: 'text', text: unescapeEntities(raw) });

/**
 * Reads the text between `<` and `>`: a mention, a broadcast, a date or a link.
 * Answers nothing for anything else, which the page then shows as the characters it is made of.
 */
export function parseControl(
  content: string,
  dates: DateContext,
  parseLabel: (raw: string) => readonly Inline[],
): Inline | undefined {
  const bar = content.indexOf('|');
  const head = bar < 0 ? content : content.slice(0, bar);
  const label = bar < 0 ? undefined : content.slice(bar + 1);
  switch (head[0]) {
    case '@':
      return mention('user', /^@([UW][A-Z0-9]*)$/, head, label);
    case '#':
      return mention('channel', /^#([CDG][A-Z0-9]*)$/, head, label);
    case '!':
      return special(head.slice(1), label, dates);
    default:
      return link(head, label, parseLabel);
  }
}

function mention(
  type: 'user' | 'channel' | 'usergroup',
  pattern: RegExp,
  head: string,
  label: string | undefined,
): Inline | undefined {
  const id = pattern.exec(head)?.[1];
  if (id === undefined) return undefined;
  return label === undefined || label === ''
    ? { type, id }
    : { type, id, label: unescapeEntities(label) };
}

function special(
  command: string,
  label: string | undefined,
  dates: DateContext,
): Inline | undefined {
  if (command === 'here' || command === 'channel' || command === 'everyone') {
    return { type: 'broadcast', range: command };
  }
  if (command.startsWith('subteam^')) {
    return mention('usergroup', /^subteam\^(S[A-Z0-9]*)$/, command, label?.replace(/^@/, ''));
  }
  if (command.startsWith('date^')) return date(command, label, dates);
  return label === undefined ? undefined : textOf(label);
}

function date(command: string, label: string | undefined, dates: DateContext): Inline | undefined {
  const match = /^date\^(-?\d+)\^([^^]*)(?:\^(.*))?$/.exec(command);
  if (match === null) return label === undefined ? undefined : textOf(label);
  const [, seconds = '', format = '', href = ''] = match;
  const text = formatDate(
    {
      timestampSeconds: Number(seconds),
      format: unescapeEntities(format),
      fallback: unescapeEntities(label ?? command),
    },
    dates,
  );
  const url = safeUrl(unescapeEntities(href));
  return url === undefined
    ? { type: 'text', text }
    : { type: 'link', url, children: [{ type: 'text', text }] };
}

function link(
  head: string,
  label: string | undefined,
  parseLabel: (raw: string) => readonly Inline[],
): Inline | undefined {
  const url = safeUrl(unescapeEntities(head));
  if (url === undefined) return undefined;
  const shown = label === undefined || label === '' ? head.replace(/^(?:mailto|tel):/, '') : label;
  return {
    type: 'link',
    url,
    children: label === undefined || label === '' ? [textOf(shown)] : parseLabel(shown),
  };
}
