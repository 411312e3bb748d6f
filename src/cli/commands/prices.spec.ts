import { afterAll, describe, expect, it, jest } from '@jest/globals';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { commandLineWith } from '../../../test/support/command-line.js';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { anthropicAnswer } from '../../../test/support/provider-answers.js';

jest.setTimeout(60_000);

const folder = temporaryFolder();
const dataFolder = join(folder.path, 'data');
const commandLine = commandLineWith(() => ({ HOLDFAST_DATA_DIR: dataFolder }));
afterAll(() => folder.remove());

const SAMPLES = new URL('../../../test/samples/claude-code/', import.meta.url);
const SAMPLE = fileURLToPath(new URL('fixture-alpha.jsonl', SAMPLES));
const OTHER_SAMPLE = fileURLToPath(new URL('all-line-types.jsonl', SAMPLES));

let files = 0;
function fileWith(content: unknown): string {
  const file = join(folder.path, `${(files += 1)}.json`);
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

const ANSWER = anthropicAnswer('Yes.');
const QUOTE = ['prices', 'quote', fileWith(ANSWER), '--at', '2026-08-01T12:00:00Z'];
const CARD = {
  cardId: 'own/sonnet',
  version: 1,
  provider: 'anthropic',
  models: { id: ANSWER.model },
  rates: { inputFresh: '2400000000000', outputText: '12000000000000' },
  currency: 'USD',
  sources: [{ name: 'contract' }],
};

describe('holdfast prices, without a data folder', () => {
  it('quotes a response for people and for programs, and makes no folder', async () => {
    const text = await commandLine(...QUOTE);
    expect(text.exitCode).toBe(0);
    expect(text.stdout).toMatch(/inputFresh +1000 +3 USD per million/);
    expect(text.stdout).toContain('card  anthropic/claude-sonnet-4-5 version 1 (response_exact)');
    expect(text.stdout).toContain('cost  4500000000 pico = 0.0045 USD');
    const { stdout } = await commandLine(...QUOTE, '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      at: '2026-08-01T12:00:00.000Z',
      calls: [{ cost: { amountPico: '4500000000', amount: '0.0045' } }],
      total: { complete: true },
    });
    expect(existsSync(dataFolder)).toBe(false);
  });

  it('U27: says why there is no price, and that is no failure', async () => {
    const file = fileWith({ ...ANSWER, model: 'claude-opus-9' });
    const { exitCode, stdout } = await commandLine('prices', 'quote', file);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('cost  not known: no_card');
    expect(stdout).toContain('total not known, 1 without a price (1100 tokens)');
  });

  it.each<[string, readonly string[], number, string]>([
    ['a file that is not there', ['prices', 'quote', 'nowhere.json'], 3, 'there is no file'],
    ['a file that is no JSON', ['prices', 'check', fileWith('{')], 2, 'is not JSON'],
    ['a time without a zone', [...QUOTE, '--at', '2026-08-01T12:00'], 2, '--at must be an instant'],
    ['an unknown option', ['prices', 'list', '--vendor', 'x'], 2, 'unknown option'],
  ])('refuses %s', async (_, parameters, exitCode, message) => {
    const said = await commandLine(...parameters);
    expect(said.exitCode).toBe(exitCode);
    expect(said.stderr).toContain(message);
  });

  it('checks a file, says every problem and writes nothing', async () => {
    const good = await commandLine('prices', 'check', fileWith([CARD]));
    expect(good).toMatchObject({ exitCode: 0, stdout: '1 card can be added.\n' });
    const wrong = { ...CARD, currency: 'dollars', rates: { inputFresh: 3 } };
    const bad = await commandLine('prices', 'check', fileWith({ cards: [CARD, wrong] }));
    expect(bad.exitCode).toBe(2);
    expect(bad.stderr).toContain('cards.1: rates.inputFresh: must be pico per million tokens');
    expect(bad.stderr).toContain('cards.1: currency: must be an ISO 4217 code');
    const json = await commandLine('prices', 'check', fileWith(wrong), '--json');
    expect(JSON.parse(json.stdout).errors).toHaveLength(2);
    expect(existsSync(dataFolder)).toBe(false);
  });

  it('lists the built-in cards of a model', async () => {
    const { stdout } = await commandLine('prices', 'list', '--model', ANSWER.model, '--json');
    const { cards } = JSON.parse(stdout) as { cards: readonly { cardId: string }[] };
    expect(cards.map(({ cardId }) => cardId)).toContain('anthropic/claude-sonnet-4-5');
    const none = await commandLine('prices', 'list', '--model', 'claude-opus-9');
    expect(none).toMatchObject({ exitCode: 0, stdout: '' });
    expect(none.stderr).toContain('which is not a price of 0');
  });
});

