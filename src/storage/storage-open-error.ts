export type StorageProblem =
  | 'folderNotUsable'
  | 'notADatabase'
  | 'otherProgram'
  | 'newerSchema'
  | 'notDurable'
  | 'damaged'
  | 'keysInsideData'
  | 'wideKeyPermissions'
  | 'badKeyFile'
  | 'inputOutput'
  | 'badAddress'
  | 'notReachable'
  | 'otherKeys'
  | 'lostKeys'
  | 'otherEventStore'
  | 'readModelsAhead';

/** The storage cannot be opened. The message says what, where, and what to do. */
export class StorageOpenError extends Error {
  constructor(
    readonly problem: StorageProblem,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'StorageOpenError';
  }
}

export function lostKeys(keysDir: string, reason: string, cause?: unknown): StorageOpenError {
  return new StorageOpenError(
    'lostKeys',
    `the keys do not belong to the recorded sessions: ${reason}. Restore the keys folder ${keysDir} ` +
      '(with MongoDB, its database of keys) from the backup, or correct HOLDFAST_KEYS_DIR; nothing ' +
      'is recorded until then, because what new keys seal is lost when the old ones come back',
    { cause },
  );
}
