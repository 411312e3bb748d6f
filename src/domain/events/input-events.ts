import type { InputBlock } from '../content.js';

export type Delivery = 'steer' | 'queue';

export type InputEvents =
  | {
      readonly type: 'InputAccepted';
      readonly data: {
        readonly inputId: string;
        readonly delivery: Delivery;
        readonly resume: boolean;
        readonly content: readonly InputBlock[]; // *
        readonly author: string;
      };
    }
  | {
      readonly type: 'InputDelivered';
      readonly data: {
        readonly inputId: string;
        readonly runId: string;
        readonly messageId: string;
      };
    }
  | { readonly type: 'InputWithdrawn'; readonly data: { readonly inputId: string } };
