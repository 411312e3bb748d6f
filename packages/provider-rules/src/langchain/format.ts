import { chatFormat } from '../openai-chat/format.js';
import { langChainShape } from './shape.js';

export const langChain = chatFormat(langChainShape);
