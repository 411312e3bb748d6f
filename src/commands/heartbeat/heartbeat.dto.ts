import { OwnedBody } from '../dto/owned-body.js';

export class HeartbeatBody extends OwnedBody {}
