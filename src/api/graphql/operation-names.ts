/** How GraphQL offers an operation that REST has. */
export type Offer =
  | { readonly kind: 'query' | 'mutation'; readonly field: string }
  /** `list`: the field of the REST answer that holds the entries. */
  | { readonly kind: 'list'; readonly field: string; readonly list: string }
  | { readonly kind: 'restOnly'; readonly reason: string };

const query = (field: string): Offer => ({ kind: 'query', field });
const mutation = (field: string): Offer => ({ kind: 'mutation', field });
const list = (field: string, listed: string = field): Offer => ({
  kind: 'list',
  field,
  list: listed,
});
const restOnly = (reason: string): Offer => ({ kind: 'restOnly', reason });

/**
 * The GraphQL name of every REST operation, by its `operationId`. The server does not start while one
 * is missing: name it here, or say why it is for REST alone. Nothing else has to be written twice.
 */
export const OFFERS: Readonly<Record<string, Offer>> = {
  'artifacts.keep': restOnly('bytes, sent as they are'),
  'artifacts.read': restOnly('bytes, in ranges'),
  'audit.changes': query('changes'),
  'audit.export': restOnly('lines of a file, with its manifest'),
  'audit.read': list('auditEntries', 'entries'),
  'budgets.list': list('budgets'),
  'budgets.read': query('budget'),
  'budgets.remove': mutation('removeBudget'),
  'budgets.set': mutation('setBudget'),
  'compactions.check': query('compactionCheck'),
  'compactions.commit': mutation('commitCompaction'),
  'compactions.fail': mutation('failCompaction'),
  'compactions.start': mutation('startCompaction'),
  'context.build': query('builtContext'),
  'context.past': query('pastContext'),
  'context.read': query('context'),
  'context.restore': mutation('restoreSession'),
  'costs.calls': list('callCosts', 'entries'),
  'costs.children': list('childCosts', 'children'),
  'costs.cost': query('sessionCost'),
  'costs.series': query('costSeries'),
  'events.ofSession': list('sessionEvents', 'events'),
  'events.ofTenant': list('events'),
  'facts.list': list('facts'),
  'facts.read': query('fact'),
  'facts.record': mutation('recordFacts'),
  'forks.clear': mutation('clearRevert'),
  'forks.compare': query('comparison'),
  'forks.fork': mutation('forkSession'),
  'forks.revert': mutation('revertSession'),
  'foundcalls.find': list('toolCalls', 'calls'),
  'history.messages': list('messages', 'items'),
  'inputs.accept': mutation('acceptInput'),
  'inputs.withdraw': mutation('withdrawInput'),
  'keys.add': mutation('addKey'),
  'keys.list': list('keys'),
  'keys.revoke': mutation('revokeKey'),
  'keys.rotate': mutation('rotateKey'),
  'modelcalls.message': mutation('recordAssistantMessage'),
  'modelcalls.settle': mutation('settleModelCall'),
  'modelcalls.start': mutation('startModelCall'),
  'modelcalls.usage': mutation('reportModelUsage'),
  'prices.add': mutation('addPriceCards'),
  'prices.list': list('priceCards', 'cards'),
  'prices.quote': query('priceQuote'),
  'prices.reprice': mutation('repriceCalls'),
  'reconciliations.list': list('reconciliations', 'sessions'),
  'runs.claim': mutation('claimRun'),
  'runs.complete': mutation('completeRun'),
  'runs.fail': mutation('failRun'),
  'runs.heartbeat': mutation('heartbeat'),
  'runs.interrupt': mutation('interruptRun'),
  'runs.release': mutation('releaseRun'),
  'runs.stop': mutation('stopRun'),
  'runs.stopped': mutation('confirmStopped'),
  'sessions.label': mutation('labelSession'),
  'sessions.list': list('sessions'),
  'sessions.read': query('session'),
  'sessions.record': mutation('recordSteps'),
  'sessions.resume': mutation('resumeSession'),
  'sessions.start': mutation('startSession'),
  'toolcalls.approve': mutation('decideApproval'),
  'toolcalls.decide': mutation('decideEscalation'),
  'toolcalls.late': mutation('recordLateResult'),
  'toolcalls.lower': mutation('lowerToolCall'),
  'toolcalls.probe': mutation('recordProbe'),
  'toolcalls.progress': mutation('recordToolProgress'),
  'toolcalls.read': query('toolCall'),
  'toolcalls.result': mutation('recordToolResult'),
  'toolcalls.skip': mutation('skipToolCall'),
  'toolcalls.start': mutation('startToolCall'),
  'toolcalls.unknown': mutation('reportToolUnknown'),
  'tools.list': list('tools'),
  'tools.register': mutation('registerTools'),
  'tools.show': query('tool'),
  'work.claim': mutation('claimWork'),
  'work.list': list('work', 'sessions'),
};
