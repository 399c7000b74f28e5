import { useCallback, useEffect, useState } from 'preact/hooks';

import type { Control, PlatformState } from './control.ts';

/** Answers whether the platform took it; what it said against it is shown in the panel. */
export type Send = (path: string, body: object) => Promise<boolean>;

const pollMilliseconds = 1500;

/** The platform's state, read again and again while the panel is open, and how to change it. */
export function usePlatform(control: Control) {
  const [state, setState] = useState<PlatformState | null>(null);
  const [problem, setProblem] = useState('');
  const [said, setSaid] = useState('');

  const read = useCallback(async (): Promise<void> => {
    try {
      setState(await control.state());
      setProblem('');
    } catch {
      setProblem('The platform does not answer.');
    }
  }, [control]);

  useEffect(() => {
    void read();
    const timer = window.setInterval(() => void read(), pollMilliseconds);
    return () => window.clearInterval(timer);
  }, [read]);

  /** Answers whether it was taken; the panel shows why not. */
  const run = async (work: () => Promise<void>): Promise<boolean> => {
    try {
      await work();
      await read();
      return true;
    } catch (error) {
      setProblem(error instanceof Error ? error.message : 'The platform refused.');
      return false;
    }
  };
  const send: Send = (path, body) => run(async () => setSaid(await control.send(path, body)));
  return { state, problem, said, send, run };
}
