import type { KnownBlock } from '@slack/types';
import { plural } from '../../lib/text.ts';
import { context, lines, mrkdwn, Mrkdwn, section, table, topText } from '../../slack/kit/index.ts';
import type { Place } from './event-keys.ts';
import type { GvcGoneNews, GvcNews } from '../engine/telling.ts';
import {
  after,
  cardButtons,
  footer,
  gvcTitle,
  listed,
  nameOf,
  progress,
  share,
  worstOf,
} from './view-parts.ts';
import type { Content } from './view-parts.ts';
import { SIGNS, endingSentence, wordOf } from './words.ts';

/**
 * The card of a change of the GVC itself, which rolls its workloads anew: a row per workload.
 * @param news with the rows of the workloads that the channel hears of
 * @param whole the channel watches the whole GVC
 */
export function gvcCardContent(place: Place, news: GvcNews, whole: boolean): Content {
  const { version, ending, rows, startedAt } = news;
  const word = wordOf(ending, rows);
  const standing = standingOf(news, word);
  const { shown, more } = worstOf(rows);
  const body = [
    ...progress(rows.map((row) => ({ ...row, name: row.workload }))),
    table(
      [{ title: 'Workload' }, { title: 'State' }, { title: 'Ready', align: 'right' }],
      shown.map((row) => [`${row.workload} v${row.version}`, row.state, share(row)]),
    ),
    ...(more > 0 ? [context(mrkdwn`${plural(more, 'more workload')}, none in a worse state`)] : []),
  ];
  return {
    text: topText(mrkdwn`${gvcTitle(place, version)} ${standing}`),
    blocks: [
      section(mrkdwn`${new Mrkdwn(SIGNS[word])} *${nameOf(place)}* GVC v${version} ${standing}`),
      ...(ending === null ? body : []),
      footer(place, { what: 'first seen', at: startedAt, moves: ending === null }),
      ...(ending === 'superseded' || ending === 'gone' ? [] : buttons(place, rows, whole)),
    ],
  };
}

/** A click is about what the channel watches. */
function buttons(place: Place, rows: GvcNews['rows'], whole: boolean): KnownBlock[] {
  const [only, ...others] = rows;
  if (whole) return cardButtons(place);
  return only !== undefined && others.length === 0
    ? cardButtons(place, only.workload)
    : cardButtons(place, undefined, { unwatch: false });
}

function standingOf(news: GvcNews, word: string): Mrkdwn {
  const { ending, rows } = news;
  if (ending === 'superseded') return mrkdwn`superseded by v${news.supersededBy ?? '?'}`;
  if (ending !== null)
    return mrkdwn`${endingSentence(ending, after(news.startedAt, news.readyAt))}`;
  const ready = rows.filter(({ state }) => state === 'ready').length;
  return mrkdwn`${word} · ${ready} of ${plural(rows.length, 'workload')} ready`;
}

/** The one `ready` of a GVC's version: a reply in its card's thread. */
export function gvcReadyContent(place: Place, news: GvcNews): Content {
  const ready = news.rows.filter(({ state }) => state === 'ready').length;
  const said = mrkdwn`ready in ${plural(ready, 'workload')}${after(news.startedAt, news.readyAt)}`;
  return {
    text: topText(mrkdwn`${gvcTitle(place, news.version)} ${said}`),
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
    text: topText(mrkdwn`${gvcTitle(place, version)} ${said}: ${listed(workloads)}`),
    blocks: [
      section(mrkdwn`${new Mrkdwn(SIGNS.gone)} *${nameOf(place)}* GVC v${version} ${said}`),
      lines([mrkdwn`${listed(workloads)}`]),
      footer(place),
    ],
  };
}
