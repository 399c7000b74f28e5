import type { World } from './world.ts';

/** What is broken, and what the answer has to say of it. */
export interface Trouble {
  readonly broken: string;
  /** The bold beginning of the line. */
  readonly what: string;
  readonly says: string;
  readonly fix: string;
}

/** A bot with troubles that have nothing to do with each other. */
export interface BrokenSetUp {
  readonly name: string;
  readonly environment?: (world: World) => Record<string, string>;
  /** Done when it runs, and undone by what it gives. */
  readonly meanwhile?: (world: World) => Promise<() => Promise<unknown>>;
  readonly troubles: readonly Trouble[];
}
