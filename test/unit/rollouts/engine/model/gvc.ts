import { stateShown, type Moment } from './record.ts';

const WAIT = 10 * 60_000;

/** A card of the GVC, opened by one of its versions. */
export interface Card {
  version: number;
  openedAt: number;
  /** It was told to be ready, or there is nothing left of it. */
  over: boolean;
}

/**
 * What a poll tells of the GVC's own rollout, in lines (ADR 11, "GVC").
 * @param records all moments by `workload/location`
 * @param cards those opened before; one that opens is added
 */
export function tellOfGvc(
  records: ReadonlyMap<string, readonly Moment[]>,
  cards: Card[],
  { at, adopted }: { at: number; adopted: boolean },
): string[] {
  if (adopted) return [];
  const all = [...records.values()].filter((past) => past.at(-1)?.cron !== true);
  const known = Math.max(0, ...cards.map(({ version }) => version));
  const rerolled = all.filter(isRerolled).map((past) => (past.at(-1) as Moment).gvc);
  const version = Math.max(0, ...rerolled);
  const lines: string[] = [];
  if (version > known) {
    cards.push({ version, openedAt: at, over: false });
    lines.push(`open @gvc/${version}/card`);
  }
  const card = cards.at(-1);
  if (card === undefined || card.over) return lines;
  const late = at - card.openedAt >= WAIT;
  const rows = all
    .map((past) => past.at(-1) as Moment)
    .filter(({ state, gvc }) => state !== 'gone' && gvc !== 0 && !(late && gvc < card.version));
  const ready = isReady(card, rows);
  if (ready) lines.push(`@gvc/${card.version}/ready`);
  card.over = ready || rows.length === 0;
  return lines;
}

/** The same E as before under a higher GVC version. */
function isRerolled(past: readonly Moment[]): boolean {
  const [before, now] = past.slice(-2);
  if (before === undefined || now?.view === undefined) return false;
  return now.E === before.E && before.gvc !== 0 && now.gvc > before.gvc;
}

function isReady(card: Card, rows: readonly Moment[]): boolean {
  const inPlay = rows.filter((row) => !['suspended', 'idle'].includes(stateShown(row)));
  return (
    inPlay.length > 0 && inPlay.every(({ state, gvc }) => state === 'ready' && gvc >= card.version)
  );
}
