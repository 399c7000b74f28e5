import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stagesOfImage, valuesOf, type Stage } from '../support/dockerfile.ts';
import type { RunningBot } from '../support/running-bot.ts';
import { until } from '../support/until.ts';
import { userOf, type User } from '../support/user.ts';
import { openWorld, type SeenMessage, type World } from '../support/world.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const QUESTION = '/charges last month by workload step day';

/** Fills a folder with the files that the Dockerfile puts into the image, by its own commands. */
async function makeImage(folder: string): Promise<void> {
  const stageOf = (name: string): Stage =>
    stagesOfImage().find((stage) => stage[0]?.value.endsWith(` AS ${name}`)) ?? [];
  for (const copied of valuesOf(stageOf('packages'), 'COPY')) {
    for (const file of copied.split(' ').slice(0, -1)) cpSync(join(ROOT, file), join(folder, file));
  }
  for (const command of valuesOf(stageOf('packages'), 'RUN').join(' && ').split(' && ')) {
    // The cache is that of this machine.
    if (!command.includes('cache clean')) await run(command, folder);
  }
  expect(valuesOf(stageOf('build'), 'RUN')).toContain('npm run build');
  await run(`npm run build -- --outDir ${join(folder, 'dist')}`, ROOT);
}

async function run(command: string, folder: string): Promise<void> {
  const [program = '', ...words] = command.trim().split(/\s+/);
  const { PATH, HOME } = process.env;
  // Settings of the npm that started the tests do not reach the one that makes the image.
  const env = { PATH, HOME, npm_config_prefer_offline: 'true', npm_config_loglevel: 'error' };
  await promisify(execFile)(program, words, { cwd: folder, env });
}

/** The variables that the image sets. */
function environmentOf(stage: Stage): Record<string, string> {
  const pairs = valuesOf(stage, 'ENV').flatMap((line) => [
    ...line.matchAll(/(\w+)=(?:"([^"]*)"|(\S+))/g),
  ]);
  return Object.fromEntries(
    pairs.map(([, name = '', quoted, bare]) => [name, quoted ?? bare ?? '']),
  );
}

/** The image's own command, in its own folder, by the Node of this process. */
function entryOf(stage: Stage, folder: string): string[] {
  const [entry = '[]'] = valuesOf(stage, 'ENTRYPOINT');
  const [, ...words] = JSON.parse(entry) as string[];
  return ['sh', '-c', 'cd "$0" && exec "$@"', folder, process.execPath, ...words];
}

interface SeenFile {
  readonly id: string;
  readonly name: string;
}

describe('the bot of the image', () => {
  // Outside of the project, where Node finds no package but those of the image.
  const folder = mkdtempSync(join(tmpdir(), 'purser-image-'));
  let world: World;
  let bot: RunningBot;
  let ada: User;
  let answer: SeenMessage;

  beforeAll(async () => {
    await makeImage(folder);
    world = await openWorld();
    const image = stagesOfImage().at(-1) ?? [];
    bot = await world.startBot({
      program: entryOf(image, folder),
      environment: environmentOf(image),
    });
    ada = userOf(world, 'U0ADA');
    answer = await ada.ask(QUESTION);
  }, 300_000);

  afterAll(async () => {
    await world?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** The bytes of the file that a button of the answer sends. */
  async function fileBy(button: string, extension: string): Promise<Buffer> {
    await ada.press(answer, button);
    const { id, name } = await until(`a file by ${button}`, async () =>
      (await ada.direct())
        .flatMap((one) => (one as SeenMessage & { files: SeenFile[] }).files)
        .find((file) => file.name.endsWith(extension)),
    );
    const got = await fetch(`${world.slackUrl}/page/files/${id}/${name}`);
    return Buffer.from(await got.arrayBuffer());
  }

  it('answers a command, draws a chart, sends its rows, and stops with no warning in its log', async () => {
    expect(JSON.stringify(answer.blocks)).toContain('*Charges by workload* per day');
    expect(answer.blocks.map(({ type }) => type)).toContain('data_visualization');

    const rows: Record<string, string>[] = parse(await fileBy('CSV', '.csv'), { columns: true });
    expect(new Set(rows.map((row) => row['workload'])).size).toBeGreaterThan(20);

    expect(await bot.stop()).toBe(0);
    expect(bot.log()).toContain('"level":"info"');
    expect(bot.log()).not.toMatch(/"level":"(?:warn|error|fatal)"/);
  });
});
