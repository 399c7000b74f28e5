/** "+17%" or "−2.4%": whole percents from 10 on, by other means than the bot's. */
export function percentWords(percent: number): string {
  const size = Math.abs(percent);
  const figure = size < 9.95 ? size.toFixed(1) : String(Math.round(size));
  return `${percent > 0 ? '+' : '−'}${figure}%`;
}
