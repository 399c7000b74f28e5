import type { Principal } from '../access/policy.ts';
import type { JobKind } from '../jobs/jobs.ts';
import type { SlackRoutes } from '../slack/routing/routes.ts';

/**
 * One thing that people type: a folder here and a line in `app.ts`. Everything is optional; what a
 * feature names is connected by the composition root, checked against `manifest.yml` by a test, and
 * found by `/purser help`.
 */
export interface Feature extends SlackRoutes<Principal> {
  name: string;
  jobs?: readonly JobKind[];
}
