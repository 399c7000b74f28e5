import type { JobKind } from '../jobs/jobs.ts';
import type { ActionRoute, CommandRoute } from '../slack/routes.ts';

/**
 * One thing that people type: a folder here and a line in `app.ts`. Everything is optional; what a
 * feature names is connected by the composition root, checked against `manifest.yml` by a test, and
 * found by `/purser help`.
 */
export interface Feature {
  name: string;
  commands?: readonly CommandRoute[];
  actions?: readonly ActionRoute[];
  jobs?: readonly JobKind[];
}
