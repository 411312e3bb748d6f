type Send = (request: Request) => Promise<Response>;

const FIRST_PAUSE_MS = 100;
const PAUSE_MS_MAX = 30_000;
/** Too many requests; nothing written; or it is not known whether it was. */
const NOT_FINAL = new Set([429, 503]);

/** Sends the identical request again while its answer is not final and repeating it is harmless. */
export function repeating(send: Send, repeatsMax: number): Send {
  return async (request) => {
    const repeats = isHarmless(request) ? repeatsMax : 0;
    for (let repeat = 0; ; repeat += 1) {
      const last = repeat >= repeats;
      const answer = await sent(send, last ? request : request.clone(), last);
      if (answer !== undefined && (last || !NOT_FINAL.has(answer.status))) return answer;
      await answer?.body?.cancel();
      await pause(pauseMs(answer, repeat), request.signal);
    }
  };
}

/** undefined when there was no answer and another try follows. */
async function sent(send: Send, request: Request, last: boolean): Promise<Response | undefined> {
  try {
    return await send(request);
  } catch (error) {
    request.signal.throwIfAborted();
    if (last) throw error;
    return undefined;
  }
}

/** The server recognises a repeated write of a session; reads and replacements are the same twice. */
function isHarmless({ method, url }: Request): boolean {
  return method !== 'POST' || new URL(url).pathname.startsWith('/v1/sessions');
}

function pauseMs(answer: Response | undefined, repeat: number): number {
  const seconds = Number(answer?.headers.get('Retry-After') ?? Number.NaN);
  const named = Number.isFinite(seconds) ? seconds * 1_000 : FIRST_PAUSE_MS * 2 ** repeat;
  return Math.min(named, PAUSE_MS_MAX);
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done, { once: true });
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      if (signal.aborted) reject(signal.reason as Error);
      else resolve();
    }
  });
}
