import type { Command } from 'commander';
import { addAudit } from './commands/audit.js';
import { addBudget } from './commands/budget.js';
import { addContext } from './commands/context.js';
import { addCost } from './commands/cost.js';
import { addDecide } from './commands/decide.js';
import { addDemo } from './commands/demo.js';
import { addDiff } from './commands/diff.js';
import { addDoctor } from './commands/doctor.js';
import { addEscalations } from './commands/escalations.js';
import { addErase } from './commands/erase.js';
import { addExport } from './commands/export.js';
import { addFacts } from './commands/facts.js';
import { addFindCall } from './commands/find-call.js';
import { addFork } from './commands/fork.js';
import { addImport } from './commands/import.js';
import { addKey } from './commands/key.js';
import { addKeys } from './commands/keys.js';
import { addPrices } from './commands/prices.js';
import { addRebuild } from './commands/rebuild.js';
import { addReplay } from './commands/replay.js';
import { addRestore } from './commands/restore.js';
import { addRevert } from './commands/revert.js';
import { addServe } from './commands/serve.js';
import { addSessions } from './commands/sessions.js';
import { addVerify } from './commands/verify.js';
import { addTools } from './commands/tools.js';

export type AddCommand = (program: Command, exitWith: (code: number) => void) => void;

/** In the order in which help lists them. */
export const COMMANDS: readonly AddCommand[] = [
  addServe,
  addDemo,
  addImport,
  addSessions,
  addRestore,
  addReplay,
  addContext,
  addFork,
  addRevert,
  addDiff,
  addFacts,
  addCost,
  addPrices,
  addTools,
  addFindCall,
  addEscalations,
  addDecide,
  addBudget,
  addAudit,
  addErase,
  addExport,
  addVerify,
  addRebuild,
  addKey,
  addKeys,
  addDoctor,
];
