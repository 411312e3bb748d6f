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
