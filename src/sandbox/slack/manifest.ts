import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { asJson, asList, asText, objectsOf } from './json.ts';

interface SlashCommand {
  readonly command: string;
  readonly description: string;
  readonly usageHint: string;
  readonly shouldEscape: boolean;
}

/** The parts of the app's manifest that an installation uses. */
export interface Manifest {
  readonly name: string;
  readonly commands: readonly SlashCommand[];
  readonly scopes: readonly string[];
  readonly botEvents: readonly string[];
  readonly homeTab: boolean;
  readonly messagesTab: boolean;
}

/** Throws when the file cannot be read or is no YAML mapping. */
export async function readManifest(path: string): Promise<Manifest> {
  const root = asJson(parse(await readFile(path, 'utf8')));
  const features = asJson(root['features']);
  const home = asJson(features['app_home']);
  const scopes = asJson(asJson(root['oauth_config'])['scopes']);
  const events = asJson(asJson(root['settings'])['event_subscriptions']);
  return {
    name: asText(asJson(root['display_information'])['name']) ?? 'App',
    commands: objectsOf(features['slash_commands']).map((command) => ({
      command: asText(command['command']) ?? '',
      description: asText(command['description']) ?? '',
      usageHint: asText(command['usage_hint']) ?? '',
      shouldEscape: command['should_escape'] === true,
    })),
    // Everything is granted, as long as a test withholds nothing.
    scopes: [...asList(scopes['bot']), ...asList(scopes['bot_optional'])].map(String),
    botEvents: asList(events['bot_events']).map(String),
    homeTab: home['home_tab_enabled'] === true,
    messagesTab: home['messages_tab_enabled'] === true,
  };
}