describe('holdfast prices, with cards of your own', () => {
  it('adds, quotes by them, updates what differs and adds nothing twice', async () => {
    const file = fileWith(CARD);
    expect((await commandLine('prices', 'add', file)).stdout).toBe('added  own/sonnet version 1\n');
    const again = await commandLine('prices', 'add', file);
    expect(again).toMatchObject({ exitCode: 0, stdout: 'there already  own/sonnet version 1\n' });
    expect((await commandLine(...QUOTE)).stdout).toContain('cost  3600000000 pico = 0.0036 USD');
    expect((await commandLine(...QUOTE, '--built-in')).stdout).toContain('= 0.0045 USD');

    const edited = { ...CARD, rates: { ...CARD.rates, outputText: '10000000000000' } };
    const refused = await commandLine('prices', 'add', fileWith(edited));
    expect(refused.exitCode).toBe(4);
    expect(refused.stderr).toContain('send the change as version 2 with supersedes: 1');

    const { version: _version, ...unversioned } = edited;
    const update = ['prices', 'update', fileWith([unversioned])];
    const planned = await commandLine(...update, '--dry-run');
    expect(planned.stdout).toBe(
      'changed  own/sonnet version 2\n' +
        '  rates.outputText: 12000000000000 -> 10000000000000\n0 cards unchanged.\n',
    );
    expect((await commandLine(...QUOTE)).stdout).toContain('= 0.0036 USD');
    expect((await commandLine(...update)).stdout).toBe(planned.stdout);
    expect((await commandLine(...QUOTE)).stdout).toContain('= 0.0034 USD');
    expect((await commandLine(...update)).stdout).toBe('1 card unchanged.\n');

    const { stdout } = await commandLine('prices', 'list', '--model', ANSWER.model);
    expect(stdout.split('\n').slice(1, 4)).toEqual([
      expect.stringMatching(/^own\/sonnet +1 +own +2\.4 +12 +USD$/),
      expect.stringMatching(/^own\/sonnet +2 +own +2\.4 +10 +USD$/),
      expect.stringMatching(/^anthropic\/claude-sonnet-4-5 +1 +built-in +3 +15 +USD$/),
    ]);
    expect(readdirSync(dataFolder)).toContain('events.sqlite');
  });

  it('reprices what is recorded, after it has shown what changes', async () => {
    expect((await commandLine('import', 'claude-code', SAMPLE)).exitCode).toBe(0);
    expect((await commandLine('import', 'claude-code', OTHER_SAMPLE)).exitCode).toBe(0);
    const same = ['prices', 'reprice', '--reason', 'None.', '--dry-run', '--json'];
    expect(JSON.parse((await commandLine(...same)).stdout)).toMatchObject({ calls: 0 });
    const newer = { ...CARD, cardId: 'own/representative', provider: 'anthropic' };
    const models = { id: 'claude-sonnet-4-20250514' };
    await commandLine('prices', 'add', fileWith({ ...newer, models }));
    const reprice = ['prices', 'reprice', '--reason', 'The contract of May.'];
    const planned = await commandLine(...reprice, '--dry-run');
    expect(planned).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('Nothing was') });
    expect(planned.stdout).toMatch(/ \d[.\d]* USD \(anthropic\/\S+ version 1\) -> /);
    expect(planned.stdout).toMatch(/-> \d[.\d]* USD \(own\/representative version 1\)/);
    expect((await commandLine(...reprice)).stdout).toBe(planned.stdout);
    const again = await commandLine(...reprice, '--json');
    expect(JSON.parse(again.stdout)).toMatchObject({ calls: 0, changes: [], dryRun: false });
    const refused = await commandLine('prices', 'reprice');
    expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--reason') });
  });

  it('adds a file of more cards than one append takes', async () => {
    const cards = Array.from({ length: 230 }, (_, index) => ({
      ...CARD,
      cardId: `own/many-${index}`,
      models: { id: `many-${index}` },
    }));
    const { exitCode, stdout } = await commandLine('prices', 'update', fileWith(cards), '--json');
    expect(exitCode).toBe(0);
    const { changes } = JSON.parse(stdout) as { changes: readonly { change: string }[] };
    expect(changes.filter(({ change }) => change === 'new')).toHaveLength(230);
  });
});
