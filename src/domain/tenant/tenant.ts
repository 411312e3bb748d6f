import {
  type AccessKey,
  type AccessKeyCommand,
  type AccessKeyEvent,
  decideAccessKeys,
  evolveAccessKeys,
} from '../access/access-keys.js';
import type { Budget } from '../budget/budget.js';
import type { PriceCard } from '../price-card.js';
import {
  NO_POLICY,
  type RedactionPolicy,
  type RedactionPolicySet,
} from '../redaction/redaction-policy.js';
import { Rejection } from '../rejection.js';
import type { ToolManifest } from '../tool-manifest.js';
import { sameContent } from './same-content.js';
import { type BudgetEvent, removeBudget, setBudget } from './tenant-budgets.js';
import {
  type RegisteredTools,
  type ToolManifestRegistered,
  registerTools,
  withManifest,
} from './tools.js';

/** What belongs to a tenant and to no session of it, by its stored name. */
export type TenantEvent =
  | { readonly type: 'PriceCardAdded'; readonly data: { readonly card: PriceCard } }
  | ToolManifestRegistered
  | BudgetEvent
  | RedactionPolicySet
  | AccessKeyEvent;

export type TenantEventType = TenantEvent['type'];

export interface TenantState {
  /** Of the last event; -1 when there is none. */
  readonly revision: number;
  /** Every version of every override, in the order in which they were added. */
  readonly cards: readonly PriceCard[];
  readonly tools: RegisteredTools;
  /** As they were set last. */
  readonly budgets: readonly Budget[];
  /** All that ever were, in the order in which they were added. */
  readonly keys: readonly AccessKey[];
  /** Absent until the tenant has set one. */
  readonly redaction?: RedactionPolicy;
}

export const initialTenantState: TenantState = {
  revision: -1,
  cards: [],
  tools: {},
  budgets: [],
  keys: [],
};

export function evolveTenant(state: TenantState, event: TenantEvent): TenantState {
  const next = { ...state, revision: state.revision + 1 };
  switch (event.type) {
    case 'PriceCardAdded':
      return { ...next, cards: [...state.cards, event.data.card] };
    case 'ToolManifestRegistered':
      return { ...next, tools: withManifest(state.tools, event.data.manifest) };
    case 'BudgetSet': {
      const { budget } = event.data;
      return { ...next, budgets: [...otherBudgets(state, budget.budgetId), budget] };
    }
    case 'BudgetRemoved':
      return { ...next, budgets: otherBudgets(state, event.data.budgetId) };
    case 'RedactionPolicySet':
      return { ...next, redaction: event.data.policy };
    case 'AccessKeyAdded':
    case 'AccessKeyRevoked':
    case 'AccessKeyExpiryChanged':
    case 'AccessKeyUsed':
      return { ...next, keys: evolveAccessKeys(state.keys, event) };
    default:
      return next;
  }
}

function otherBudgets({ budgets }: TenantState, budgetId: string): readonly Budget[] {
  return budgets.filter((budget) => budget.budgetId !== budgetId);
}

export type TenantCommand =
  | {
      readonly type: 'AddPriceCards';
      /** Checked ones: the domain knows versions, not prices. All are added or none. */
      readonly cards: readonly PriceCard[];
    }
  | { readonly type: 'RegisterTools'; readonly manifests: readonly ToolManifest[] }
  | { readonly type: 'SetBudget'; readonly budget: Budget }
  | { readonly type: 'RemoveBudget'; readonly budgetId: string }
  | { readonly type: 'SetRedactionPolicy'; readonly policy: RedactionPolicy }
  | AccessKeyCommand;

export const PRICE_CARDS_MAX = 5_000;

/**
 * A card is named by its id and version: adding it again changes nothing, other content under the
 * same name is refused. A change is a new version that says which one it replaces.
 * @throws Rejection `id_in_use`, `invalid_request`, `limit_exceeded`.
 */
export function decideTenant(command: TenantCommand, state: TenantState): readonly TenantEvent[] {
  switch (command.type) {
    case 'AddPriceCards':
      return addPriceCards(command.cards, state);
    case 'RegisterTools':
      return registerTools(command.manifests, state.tools);
    case 'SetBudget':
      return setBudget(command.budget, state.budgets);
    case 'RemoveBudget':
      return removeBudget(command.budgetId, state.budgets);
    case 'SetRedactionPolicy':
      return sameContent(command.policy, state.redaction ?? NO_POLICY)
        ? []
        : [{ type: 'RedactionPolicySet', data: { policy: command.policy } }];
    case 'AddAccessKey':
    case 'RotateAccessKey':
    case 'RevokeAccessKey':
    case 'NoteAccessKeyUse':
      return decideAccessKeys(command, state.keys);
    default:
      return unknownCommand(command);
  }
}

function addPriceCards(cards: readonly PriceCard[], state: TenantState): readonly TenantEvent[] {
  const events: TenantEvent[] = [];
  let known = state;
  for (const card of cards) {
    const versions = known.cards.filter(({ cardId }) => cardId === card.cardId);
    const same = versions.find(({ version }) => version === card.version);
    if (same !== undefined) {
      if (!sameContent(unsigned(same), unsigned(card))) throw otherContent(card, versions);
      continue;
    }
    refuseWrongVersion(card, versions);
    const event: TenantEvent = { type: 'PriceCardAdded', data: { card } };
    events.push(event);
    known = evolveTenant(known, event);
  }
  if (known.cards.length > PRICE_CARDS_MAX) {
    throw new Rejection('limit_exceeded', `a tenant has at most ${PRICE_CARDS_MAX} price cards`, {
      limit: 'priceCardsMax',
    });
  }
  return events;
}

/** The newest version of a card that a tenant added. */
export function newestVersion(cards: readonly PriceCard[], cardId: string): PriceCard | undefined {
  return cards
    .filter((card) => card.cardId === cardId)
    .reduce<PriceCard | undefined>(
      (one, other) => (one === undefined || other.version > one.version ? other : one),
      undefined,
    );
}

function refuseWrongVersion(card: PriceCard, versions: readonly PriceCard[]): void {
  const { cardId, version, supersedes } = card;
  const newest = newestVersion(versions, cardId)?.version;
  if (newest === undefined) {
    if (supersedes === undefined) return;
    throw new Rejection(
      'invalid_request',
      `${cardId} has no version ${supersedes} that this one could supersede: leave it out`,
      { cardId, version },
    );
  }
  if (version > newest && supersedes === newest) return;
  throw new Rejection(
    'invalid_request',
    `${cardId} is at version ${newest}: a change is version ${newest + 1} or higher with ` +
      `supersedes: ${newest}`,
    { cardId, version, newestVersion: newest },
  );
}

function otherContent(card: PriceCard, versions: readonly PriceCard[]): Rejection {
  const { cardId, version } = card;
  const newest = newestVersion(versions, cardId)?.version ?? version;
  return new Rejection(
    'id_in_use',
    `${cardId} version ${version} is recorded with other content; send the change as version ` +
      `${newest + 1} with supersedes: ${newest}`,
    { cardId, version, newestVersion: newest },
  );
}

/** Without who entered it: the same card of another sender is the same card. */
function unsigned(card: PriceCard): object {
  const sources = card.sources.map(({ enteredBy: _enteredBy, ...source }) => source);
  return { ...card, sources };
}

function unknownCommand(command: never): never {
  throw new TypeError(`there is no tenant command ${JSON.stringify(command)}`);
}
