import { setInterval } from 'node:timers';

/** Receives what is being done (`stage`, stable while the step lasts) and how far it is (`detail`). */
export type OnProgress = (stage: string, detail?: string) => void;

export type ProgressLine = {
  readonly report: OnProgress;
  /** Ends the line; nothing is written afterwards. */
  readonly done: () => void;
};

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const FRAME_MS = 100;
const PLAIN_EVERY_MS = 10_000;

/** One line redrawn in place on a terminal; elsewhere a plain line per stage and every ten seconds. */
export function progressLine(stream: NodeJS.WriteStream): ProgressLine {
  return stream.isTTY ? spinner(stream) : plainLines(stream);
}

function spinner(stream: NodeJS.WriteStream): ProgressLine {
  let text = '';
  let frame = 0;
  const draw = (): void => {
    if (text === '') return;
    frame = (frame + 1) % FRAMES.length;
    // Cut to the width: a wrapped line could not be redrawn in place. Some terminals do not tell theirs, and say 0.
    const width = stream.columns > 0 ? stream.columns : 80;
    stream.write(`\r\u001b[2K${`${FRAMES[frame] ?? ''} ${text}`.slice(0, width - 1)}`);
  };
  const timer = setInterval(draw, FRAME_MS);
  timer.unref();
  return {
    report: (stage, detail) => {
      text = detail === undefined ? stage : `${stage}: ${detail}`;
    },
    done: () => {
      clearInterval(timer);
      if (text !== '') stream.write('\r\u001b[2K');
      text = '';
    },
  };
}

function plainLines(stream: NodeJS.WriteStream): ProgressLine {
  const lastWritten = new Map<string, number>();
  let ended = false;
  return {
    report: (stage, detail) => {
      const now = Date.now();
      const last = lastWritten.get(stage);
      if (ended || (last !== undefined && (detail === undefined || now - last < PLAIN_EVERY_MS))) return;
      lastWritten.set(stage, now);
      stream.write(`${detail === undefined ? stage : `${stage}: ${detail}`}\n`);
    },
    done: () => {
      ended = true;
    },
  };
}
