/** Emoji that the bot leans on, drawn here so that they look the same on machines without them. */
const circles: Readonly<Record<string, string>> = {
  large_green_circle: '#2eb67d',
  green_circle: '#2eb67d',
  red_circle: '#e01e5a',
  large_blue_circle: '#1d9bd1',
  large_yellow_circle: '#ecb22e',
  large_orange_circle: '#ed8936',
  large_purple_circle: '#8e5cd9',
  large_brown_circle: '#8a5a3c',
  white_circle: '#d8dade',
  black_circle: '#3f3d42',
};

const squares: Readonly<Record<string, string>> = {
  large_green_square: '#2eb67d',
  large_red_square: '#e01e5a',
  large_blue_square: '#1d9bd1',
  large_yellow_square: '#ecb22e',
  large_orange_square: '#ed8936',
  large_purple_square: '#8e5cd9',
  large_brown_square: '#8a5a3c',
  white_large_square: '#d8dade',
  black_large_square: '#3f3d42',
};

type Mark = { readonly fill: string; readonly path: string };

const check: Mark = { fill: '#2eb67d', path: 'M5.5 10.5l3 3 6-7' };
const pause: Mark = { fill: '#1d9bd1', path: 'M7.5 6v8M12.5 6v8' };
const hourglass: Mark = { fill: '#b7791f', path: 'M6 4h8M6 16h8M7 4l6 12M13 4L7 16' };
const question = 'M7.4 7.6a2.7 2.7 0 1 1 4 2.3c-1 .5-1.4 1-1.4 2.1M10 14.8v.3';

const marks: Readonly<Record<string, Mark>> = {
  white_check_mark: check,
  heavy_check_mark: check,
  x: { fill: '#e01e5a', path: 'M6 6l8 8M14 6l-8 8' },
  no_entry: { fill: '#e01e5a', path: 'M5 10h10' },
  double_vertical_bar: pause,
  pause_button: pause,
  fast_forward: { fill: '#1d9bd1', path: 'M5 6l4.5 4L5 14M10.5 6l4.5 4-4.5 4' },
  arrows_counterclockwise: { fill: '#1d9bd1', path: 'M14 7.5A5 5 0 1 0 15 11M14.5 4v4h-4' },
  repeat: {
    fill: '#1d9bd1',
    path: 'M4.5 9V8a2 2 0 0 1 2-2h8M12.5 4l2 2-2 2M15.5 11v1a2 2 0 0 1-2 2h-8M7.5 16l-2-2 2-2',
  },
  turtle: { fill: '#2eb67d', path: 'M4.5 13a5 5 0 0 1 10 0zM14.5 11.5H16M6 13v2.5M13 13v2.5' },
  twisted_rightwards_arrows: {
    fill: '#1d9bd1',
    path: 'M4 6.5h2.5l6 7H15M4 13.5h2.5l6-7H15M13.5 4.5l2 2-2 2M13.5 11.5l2 2-2 2',
  },
  information_source: { fill: '#1d9bd1', path: 'M10 9v5M10 5.6v.3' },
  hourglass_flowing_sand: hourglass,
  hourglass,
  question: { fill: '#e01e5a', path: question },
  grey_question: { fill: '#868686', path: question },
  heavy_minus_sign: { fill: '#868686', path: 'M5.5 10h9' },
  zzz: { fill: '#6c7fb5', path: 'M4.5 8.5h5l-5 6h5M11.5 5h4l-4 4.6h4' },
  lock: { fill: '#b7791f', path: 'M5.5 9.5h9v6h-9zM7.3 9.5V7.2a2.7 2.7 0 0 1 5.4 0v2.3' },
  inbox_tray: { fill: '#1d9bd1', path: 'M10 4v6M7.5 7.8 10 10.3l2.5-2.5M4.5 11v4.5h11V11' },
  thumbsup: {
    fill: '#b7791f',
    path: 'M5 9.5h2.5v6H5zM7.5 10l2.5-5.5c1.6 0 1.7 1.2 1.2 4h3.6l-1 7H7.5',
  },
  bell: { fill: '#b7791f', path: 'M5 13.5h10l-1.5-2V9a3.5 3.5 0 0 0-7 0v2.5zM9 15.8h2' },
  no_bell: {
    fill: '#868686',
    path: 'M5 13.5h10l-1.5-2V9a3.5 3.5 0 0 0-7 0v2.5zM9 15.8h2M4.5 4.5l11 11',
  },
  calendar: { fill: '#6c7fb5', path: 'M4.5 5.5h11v10h-11zM4.5 9h11M7.5 4v2.5M12.5 4v2.5' },
  eyes: {
    fill: '#6c7fb5',
    path: 'M7 5.5c3 0 3 9 0 9s-3-9 0-9zM13 5.5c3 0 3 9 0 9s-3-9 0-9zM7 11v1M13 11v1',
  },
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
  const square = squares[name];
  if (square !== undefined) {
    return <rect x="1.5" y="2" width="17" height="16" rx="3" fill={square} />;
  }
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
