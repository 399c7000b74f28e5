/** Things that a button stands for, kept for one person. */
export interface Keep {
  /** Gives the id that the button carries; undefined when it could not be kept, which is logged. */
  put(userId: string, thing: unknown): Promise<string | undefined>;
  /** What was kept for this person; undefined when it is too old or another's. @throws when the store does not answer */
  get(userId: string, id: string): Promise<unknown>;
}
