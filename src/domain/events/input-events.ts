import type { ArtifactLink, InputBlock } from '../content.js';

export type Delivery = 'steer' | 'queue';

export type InputEvents =
  | {
      readonly type: 'InputAccepted';
      readonly data: {
        readonly inputId: string;
        readonly delivery: Delivery;
        readonly resume: boolean;
        readonly content: readonly InputBlock[]; // *
        /** JSON of the whole content, where `content` is only its beginning. */
        readonly artifact?: ArtifactLink;
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
  /** Only while it waits. */
  | {
      readonly type: 'InputDeliveryChanged';
      readonly data: { readonly inputId: string; readonly delivery: Delivery };
    }
  | { readonly type: 'InputWithdrawn'; readonly data: { readonly inputId: string } };
