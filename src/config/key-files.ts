import { readFileSync } from 'node:fs';
import type { Logger } from '../lib/logger.ts';
import type { Secret } from '../lib/secret.ts';
import { ConfigError, loadConfig, type Config } from './config.ts';
import { secretVariables, type Environment, type ReadFile } from './variables.ts';

/** The files that `NAME_FILE` names. */
export interface KeyFiles {
  /** Reads all of them again. */
  read(): void;
  /** Looks once a minute, and calls `whenChanged` when the content of one has changed. */
  watch(whenChanged: () => void): void;
}

interface KeyFileOptions {
  readonly config: Config;
  readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>;
  readonly env?: Environment;
  readonly readFile?: ReadFile;
}

/** Milliseconds. */
const LOOK_MS = 60_000;

/** By variable; undefined: the file cannot be read. */
type Contents = ReadonlyMap<string, string | undefined>;

/**
 * Gives the secrets of a running process the values that their files have now. A variable that is broken keeps its
 * keys, and so does everything where several variables do not fit together.
 */
export function createKeyFiles({
  config,
  logger,
  env = process.env,
  readFile = (path) => readFileSync(path, 'utf8'),
}: KeyFileOptions): KeyFiles {
  const names = secretVariables.filter((name) => env[`${name}_FILE`]);
  const contentsNow = (): Contents =>
    new Map(names.map((name) => [name, contentOf(env[`${name}_FILE`] ?? '', readFile)]));
  /** Those in use, and those that were read last. */
  let good = contentsNow();
  let seen = good;

  const usable = createUsable({ names, env, logger });

  return {
    read() {
      seen = contentsNow();
      const found = usable(seen, good);
      if (found === undefined) return;
      const [fresh, contents] = found;
      const renewed = renew(config, fresh);
      const atStart = ['REDIS_URL', 'REDIS_SENTINELS'].filter(
        (name) => contents.get(name) !== good.get(name),
      );
      const later = [...atStart, ...strangers(config, fresh)];
      good = contents;
      logger.info({ renewed }, 'The key files were read again');
      if (later.length > 0) {
        logger.warn({ variables: later }, 'A change of these takes effect at the next start');
      }
    },
    watch(whenChanged) {
      setInterval(() => {
        const present = contentsNow();
        if (names.some((name) => present.get(name) !== seen.get(name))) whenChanged();
      }, LOOK_MS).unref();
    },
  };
}

/** The configuration of these contents, where broken ones are as they were; undefined: nothing can be used. */
type Usable = (present: Contents, good: Contents) => readonly [Config, Contents] | undefined;

function createUsable({
  names,
  env,
  logger,
}: Pick<KeyFileOptions, 'logger'> & {
  readonly names: readonly string[];
  readonly env: Environment;
}): Usable {
  function load(contents: Contents): Config {
    const byPath = new Map(names.map((name) => [env[`${name}_FILE`], contents.get(name)]));
    return loadConfig(env, (path) => {
      const content = byPath.get(path);
      if (content === undefined) throw new Error('the file cannot be read');
      return content;
    });
  }

  function report(error: unknown): Set<string> {
    if (!(error instanceof ConfigError)) throw error;
    const broken = new Set(error.problems.map((problem) => problem.split(':', 1)[0] ?? ''));
    const { problems } = error;
    logger.error(
      { variables: [...broken], problems },
      'A key file is broken: its former keys stay',
    );
    return broken;
  }

  return (present, good) => {
    try {
      return [load(present), present];
    } catch (error) {
      const broken = report(error);
      const mixed = new Map(
        names.map((name) => [name, (broken.has(name) ? good : present).get(name)]),
      );
      try {
        return [load(mixed), mixed];
      } catch {
        return undefined;
      }
    }
  };
}

function contentOf(path: string, readFile: ReadFile): string | undefined {
  try {
    return readFile(path);
  } catch {
    return undefined;
  }
}

/** The secrets that may change, by their variable, those of ORG_TOKENS with the org and the kind of its key. */
function secretsByName({ api, billing, secretKey, slack }: Config): Map<string, Secret> {
  const all: [string, Secret | undefined][] = [
    ['SLACK_BOT_TOKEN', slack.botToken],
    ...(slack.mode === 'http'
      ? [['SLACK_SIGNING_SECRET', slack.signingSecret] as [string, Secret]]
      : [['SLACK_APP_TOKEN', slack.appToken] as [string, Secret]]),
    ['BILLING_TOKEN', billing?.token],
    ['BILLING_USER_TOKEN', billing?.userToken],
    ['SECRET_KEY', secretKey],
    ...[...api.credentials].map(([org, { kind, secret }]): [string, Secret] => [
      `ORG_TOKENS ${org} ${kind}`,
      secret,
    ]),
  ];
  return new Map(all.filter((entry): entry is [string, Secret] => entry[1] !== undefined));
}

/** @returns the variables whose keys have changed */
function renew(config: Config, fresh: Config): string[] {
  const values = secretsByName(fresh);
  const renewed = [...secretsByName(config)].flatMap(([name, secret]) => {
    const value = values.get(name);
    return value !== undefined && secret.renew(value) ? [variableOf(name)] : [];
  });
  return [...new Set(renewed)];
}

/** Variables with a key that only one of the two has: an org was added or removed. */
function strangers(config: Config, fresh: Config): string[] {
  const [one, other] = [secretsByName(config), secretsByName(fresh)];
  const names = [...one.keys(), ...other.keys()].filter(
    (name) => !one.has(name) || !other.has(name),
  );
  return [...new Set(names.map(variableOf))];
}

function variableOf(name: string): string {
  return name.split(' ', 1)[0] ?? name;
}
