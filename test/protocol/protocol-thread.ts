import { Logger } from '@nestjs/common';
import { answerWork } from '../support/answer-work.js';
import { MUTATIONS } from './mutations.js';
import { type Search, runSchedules } from './run-schedules.js';
import { ALL_RULES } from './world.js';

export interface ProtocolSearch extends Search {
  /** Name of the rule that is taken away. */
  readonly without?: string;
  /** Only these invariants count; without it all of them. */
  readonly heed?: readonly string[];
}

function search({ without, heed, ...wanted }: ProtocolSearch) {
  const mutation = MUTATIONS.find(({ name }) => name === without);
  if (without !== undefined && mutation === undefined) throw new Error(`no mutation: ${without}`);
  return runSchedules(wanted, { ...(mutation?.rules ?? ALL_RULES), heed });
}

Logger.overrideLogger(false);
answerWork(search);
