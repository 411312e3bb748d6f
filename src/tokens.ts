/** Injection tokens of the ports; the composition root binds each to an adapter. */
export const EVENT_STORE = Symbol('EventStore');
export const READ_MODELS = Symbol('ReadModelStore');
export const LEASES = Symbol('LeaseStore');
export const ARTIFACTS = Symbol('ArtifactStore');
export const CODEC = Symbol('EventCodec');
/** The events as they are stored: contents sealed, with the chain. */
export const SEALED_EVENTS = Symbol('SealedEvents');
export const CHECKPOINTS = Symbol('CheckpointLog');
/** Destroys a session's content, wherever it is stored. */
export const ERASER = Symbol('SessionEraser');
export const CLOCK = Symbol('Clock');
export const HASHER = Symbol('SessionHasher');
export const CONFIGURATION = Symbol('Configuration');

/** What counts tokens exactly; undefined: they are estimated. */
export const TOKENIZER = Symbol('Tokenizer');

/** Milliseconds that no change of the wall clock moves; their beginning means nothing. */
export const MONOTONIC = Symbol('Monotonic');

/** Milliseconds since the epoch; the only clock that handlers read. */
export type Clock = () => number;

/** HMAC-SHA-256 with a session's own key, hex. */
export type SessionHash = (content: string | Uint8Array) => string;
/** Looks the session's key up; one that has not begun has the key with which it would begin. */
export type SessionHasher = (tenantId: string, sessionId: string) => Promise<SessionHash>;

export const KEY_CHECK = Symbol('KeyCheck');
/** Whether a text is the installation's API key; takes the same time for every wrong one. */
export type KeyCheck = (key: string) => boolean;
