import { Readable } from 'node:stream';
import { Controller, Get, Param, Post, Query, Req, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import {
  ApiBody,
  ApiConsumes,
  ApiCreatedResponse,
  ApiHeader,
  ApiOkResponse,
  ApiOperation,
  ApiProperty,
  ApiPropertyOptional,
  ApiResponse,
  ApiTags,
} from '@nestjs/swagger';
import { IsOptional, Length, Matches } from 'class-validator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CommandScope } from '../../commands/command-scope.js';
import { KeepArtifact } from '../../commands/keep-artifact/keep-artifact.handler.js';
import { ReadArtifact } from '../../history/read-artifact.js';
import { ARTIFACT_BYTES_MAX, ArtifactTooLargeError } from '../../storage/artifact-store.js';
import { rangeOf } from '../byte-range.js';
import { ProblemError } from '../problem.js';
import { Scope } from '../request-scope.js';
import { Needs } from '../needs.js';
import { Problems } from './answers.js';

const BYTES = 'application/octet-stream';

export class ArtifactQuery {
  @ApiPropertyOptional({ default: BYTES, description: 'What the bytes are, such as image/png.' })
  @IsOptional()
  @Length(3, 128)
  @Matches(/^[\w.+-]+\/[\w.+-]+$/, { message: '$property must be a media type like image/png' })
  mediaType: string = BYTES;
}

export class ArtifactView {
  @ApiProperty({ description: 'Keyed hash of the content: its address in this session.' })
  hash: string;

  @ApiProperty()
  sizeBytes: number;

  @ApiProperty()
  mediaType: string;
}

@ApiTags('artifacts')
@Controller('v1/sessions/:sessionId/artifacts')
export class ArtifactsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Needs('session:write')
  @Post()
  @ApiOperation({
    summary: 'Store an image, a document or any other bytes, for inputs and results to name',
    description:
      `At most ${ARTIFACT_BYTES_MAX} bytes, read as a stream. The same content again is stored ` +
      'once. Give the answer as `artifact` of an image or document block.',
  })
  @ApiConsumes(BYTES)
  @ApiBody({ schema: { type: 'string', format: 'binary' } })
  @ApiCreatedResponse({ type: ArtifactView })
  @Problems('too_large', 'unsupported_media_type')
  async keep(
    @Scope() scope: CommandScope,
    @Query() { mediaType }: ArtifactQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ArtifactView> {
    const { body } = request;
    if (!(body instanceof Readable)) {
      throw new ProblemError('unsupported_media_type', `send the bytes as ${BYTES}`);
    }
    // What is not read to its end cannot be told from the next request.
    void reply.header('Connection', 'close');
    if (Number(request.headers['content-length'] ?? 0) > ARTIFACT_BYTES_MAX) {
      throw new ArtifactTooLargeError();
    }
    try {
      // Destroying a request that is not read to its end would take its answer along.
      const pieces = body.iterator({ destroyOnReturn: false });
      const kept = await this.commands.execute(new KeepArtifact(scope, pieces, mediaType));
      void reply.removeHeader('Connection');
      return kept;
    } catch (error) {
      if (request.raw.errored === null) throw error;
      throw new ProblemError('invalid_request', 'the body broke off; nothing of it was stored');
    }
  }

  @Needs('content:read')
  @Get(':hash')
  @ApiOperation({ summary: 'Content that is no part of an event: the whole, or a range of bytes' })
  @ApiHeader({ name: 'Range', required: false, description: 'One range, such as bytes=0-1023.' })
  @ApiHeader({ name: 'If-Range', required: false, description: 'The ETag of an earlier answer.' })
  @ApiOkResponse({ description: 'The bytes as they were stored.' })
  @ApiResponse({ status: 206, description: 'The range that was asked for.' })
  @Problems('range_not_satisfiable')
  async read(
    @Scope() scope: CommandScope,
    @Param('hash') hash: string,
    @Req() { headers }: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const found = await this.queries.execute(new ReadArtifact(scope, hash));
    if (found === undefined) throw new ProblemError('not_found', 'there is no such artifact');
    const { sizeBytes } = found;
    const etag = `"${hash}"`;
    const isOther = headers['if-range'] !== undefined && headers['if-range'] !== etag;
    const range = isOther ? undefined : rangeOf(headers.range, sizeBytes);
    if (range === 'not_satisfiable') {
      void reply.header('Content-Range', `bytes */${sizeBytes}`);
      throw new ProblemError('range_not_satisfiable', `the artifact has ${sizeBytes} bytes`, {
        sizeBytes,
      });
    }
    const { from, to } = range ?? { from: 0, to: sizeBytes - 1 };
    if (range !== undefined) {
      void reply.status(206).header('Content-Range', `bytes ${from}-${to}/${sizeBytes}`);
    }
    // The type is the sender's claim: a browser must never run what it names.
    void reply
      .header('Content-Disposition', 'attachment')
      .header('Accept-Ranges', 'bytes')
      .header('ETag', etag)
      .header('Content-Length', to - from + 1)
      .type(BYTES)
      .send(Readable.from(found.read(range)));
  }
}
