import { inspect } from 'node:util';

/** What stands in the place of a secret wherever one would be shown. */
export const hidden = '[hidden]';

/** A value that is never printed by accident: only {@link Secret.reveal} gives it away. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** The value itself, for the one place that sends it. */
  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return hidden;
  }

  toJSON(): string {
    return hidden;
  }

  [inspect.custom](): string {
    return hidden;
  }
}
