import { describe, expect, it } from '@jest/globals';
import { graphqlBody, graphqlFaults } from './graphql-probe.js';

const faultsOf = (query: unknown) => graphqlFaults(query, { method: 'POST' });

describe('a GraphQL query of a probe', () => {
  it.each([
    'query($opKey: String!) { order(key: $opKey) { id } }',
    'query Order($externalRef: ID!) { order(id: $externalRef) { ...o } } fragment o on Order { id }',
    'query($opKey: String!) { order(key: $opKey, note: "mutation { }") { mutation } } # mutation',
  ])('passes: %s', (query) => {
    expect(faultsOf(query)).toEqual([]);
  });

  it.each([
    'mutation($opKey: String!) { void(key: $opKey) { id } }',
    'query A($opKey: String!) { a(k: $opKey) } mutation B { b }',
    'subscription($opKey: String!) { a(k: $opKey) }',
    '# query\nmutation($opKey: String!) { a(k: $opKey) }',
    'query { orders { id } }',
    17,
  ])('is refused: %s', (query) => {
    expect(faultsOf(query)).not.toEqual([]);
  });

  it('is sent by POST, as JSON, with the variables that it uses', () => {
    expect(graphqlFaults('{ a(k: $opKey) }', { method: 'GET' })).toHaveLength(1);
    const headers = { 'content-type': 'text/plain' };
    expect(graphqlFaults('{ a(k: $opKey) }', { method: 'POST', headers })).toHaveLength(1);
    const body = graphqlBody('query($opKey: ID!) { a(k: $opKey) }', {
      opKey: 'k',
      externalRef: 'e',
    });
    expect(JSON.parse(body)).toMatchObject({ variables: { opKey: 'k' } });
    expect(body).not.toContain('externalRef');
  });
});
