/** The name of an operation in the API document: `sessions.start`. */
export function operationId(controller: string, method: string): string {
  return `${controller.replace('Controller', '').toLowerCase()}.${method}`;
}
