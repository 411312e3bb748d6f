import type { FastifyServerOptions } from 'fastify';
import { HEAD_TOO_LARGE } from '../api/api-document.js';
import { problem, type Problem } from '../api/problem.js';

type ErrorHandler = NonNullable<FastifyServerOptions['clientErrorHandler']>;

const ANSWERS: Readonly<Record<string, Problem>> = {
  HPE_HEADER_OVERFLOW: {
    ...problem('too_large', 'the address and headers are over the limit of 16 KiB; send less'),
    status: HEAD_TOO_LARGE,
  },
  ERR_HTTP_REQUEST_TIMEOUT: problem('request_timeout', 'the request did not arrive in time'),
};

/**
 * Answers bytes that are no HTTP request, or not all of one in time: there is no reply object for
 * them, so it goes to the socket itself.
 */
export const refuseUnreadable: ErrorHandler = (error, socket) => {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const answer =
    ANSWERS[error.code] ?? problem('invalid_request', 'what was sent is no HTTP request');
  const body = JSON.stringify(answer);
  const head = [
    `HTTP/1.1 ${answer.status} ${answer.title}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Content-Type: application/problem+json',
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
};
