import { formatDuration, plural } from '../../lib/text.ts';
import { context, lines, mrkdwn, Mrkdwn, section, table, topText } from '../../slack/kit/index.ts';
import type { Place } from './event-keys.ts';
import type { GvcGoneNews, GvcNews } from '../engine/telling.ts';
import { cardButtons, footer, listed, nameOf, progressBar, worstOf } from './view-parts.ts';
import type { Content } from './view-parts.ts';
import { SIGNS, endingSentence, wordOf } from './words.ts';

/** The card of a change of the GVC itself, which rolls its workloads anew: a row per workload. */
export function gvcCardContent(place: Place, news: GvcNews): Content {
  const { version, ending, rows, startedAt } = news;
  const word = wordOf(ending, rows);
  const standing = standingOf(news, word);
  const { shown, more } = worstOf(rows);
  const sum = (part: 'ready' | 'wanted'): number => rows.reduce((all, row) => all + row[part], 0);
  const body = [
    section(progressBar(Math.min(sum('ready'), sum('wanted')), sum('wanted'))),
    table(
      [{ title: 'Workload' }, { title: 'State' }, { title: 'Ready', align: 'right' }],
      shown.map((row) => [
        `${row.workload} v${row.version}`,
        row.state,
        `${row.ready}/${row.wanted}`,
      ]),
    ),
    ...(more > 0 ? [context(mrkdwn`${plural(more, 'more workload')}, none in a worse state`)] : []),
  ];
  return {
    text: topText(mrkdwn`${nameOf(place)} GVC v${version} ${standing}`),
    blocks: [
      section(mrkdwn`${new Mrkdwn(SIGNS[word])} *${nameOf(place)}* GVC v${version} ${standing}`),
      ...(ending === null ? body : []),
      footer(place, { what: 'first seen', at: startedAt, moves: ending === null }),
      ...(ending === 'superseded' || ending === 'gone' ? [] : cardButtons(place)),
    ],
  };
}

function standingOf(news: GvcNews, word: string): Mrkdwn {
  const { ending, rows } = news;
  if (ending === 'superseded') return mrkdwn`superseded by v${news.supersededBy ?? '?'}`;
  if (ending !== null) return mrkdwn`${word} · ${endingSentence(ending, took(news))}`;
  const ready = rows.filter(({ state }) => state === 'ready').length;
  return mrkdwn`${word} · ${ready} of ${plural(rows.length, 'workload')} ready`;
}

function took({ startedAt, readyAt }: GvcNews): string {
  return readyAt === null ? '' : formatDuration(readyAt - startedAt);
}

/** The one `ready` of a GVC's version: a reply in its card's thread. */
export function gvcReadyContent(place: Place, news: GvcNews): Content {
  const duration = took(news);
  const ready = news.rows.filter(({ state }) => state === 'ready').length;
  const said = mrkdwn`ready in ${plural(ready, 'workload')}${duration === '' ? '' : ` after ${duration}`}`;
  return {
    text: topText(mrkdwn`${nameOf(place)} GVC v${news.version} ${said}`),
    blocks: [
      section(mrkdwn`${new Mrkdwn(SIGNS.ready)} *${nameOf(place)}* GVC v${news.version} ${said}`),
    ],
  };
}

/** Every record of a GVC is gone. @param workloads those that the channel watches */
export function gvcGoneContent(
  place: Place,
  { version }: Pick<GvcGoneNews, 'version'>,
  workloads: readonly string[],
): Content {
  const said = mrkdwn`gone: ${plural(workloads.length, 'workload')} no longer listed`;
  return {
    text: topText(mrkdwn`${nameOf(place)} GVC v${version} ${said}: ${listed(workloads)}`),
    blocks: [
      section(mrkdwn`${new Mrkdwn(SIGNS.gone)} *${nameOf(place)}* GVC v${version} ${said}`),
      lines([mrkdwn`${listed(workloads)}`]),
      footer(place, { what: '', at: null, moves: false }),
    ],
  };
}
