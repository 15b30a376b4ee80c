import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

const LEAST_WIDTH = 200;

/** A drawing as wide as its container, up to a limit. Its unit is a pixel of the page, so that text has the same size on every screen. */
export function Picture({
  kind,
  label,
  most = 900,
  height,
  role = 'img',
  draw,
}: {
  readonly kind: 'histogram' | 'scatter' | 'lines';
  readonly label: string;
  /** Greatest width, in pixels. */
  readonly most?: number;
  /** Height in pixels, or a function of the width. */
  readonly height: number | ((width: number) => number);
  readonly role?: 'img' | 'group';
  readonly draw: (width: number) => ComponentChildren;
}) {
  const place = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(most);
  useLayoutEffect(() => {
    const element = place.current;
    if (element === null) return undefined;
    const measure = (): void => {
      setWidth(Math.min(most, Math.max(LEAST_WIDTH, element.clientWidth)));
    };
    measure();
    const watch = new ResizeObserver(measure);
    watch.observe(element);
    return () => {
      watch.disconnect();
    };
  }, [most]);
  const tall = typeof height === 'number' ? height : height(width);
  return (
    <div class="picture" ref={place}>
      <svg
        class={kind}
        width={width}
        height={tall}
        viewBox={`0 0 ${String(width)} ${String(tall)}`}
        role={role}
        aria-label={label}
      >
        {draw(width)}
      </svg>
    </div>
  );
}
