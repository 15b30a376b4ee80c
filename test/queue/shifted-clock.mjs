/** Loaded before a process. Shifts its clock by EVENKEEL_SHIFT milliseconds. */
const shift = Number(process.env.EVENKEEL_SHIFT ?? '0');
const Real = Date;
const now = Real.now.bind(Real);
Real.now = () => now() + shift;
globalThis.Date = new Proxy(Real, {
  construct: (target, parts, made) =>
    Reflect.construct(target, parts.length === 0 ? [now() + shift] : parts, made),
  apply: () => new Real(now() + shift).toString(),
});
