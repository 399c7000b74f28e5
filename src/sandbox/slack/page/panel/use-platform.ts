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

  const send: Send = async (path, body) => {
    try {
      setSaid(await control.send(path, body));
      await read();
      return true;
    } catch (error) {
      setProblem(error instanceof Error ? error.message : 'The platform refused.');
      return false;
    }
  };
  return { state, problem, said, send };
}
