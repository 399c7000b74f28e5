let aheadMs = 0;
const RealDate = Date;
const now = (): number => RealDate.now() + aheadMs;

/** From now on `Date` is this far ahead of the machine; timers run on as they are. */
export function moveDate(ms: number): void {
  aheadMs = ms;
  if (globalThis.Date !== RealDate) return;
  globalThis.Date = new Proxy(RealDate, {
    apply: () => new RealDate(now()).toString(),
    construct: (target, values, made) =>
      Reflect.construct(target, values.length === 0 ? [now()] : values, made) as Date,
    get: (target, name) => (name === 'now' ? now : (Reflect.get(target, name) as unknown)),
  });
}
