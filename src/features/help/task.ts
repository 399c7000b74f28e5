/** What is asked of, without which a task cannot be done here (design section 7). */
export type Api = 'billing' | 'charges' | 'usage';

/** Something that people want, and what they type for it. */
export interface Task {
  /** A whole command that can be typed as it stands; its names are examples. */
  readonly command: string;
  /** What it tells or does, in a few words. */
  readonly wish: string;
  /** Other words for the same, as people may look for them. */
  readonly words?: string;
  readonly needs?: Api;
  /** Found by words only: the overview has to stay short. */
  readonly more?: true;
}

/** A place where Purser shows something without a command. */
export interface Place {
  /** The way there. */
  readonly place: string;
  /** What it shows, in a few words. */
  readonly wish: string;
  /** Other words for the same, as people may look for them. */
  readonly words?: string;
}

export interface TaskGroup {
  /** As a person would ask. */
  readonly question: string;
  readonly tasks: readonly Task[];
}
