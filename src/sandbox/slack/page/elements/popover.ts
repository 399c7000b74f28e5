import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';

type Position = { readonly top?: string; readonly bottom?: string; readonly left: string };

const height = 280;

/** Keeps a fixed-position list beside its anchor, above it where there is no room below. */
export function usePopover(
  anchor: RefObject<HTMLElement | null>,
  open: boolean,
  width: number | 'anchor' = 'anchor',
): Position & { readonly width: string } {
  const [position, setPosition] = useState<Position & { width: string }>({
    left: '0',
    width: '0',
  });
  useLayoutEffect(() => {
    if (!open) return undefined;
    const place = (): void => {
      const box = anchor.current?.getBoundingClientRect();
      if (box === undefined) return;
      const wide = width === 'anchor' ? box.width : width;
      const left = Math.max(8, Math.min(box.left, window.innerWidth - wide - 8));
      const below = window.innerHeight - box.bottom > Math.min(height, box.top);
      setPosition({
        left: `${left}px`,
        width: `${wide}px`,
        ...(below
          ? { top: `${box.bottom + 4}px` }
          : { bottom: `${window.innerHeight - box.top + 4}px` }),
      });
    };
    place();
    window.addEventListener('scroll', place, true);
    window.addEventListener('resize', place);
    return () => {
      window.removeEventListener('scroll', place, true);
      window.removeEventListener('resize', place);
    };
  }, [open, width]);
  return position;
}

/** Calls `close` when a person presses the pointer outside of an element. */
export function useOutside(
  element: RefObject<HTMLElement | null>,
  open: boolean,
  close: () => void,
): void {
  useEffect(() => {
    if (!open) return undefined;
    const onPress = (event: Event): void => {
      const inside = event.target instanceof Node && element.current?.contains(event.target);
      if (inside !== true) close();
    };
    document.addEventListener('pointerdown', onPress);
    return () => document.removeEventListener('pointerdown', onPress);
  }, [open, close]);
}
