import { describe, expect, it, jest } from '@jest/globals';
import esdb from '@eventstore/db-client';
import { serverAddress } from './server-address.js';

describe('the address of an EventStoreDB', () => {
  it.each([
    ['esdb://localhost?tls=false', 'esdb://localhost?tls=false', 'esdb://localhost'],
    [
      'esdb://localhost:2113/?tls=false',
      'esdb://localhost:2113?tls=false',
      'esdb://localhost:2113',
    ],
    ['kurrentdb+discover://db.example', 'esdb+discover://db.example', 'esdb+discover://db.example'],
    ['esdb://ada:s%3Acret@one:1,two:2', 'esdb://ada:s%3Acret@one:1,two:2', 'esdb://one:1,two:2'],
  ])('%s is read, and shown without a password', (text, url, shown) => {
    expect(serverAddress(text)).toEqual({ url, shown });
    expect(() => esdb.EventStoreDBClient.connectionString(url)).not.toThrow();
  });

  it.each([
    ['http://localhost', 'esdb://'],
    ['esdb://', 'hosts are names'],
    ['esdb://[::1]:2113', 'hosts are names'],
    ['esdb://ada:ge:heim@one', 'percent-encoded'],
    ['esdb://ada@one', 'user:password@'],
    ['esdb://ada:geheim@one?tlsVerifyCert=false', 'the options are'],
    ['esdb://ada:geheim@one?throwOnAppendFailure=false', 'the options are'],
    ['esdb://ada:geheim@one?unheard=1', 'not "unheard"'],
    ['esdb://ada:geheim@one?tls=maybe', 'tls is true or false'],
    ['esdb://ada:geheim@one?keepAliveInterval=soon', 'whole number'],
    ['esdb://ada:geheim@one?tls', 'has no value'],
  ])('%s is refused, the reason shows no password', (text, reason) => {
    const printed = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    let message = '';
    try {
      serverAddress(text);
    } catch (error) {
      message = (error as Error).message;
    }
    expect(message).toContain(reason);
    expect(message).not.toMatch(/geheim|ge:heim/);
    expect(printed).not.toHaveBeenCalled();
    printed.mockRestore();
  });
});
