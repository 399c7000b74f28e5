import { CRON_AND_ADOPTION } from './cron-and-adoption.ts';
import { GROUPS_OF_FINDINGS } from './groups.ts';
import { IMPACT_OF_ROLLOUTS } from './impact-of-rollouts.ts';
import { LEAVING_AND_REPORTS } from './leaving-and-reports.ts';
import { GROUP_RULES } from './rules-groups.ts';
import { IMPACT_RULES } from './rules-impact.ts';
import { NOISE_RULES } from './rules-noise.ts';
import { ROLLOUT_RULES } from './rules-rollouts.ts';
import { type Story } from './story.ts';
import { WITHOUT_CARD } from './without-card.ts';

/** Every story of the watch: those of findings first, then those of rules. */
export const STORIES: readonly Story[] = [
  ...IMPACT_OF_ROLLOUTS,
  ...WITHOUT_CARD,
  ...LEAVING_AND_REPORTS,
  ...CRON_AND_ADOPTION,
  ...GROUPS_OF_FINDINGS,
  ...IMPACT_RULES,
  ...ROLLOUT_RULES,
  ...GROUP_RULES,
  ...NOISE_RULES,
];
