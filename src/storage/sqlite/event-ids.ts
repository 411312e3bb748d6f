/** UUID text to its 16 bytes and back. */
export function idToBytes(eventId: string): Buffer {
  return Buffer.from(eventId.replaceAll('-', ''), 'hex');
}

export function idToText(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
  return (
    `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-` +
    `${hex.slice(16, 20)}-${hex.slice(20)}`
  );
}
