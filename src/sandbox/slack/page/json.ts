/** Block Kit as the bot sent it: nothing about its shape is taken for granted. */
export type Json = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value if it is an object, else an empty one. */
export const objectOf = (value: unknown): Json => (isObject(value) ? value : {});

/** The objects of a list; anything that is no list has none. */
export const objectsOf = (value: unknown): readonly Json[] =>
  Array.isArray(value) ? value.filter(isObject) : [];

/** The value if it is a string, else the empty string. */
export const stringOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The strings of a list. */
export const stringsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];

/** The value if it is a number, else the fallback. */
export const numberOf = (value: unknown, fallback: number): number =>
  typeof value === 'number' ? value : fallback;
