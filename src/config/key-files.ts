import { readFileSync } from 'node:fs';
import type { Logger } from '../lib/logger.ts';
import type { Secret } from '../lib/secret.ts';
import { ConfigError, loadConfig, type Config } from './config.ts';
import { secretVariables, type Environment, type ReadFile } from './variables.ts';

/** Milliseconds. */
const LOOK_MS = 60_000;

/** By variable; undefined: the file cannot be read. */
type Contents = ReadonlyMap<string, string | undefined>;

interface KeyFileOptions {
  readonly config: Config;
  readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>;
  readonly env?: Environment;
  readonly readFile?: ReadFile;
}

/**
 * Gives the secrets of a running process the values that their files have now. A variable that is broken keeps its
 * keys, and so does everything where several variables do not fit together.
 */
export function createKeyFiles({
  config,
  logger,
  env = process.env,
  readFile = (path) => readFileSync(path, 'utf8'),
}: KeyFileOptions) {
  const names = secretVariables.filter((name) => env[`${name}_FILE`]);
  const contentsNow = (): Contents =>
    new Map(names.map((name) => [name, contentOf(env[`${name}_FILE`] ?? '', readFile)]));
  /** Those in use, and those that were read last. */
  let good = contentsNow();
  let seen = good;

  /** The configuration of these contents, where broken ones are as they were; undefined: nothing can be used. */
  function usable(present: Contents): readonly [Config, Contents] | undefined {
    try {
      return [loadWith(env, present), present];
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      const { problems } = error;
      const broken = new Set(problems.map((problem) => problem.split(':', 1)[0] ?? ''));
      logger.error(
        { variables: [...broken], problems },
        'A key file is broken: its former keys stay',
      );
      const mixed = new Map(
        names.map((name) => [name, (broken.has(name) ? good : present).get(name)]),
      );
      try {
        return [loadWith(env, mixed), mixed];
      } catch {
        return undefined;
      }
    }
  }

  return {
    /** Reads all of them again. */
    read(): void {
      seen = contentsNow();
      const found = usable(seen);
      if (found === undefined) return;
      const [fresh, contents] = found;
      const { renewed, strange } = renew(secretsByName(config), secretsByName(fresh));
      const atStart = ['REDIS_URL', 'REDIS_SENTINELS'].filter(
        (name) => contents.get(name) !== good.get(name),
      );
      good = contents;
      logger.info({ renewed }, 'The key files were read again');
      const later = [...atStart, ...strange];
      if (later.length > 0) {
        logger.warn({ variables: later }, 'A change of these takes effect at the next start');
      }
    },
    /** Looks once a minute, and calls `whenChanged` when the content of one has changed. */
    watch(whenChanged: () => void): void {
      setInterval(() => {
        const present = contentsNow();
        if (names.some((name) => present.get(name) !== seen.get(name))) whenChanged();
      }, LOOK_MS).unref();
    },
  };
}

/** With these contents in place of the files. @throws ConfigError */
function loadWith(env: Environment, contents: Contents): Config {
  const byPath = new Map([...contents].map(([name, content]) => [env[`${name}_FILE`], content]));
  return loadConfig(env, (path) => {
    const content = byPath.get(path);
    if (content === undefined) throw new Error('the file cannot be read');
    return content;
  });
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
    slack.mode === 'http'
      ? ['SLACK_SIGNING_SECRET', slack.signingSecret]
      : ['SLACK_APP_TOKEN', slack.appToken],
    ['BILLING_TOKEN', billing?.token],
    ['BILLING_USER_TOKEN', billing?.userToken],
    ['SECRET_KEY', secretKey],
  ];
  for (const [org, { kind, secret }] of api.credentials) {
    all.push([`ORG_TOKENS ${org} ${kind}`, secret]);
  }
  return new Map(all.filter((entry): entry is [string, Secret] => entry[1] !== undefined));
}

/** @returns the variables whose keys have changed, and those with a key that only one has: an org came or went */
function renew(own: ReadonlyMap<string, Secret>, fresh: ReadonlyMap<string, Secret>) {
  const renewed = new Set<string>();
  const strange = new Set<string>();
  for (const name of new Set([...own.keys(), ...fresh.keys()])) {
    const [variable = name] = name.split(' ', 1);
    const [secret, value] = [own.get(name), fresh.get(name)];
    if (secret === undefined || value === undefined) strange.add(variable);
    else if (secret.renew(value)) renewed.add(variable);
  }
  return { renewed: [...renewed], strange: [...strange] };
}
