import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'

/** Sends JSON that is not cached and not interpreted as another type. */
export function answerJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: OutgoingHttpHeaders = {},
): void {
  if (body === undefined) return void response.writeHead(status, { 'cache-control': 'no-store' }).end()
  const text = `${JSON.stringify(body)}\n`
  response.writeHead(status, {
    ...headers,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  })
  response.end(text)
}
