import type { KnownBlock } from '@slack/types';
import { plural, shorten } from '../../lib/text.ts';
import { lines, section, SIGN, table, topText } from '../../slack/kit/blocks.ts';
import { mrkdwn, Mrkdwn } from '../../slack/kit/text.ts';
import type { GvcGoneNotice, GvcNotice } from '../engine/notices.ts';
import { isTrouble, SIGNS } from '../engine/states.ts';
import type { WatchedGvc } from '../watches.ts';
import { listed } from './causes-view.ts';
import {
  cardHead,
  endingSentence,
  footer,
  gvcTitle,
  isAwaited,
  linkRow,
  nameOf,
  progress,
  share,
  took,
  whereAndWhen,
  wordOf,
  worstOf,
  moreRows,
  type Content,
  type Whereabouts,
} from './view-parts.ts';

/**
 * The card of a change of the GVC itself, which rolls its workloads again: a row per workload.
 * @param notice with the rows of the workloads that the channel hears of
 * @param whole the channel watches the whole GVC
 */
export function gvcCardContent(
  place: WatchedGvc,
  notice: GvcNotice,
  whole: boolean,
  where: Whereabouts,
): Content {
  const { version, ending, rows, startedAt } = notice;
  const word = wordOf(ending, rows);
  const state = gvcStatus(notice, word);
  const last = ending === null ? mrkdwn`` : whereAndWhen(place, startedAt);
  const sign = hurtIn(rows).length > 0 ? SIGN.hurt : SIGNS[word];
  const head = mrkdwn`*${nameOf(place)}* GVC v${version}\n${new Mrkdwn(sign)} ${state}${last}`;
  const isOver = ending === 'superseded' || ending === 'gone';
  return {
    text: topText(mrkdwn`${gvcTitle(place, version)} ${state}`),
    blocks: [
      isOver ? section(head) : gvcHead(place, head, rows, whole),
      ...(ending === null ? gvcCardBody(place, notice) : []),
      ...(isOver ? [] : linkRow(where, place, { start: startedAt })),
    ],
  };
}

function gvcCardBody(place: WatchedGvc, { version, rows, startedAt }: GvcNotice): KnownBlock[] {
  const { shown, more } = worstOf(rows);
  const bars = rows.filter(isAwaited).map((row) => ({ ...row, name: row.workload }));
  return [
    progress(place, bars, { version: ` under GVC v${version}`, at: startedAt }),
    table(
      [{ title: 'Workload' }, { title: 'State' }, { title: 'Ready', align: 'right' }],
      shown.map((row) => [
        `${shorten(row.workload, CELL_LENGTH)} v${row.version}`,
        row.state,
        share(row),
      ]),
    ),
    ...moreRows(more),
  ];
}

/** Of a name in a table, in characters: two more columns stand beside it on a telephone. */
const CELL_LENGTH = 28;

/** A click is about what the channel watches. */
function gvcHead(
  place: WatchedGvc,
  head: Mrkdwn,
  rows: GvcNotice['rows'],
  whole: boolean,
): KnownBlock {
  const [only, ...others] = rows;
  if (whole) return cardHead(place, undefined, head);
  return only !== undefined && others.length === 0
    ? cardHead(place, only.workload, head)
    : cardHead(place, undefined, head, { unwatch: false });
}

/** Who is not waited for does not count. */
function gvcStatus(notice: GvcNotice, word: string): Mrkdwn {
  const { ending, rows, startedAt, readyAt } = notice;
  if (ending === 'superseded') return mrkdwn`superseded by v${notice.supersededBy ?? '?'}`;
  if (ending !== null) return mrkdwn`${endingSentence(ending, took(startedAt, readyAt))}`;
  const awaited = rows.filter(isAwaited);
  const ready = awaited.filter(({ state }) => state === 'ready').length;
  const hurt = hurtIn(rows).map(({ workload }) => workload);
  const outage = hurt.length === 0 ? '' : `OUTAGE of ${listed(hurt)} · `;
  return mrkdwn`${word} · ${outage}${ready} of ${plural(awaited.length, 'workload')} ready`;
}

/** A workload that comes up is no outage. Why one fails is told in a message of its own. */
function hurtIn(rows: GvcNotice['rows']): GvcNotice['rows'] {
  return rows.filter((row) => row.hurt === true && isTrouble(row.state));
}

/** The one `ready` of a GVC's version: a reply in its card's thread. */
export function gvcReadyContent(place: WatchedGvc, notice: GvcNotice, where: Whereabouts): Content {
  const { version, startedAt, readyAt } = notice;
  const ready = notice.rows.filter(({ state }) => state === 'ready').length;
  const said = mrkdwn`ready in ${plural(ready, 'workload')}${took(startedAt, readyAt)}`;
  return {
    text: topText(mrkdwn`${gvcTitle(place, version)} ${said}`),
    blocks: [
      section(mrkdwn`${new Mrkdwn(SIGNS.ready)} *${nameOf(place)}* GVC v${version} ${said}`),
      ...linkRow(where, place, { start: startedAt }),
    ],
  };
}

/** Every record of a GVC is gone. @param workloads those that the channel watches */
export function gvcGoneContent(
  place: WatchedGvc,
  { version }: Pick<GvcGoneNotice, 'version'>,
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
