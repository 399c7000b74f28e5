/** Emoji that the bot leans on, drawn here so that they look the same on machines without them. */
const circles: Readonly<Record<string, string>> = {
  red_circle: '#e01e5a',
  large_orange_circle: '#ed8936',
  white_circle: '#d8dade',
};

type Mark = { readonly fill: string; readonly path: string };

const check: Mark = { fill: '#2eb67d', path: 'M5.5 10.5l3 3 6-7' };
const pause: Mark = { fill: '#1d9bd1', path: 'M7.5 6v8M12.5 6v8' };
const question = 'M7.4 7.6a2.7 2.7 0 1 1 4 2.3c-1 .5-1.4 1-1.4 2.1M10 14.8v.3';

const marks: Readonly<Record<string, Mark>> = {
  white_check_mark: check,
  x: { fill: '#e01e5a', path: 'M6 6l8 8M14 6l-8 8' },
  double_vertical_bar: pause,
  repeat: {
    fill: '#1d9bd1',
    path: 'M4.5 9V8a2 2 0 0 1 2-2h8M12.5 4l2 2-2 2M15.5 11v1a2 2 0 0 1-2 2h-8M7.5 16l-2-2 2-2',
  },
  hourglass_flowing_sand: { fill: '#b7791f', path: 'M6 4h8M6 16h8M7 4l6 12M13 4L7 16' },
  question: { fill: '#e01e5a', path: question },
  heavy_minus_sign: { fill: '#868686', path: 'M5.5 10h9' },
  lock: { fill: '#b7791f', path: 'M5.5 9.5h9v6h-9zM7.3 9.5V7.2a2.7 2.7 0 0 1 5.4 0v2.3' },
};

/** One emoji, named for screen readers as Slack names it. */
export function EmojiGlyph({ name, glyph }: { name: string; glyph: string }) {
  const label = `:${name}:`;
  const drawing = draw(name);
  return (
    <span class="emoji" role="img" aria-label={label} title={label}>
      {drawing === undefined ? (
        glyph
      ) : (
        <svg viewBox="0 0 20 20" aria-hidden="true">
          {drawing}
        </svg>
      )}
    </span>
  );
}

function draw(name: string) {
  const circle = circles[name];
  if (circle !== undefined) return <circle cx="10" cy="10" r="8" fill={circle} />;
  if (name === 'warning') return <Warning />;
  const mark = marks[name];
  if (mark === undefined) return undefined;
  return (
    <>
      <rect x="1" y="1" width="18" height="18" rx="4.5" fill={mark.fill} />
      <path
        d={mark.path}
        fill="none"
        stroke="#fff"
        stroke-width="1.9"
        stroke-linecap="round"
        stroke-linejoin="round"
      />
    </>
  );
}

function Warning() {
  return (
    <>
      <path
        d="M10 2.2 18.6 17.4H1.4z"
        fill="#ecb22e"
        stroke="#ecb22e"
        stroke-width="1.6"
        stroke-linejoin="round"
      />
      <path d="M10 7v5M10 14.6v.4" stroke="#3f3d42" stroke-width="2" stroke-linecap="round" />
    </>
  );
}
