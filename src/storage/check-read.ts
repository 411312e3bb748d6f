/** @throws RangeError: a store may take a negative count for "all". */
export function checkMaxCount(maxCount: number): void {
  if (!Number.isSafeInteger(maxCount) || maxCount < 1) {
    throw new RangeError(`maxCount ${maxCount} is no whole number from 1`);
  }
}
