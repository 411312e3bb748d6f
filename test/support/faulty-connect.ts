import type { Connect } from '../../src/storage/sqlite/connection.js';
import { connectToFile } from '../../src/storage/sqlite/connection.js';
import type { Connection } from '../../src/storage/sqlite/database-schema.js';

/** What goes wrong at the next commit, or at each opening. */
export interface Faults {
  commit?: 'failsBeforeIt' | 'failsAfterIt';
  open?: 'fails';
  /** The connections that were made, the newest last. */
  readonly connections: Connection[];
}

/** Real connections, with an I/O error where the faults say so. */
export function faultyConnect(faults: Faults): Connect {
  return (file, busyTimeoutMs) => {
    if (faults.open === 'fails') throw inputOutputError('SQLITE_IOERR_READ');
    const connection = connectToFile(file, busyTimeoutMs);
    faults.connections.push(connection);
    const prepare = connection.prepare.bind(connection);
    connection.prepare = ((sql: string) => {
      const statement = prepare(sql);
      if (sql !== 'COMMIT') return statement;
      const run = statement.run.bind(statement);
      statement.run = () => {
        const fault = faults.commit;
        faults.commit = undefined;
        if (fault === 'failsBeforeIt') throw inputOutputError('SQLITE_IOERR_WRITE');
        const result = run();
        if (fault === 'failsAfterIt') throw inputOutputError('SQLITE_IOERR_FSYNC');
        return result;
      };
      return statement;
    }) as Connection['prepare'];
    return connection;
  };
}

function inputOutputError(code: string): Error {
  return Object.assign(new Error('disk I/O error'), { code });
}
