import type { FastifyInstance } from 'fastify';

import { body, oneOf, optional, text } from '../control-schema.ts';
import type { Simulator } from '../deployments/simulator.ts';
import { SandboxError } from '../errors.ts';
import type { Faults } from '../faults.ts';
import { STORIES, type Target } from './catalogue.ts';

export type Stories = ReturnType<typeof createStories>;

/** Plays what people want to see: some steps of the simulator, the later ones by themselves. */
export function createStories(deps: { simulator: Simulator; faults: Faults; speed: number }) {
  const { simulator, faults, speed } = deps;
  const timers = new Set<NodeJS.Timeout>();
  const later = (seconds: number, step: () => void) => {
    const timer = setTimeout(
      () => {
        timers.delete(timer);
        whileThere(step);
      },
      (seconds * 1000) / speed,
    );
    timers.add(timer);
  };

  return {
    /** All stories, for the panel. */
    list: () => Object.entries(STORIES).map(([name, { label, of }]) => ({ name, label, of })),

    /**
     * Begins a story and says in one line what will happen.
     * Throws a SandboxError with status 404 for a place that does not exist.
     */
    play(name: string, target: Target): string | undefined {
      const locations = simulator.select(target).map(({ record }) => record.location);
      return STORIES[name]?.play({ simulator, faults, target, locations, later });
    },

    /** Drops the steps that have not come yet. */
    stop() {
      for (const timer of timers) clearTimeout(timer);
      timers.clear();
    },
  };
}

/** A later step may find that its workload was deleted meanwhile. */
function whileThere(step: () => void): void {
  try {
    step();
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error;
  }
}

/** `POST /_sandbox/story`. */
export function registerStoryControl(app: FastifyInstance, stories: Stories): void {
  const schema = {
    body: body({
      name: oneOf(Object.keys(STORIES)),
      org: text,
      gvc: text,
      workload: text,
      location: optional(text),
    }),
  };
  app.post<{ Body: Target & { name: string } }>('/story', { schema }, async (request) => {
    const { name, ...target } = request.body;
    return { says: stories.play(name, target) };
  });
}
