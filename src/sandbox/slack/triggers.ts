import type { Clock, Ids } from './ids.ts';
import { LIMITS } from './limits.ts';

/** An action of a person that a modal may answer. */
interface Trigger {
  readonly user: string;
  readonly at: number;
  used: boolean;
}

type TriggerAnswer =
  | { readonly user: string }
  | { readonly error: 'invalid_trigger_id' | 'expired_trigger_id' | 'exchanged_trigger_id' };

export interface Triggers {
  issue(user: string): string;
  /** Takes the trigger: it opens one view, within three seconds. */
  take(id: string): TriggerAnswer;
}

export function createTriggers({ clock, ids }: { clock: Clock; ids: Ids }): Triggers {
  const triggers = new Map<string, Trigger>();
  return {
    issue(user) {
      const id = `${clock.now()}.${ids.next('trigger')}`;
      triggers.set(id, { user, at: clock.now(), used: false });
      return id;
    },
    take(id) {
      const trigger = triggers.get(id);
      if (!trigger) return { error: 'invalid_trigger_id' };
      if (trigger.used) return { error: 'exchanged_trigger_id' };
      if (clock.now() - trigger.at > LIMITS.triggerLifetime) return { error: 'expired_trigger_id' };
      trigger.used = true;
      return { user: trigger.user };
    },
  };
}
