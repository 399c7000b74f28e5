import { standForReady, stepGvcGone, stepGvcRollout } from './gvc-rollout.ts';
import type { GvcRollout } from './gvc-rollout.ts';
import type { GvcStep } from './gvc-step.ts';
import { stepIncidents } from './incidents.ts';
import type { Incidents } from './incidents.ts';
import type { News, Telling } from './telling.ts';

/**
 * What is remembered of a GVC beyond its workloads: the rollout of the GVC itself, and its locations in
 * trouble. Plain JSON; undefined parts are left out.
 */
export interface Wide {
  gvc?: GvcRollout;
  /** The GVC version with which the end of the whole GVC was told. */
  gone?: number;
  incidents?: Incidents;
}

interface WideStep {
  wide: Wide | undefined;
  tellings: Telling[];
  news: News[];
  /** Workloads of which locations tell everything that this poll brings. */
  toldWhole: ReadonlySet<string>;
}

/** What one poll means for the GVC as a whole, and for what is told of its workloads. Pure. */
export function stepWide(before: Wide | undefined, step: GvcStep): WideStep {
  const { incidents, tellings, news, toldWhole } = stepIncidents(before?.incidents, step);
  const { rollout, news: gvcNews } = stepGvcRollout(before?.gvc, step);
  const { told, gvcNews: standing } = standForReady(tellings, gvcNews, step);
  const gone = stepGvcGone(before?.gone ?? -1, step);
  return {
    wide: remembered(before, { incidents, gvc: rollout, gone: gone.told }),
    tellings: told.filter((_, index) => !gone.covered.has(step.tellings[index] as Telling)),
    news: [...news, ...standing, ...gone.news],
    toldWhole,
  };
}

interface Parts {
  incidents: Incidents | undefined;
  gvc: GvcRollout | undefined;
  gone: number;
}

function remembered(before: Wide | undefined, parts: Parts): Wide | undefined {
  const { incidents, gvc, gone } = parts;
  const same =
    incidents === before?.incidents && gvc === before?.gvc && gone === (before?.gone ?? -1);
  if (same) return before;
  return {
    ...(gvc === undefined ? {} : { gvc }),
    ...(gone < 0 ? {} : { gone }),
    ...(incidents === undefined ? {} : { incidents }),
  };
}
