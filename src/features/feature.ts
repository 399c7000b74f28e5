import type { Standing } from '../access/changes.ts';
import type { JobKind } from '../jobs/jobs.ts';
import type { GuardDeps } from '../slack/guard.ts';
import type { HelpingRoute } from '../slack/router.ts';
import type { ActionRoute, FormRoute, HomePart, ModalRoute, RevealRoute } from '../slack/routes.ts';

/**
 * One thing that people type: a folder here and a line in `app.ts`. Everything is optional; what a
 * feature names is connected by the composition root, checked against `manifest.yml` by a test, and
 * found by `/purser help`.
 */
export interface Feature {
  name: string;
  commands?: readonly HelpingRoute[];
  actions?: readonly ActionRoute[];
  modals?: readonly ModalRoute[];
  forms?: readonly FormRoute[];
  reveals?: readonly RevealRoute[];
  jobs?: readonly JobKind[];
  home?: readonly HomePart<Standing>[];
  /** Told of everybody who is refused for who they are. Who asked for something of another feature is none of it. */
  refused?: NonNullable<GuardDeps['refused']>;
}
