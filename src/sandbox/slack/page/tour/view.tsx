import { createContext } from 'preact';
import { useContext, useEffect, useReducer, useRef } from 'preact/hooks';

import { STEPS } from './steps.ts';
import type { Tour } from './tour.ts';

const TourContext = createContext<Tour | null>(null);

export const TourProvider = TourContext.Provider;

/** The tour, and the component is drawn again with it; null outside of the demo. */
export function useTour(): Tour | null {
  const tour = useContext(TourContext);
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  useEffect(() => tour?.subscribe(() => redraw(undefined)), [tour]);
  return tour;
}

/** Five steps that each do something real, and say where to look and what one would type. */
export function TourList() {
  const tour = useTour();
  const button = useRef<HTMLButtonElement>(null);
  const { at, acted = 0, done = [], busy = false, problem = '' } = tour?.state() ?? {};
  // After the composer, which takes the focus when the page is drawn for another person.
  useEffect(() => {
    const timer = setTimeout(() => button.current?.focus({ preventScroll: true }));
    return () => clearTimeout(timer);
  }, [at]);
  if (tour === null || at === undefined) return null;
  return (
    <div class="tour">
      <ol aria-label="Tour">
        {STEPS.map((step, index) => (
          <li key={step.id} {...(index === at ? { 'aria-current': 'step' } : {})}>
            <b>
              {index + 1} {step.title}
            </b>
            {done.includes(step.id) && <span class="done">done</span>}
            {index === at && (
              <div class="tour-step">
                <p>
                  {step.says} The command: <code>{step.command}</code>
                </p>
                <button
                  ref={button}
                  type="button"
                  class="button solid primary"
                  disabled={busy}
                  onClick={() => void tour.press()}
                >
                  {acted < step.acts.length ? 'Do it' : 'Next'}
                </button>
              </div>
            )}
          </li>
        ))}
      </ol>
      <p class="tour-note" role="status">
        {problem}
        {at >= STEPS.length && 'That is all. Type / in any channel and see what else there is.'}
      </p>
      <button type="button" class="plain close" aria-label="Close the steps" onClick={tour.close}>
        ×
      </button>
    </div>
  );
}

const TRIES = STEPS.slice(0, 4);

/** The purpose of this page and things to try, over the messages of the first channel. */
export function Welcome() {
  const tour = useTour();
  if (tour === null || tour.state().dismissed) return null;
  const attempt = (id: string): void => {
    tour.start(id);
    void tour.press();
  };
  return (
    <section class="welcome" aria-label="Welcome">
      <h2>Welcome to Purser, a Slack bot for rollouts and cloud bills</h2>
      <p>
        It posts each <b>rollout</b> in your channel, answers what things <b>cost</b>, and changes
        the account only after a second person’s <b>approval</b>. For people who run workloads on a
        cloud platform and pay for them. This is the real bot, with a stand-in Slack and a stand-in
        platform around it: nothing here can break.
      </p>
      <div class="levers">
        {TRIES.map(({ id, title }) => (
          <button
            key={id}
            type="button"
            class="button"
            disabled={tour.state().busy}
            onClick={() => attempt(id)}
          >
            {title}
          </button>
        ))}
      </div>
      <button type="button" class="plain close" aria-label="Dismiss welcome" onClick={tour.dismiss}>
        ×
      </button>
    </section>
  );
}
