/** Why a run of a cron workload ended as it did: one text, separated by semicolons (spec 2.12). */
export function reasonsOf(message: string): string[] {
  return message
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
