import { userInfo } from 'node:os';

/** Who works on the command line, as events name it. */
export function localActor(): string {
  try {
    return `cli:${userInfo().username}`;
  } catch {
    return 'cli';
  }
}
