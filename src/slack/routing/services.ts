import type { App } from '@slack/bolt';
import type { Scrub } from '../../lib/secret.ts';
import type { Answers } from '../replies/answers.ts';
import type { ErrorHandling, InteractionStore } from '../replies/reply.ts';
import type { Home } from './home.ts';
import type { Modals } from './modals.ts';
import type { Person } from './routes.ts';

/** What the listeners of Slack's events work with. */
export interface RoutingServices extends ErrorHandling {
  app: App;
  answers: Answers;
  modals: Modals;
  interactions: InteractionStore;
  /** Absent: there is no home tab. */
  home?: Home;
  /** Takes secrets out of what is sent. */
  scrub: Scrub;
  /** Who may use the bot at all. @throws Refusal */
  authorize: (person: Person) => Promise<void>;
  /** Whether a person has a right that an answer needs; none is needed for undefined. @throws Refusal */
  requireRight: (person: Person, needs: string | undefined) => Promise<void>;
}
