import { createServer } from 'node:http'
import { onTestFinished } from 'vitest'

/** Another website, of one page. It has our host: over http, a browser keeps no cookie of a frame on another site. */
export async function anotherSite() {
  let content = ''
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(content)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (!address || typeof address === 'string') throw new Error('The other site has no port.')
  return { origin: `http://localhost:${address.port}`, publish: (html: string) => (content = html) }
}
