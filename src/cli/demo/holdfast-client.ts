/** As much of the API as the demo needs, with plain `fetch`. */
export class HoldfastClient {
  constructor(
    private readonly url: string,
    private readonly key: string,
  ) {}

  get<T>(path: string): Promise<T> {
    return this.send<T>('GET', path);
  }

  post<T>(path: string, body: object, idempotencyKey?: string): Promise<T> {
    return this.send<T>('POST', path, body, idempotencyKey);
  }

  private async send<T>(
    method: string,
    path: string,
    body?: object,
    idempotencyKey?: string,
  ): Promise<T> {
    const answer = await fetch(`${this.url}/v1${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${this.key}`,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const value = (await answer.json()) as T & { code?: string; detail?: string };
    if (!answer.ok) throw new RefusedError(value.code ?? '', `${method} ${path}: ${value.detail}`);
    return value;
  }
}

export class RefusedError extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
    this.name = 'RefusedError';
  }
}
