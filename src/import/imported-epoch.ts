/** Imported events carry epoch 0: the ownership rules begin with the first real claim. */
export const IMPORTED_EPOCH = 0;
