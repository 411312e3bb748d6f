import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { END, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { emptyCheckpoint } from '@langchain/langgraph-checkpoint';
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite';
import { join } from 'node:path';
import { numberOf, turnTexts } from '../turn.mjs';
import { checkTexts } from './texts.mjs';

/** Its agent loop as its guides have it: a model node, a tool node, a checkpoint after each. */
export const langGraph = {
  name: 'LangGraph',
  packages: ['@langchain/langgraph', '@langchain/langgraph-checkpoint-sqlite'],
  durability:
    'WAL, synchronous=NORMAL as its saver opens it: only checkpoints sync; 0.6 fsyncs a turn',
  open: async (folder) => new LangGraphSessions(folder),
};

class LangGraphSessions {
  constructor(folder) {
    this.saver = SqliteSaver.fromConnString(join(folder, 'langgraph.sqlite'));
    this.graph = new StateGraph(MessagesAnnotation)
      .addNode('model', ({ messages }) => ({ messages: [modelAnswer(messages.at(-1))] }))
      .addNode('tools', ({ messages }) => ({ messages: [toolAnswer(messages.at(-1))] }))
      .addEdge(START, 'model')
      .addConditionalEdges('model', ({ messages }) =>
        messages.at(-1).tool_calls.length > 0 ? 'tools' : END,
      )
      .addEdge('tools', 'model')
      .compile({ checkpointer: this.saver });
  }

  async seed(session, from, to) {
    const messages = [];
    for (let turn = from; turn < to; turn += 1) messages.push(...turnMessages(turn));
    await this.graph.updateState(configOf(session), { messages }, 'model');
  }

  async appendTurn(session, number) {
    const messages = [new HumanMessage(turnTexts(number).input)];
    await this.graph.invoke({ messages }, configOf(session));
  }

  async readBack(session) {
    return (await this.graph.getState(configOf(session))).values.messages;
  }

  check(messages, turns) {
    checkTexts(langGraph.name, messages.flatMap(textsOf), turns);
  }

  async place(session) {
    return (await this.graph.getState(configOf(session))).config;
  }

  /** Its way back in time: another checkpoint that follows the old one, in the same thread. */
  fork(_session, place) {
    return this.graph.updateState(place, { messages: [] }, 'model');
  }

  /** A thread for each session; it has no tree, but its metadata can be filtered by. */
  async seedTree(nodes) {
    for (const { id, picos } of nodes) {
      const checkpoint = { ...emptyCheckpoint(), channel_values: { picos } };
      const metadata = { source: 'update', step: 0, parents: {}, tree: 'compared' };
      await this.saver.put(configOf(id), checkpoint, metadata);
    }
  }

  async rootCost() {
    let picos = 0;
    const found = this.saver.list({ configurable: {} }, { filter: { tree: 'compared' } });
    for await (const { checkpoint } of found) picos += checkpoint.channel_values.picos;
    return picos;
  }

  async close() {
    this.saver.db.close();
  }
}

function configOf(session) {
  return typeof session === 'string' ? { configurable: { thread_id: session } } : session;
}

function turnMessages(number) {
  const human = new HumanMessage(turnTexts(number).input);
  const call = modelAnswer(human);
  const result = toolAnswer(call);
  return [human, call, result, modelAnswer(result)];
}

function modelAnswer(message) {
  const number = numberOf(message.content);
  const { thought, argument, answer } = turnTexts(number);
  if (ToolMessage.isInstance(message)) {
    return new AIMessage({ content: answer, usage_metadata: USAGE });
  }
  const call = { name: 'search', args: { query: argument }, id: `toolu_${number}` };
  return new AIMessage({ content: thought, tool_calls: [call], usage_metadata: USAGE });
}

function toolAnswer({ tool_calls: [call] }) {
  const { result } = turnTexts(numberOf(call.args.query));
  return new ToolMessage({ content: result, tool_call_id: call.id, name: call.name });
}

const USAGE = { input_tokens: 9_200, output_tokens: 210, total_tokens: 9_410 };

function textsOf({ content, tool_calls: calls = [] }) {
  return [content, ...calls.map(({ args }) => args.query)];
}
