import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import type { RequestBody } from '#http/body'
import { type Exchange, readTrustedRequest } from '#http/trusted-request'

/** Serves requests with one function of a module, as a front would, on a port of its own until the test is over. */
export async function anExchangeServer(
  answer: (exchange: Exchange, body: RequestBody, addresses: readonly URL[]) => Promise<void>,
): Promise<URL> {
  const addresses: URL[] = []
  const server = createServer((request, response) => {
    const trustedRequest = readTrustedRequest(request, {
      trusted: { by: 'nobody' },
      addresses: () => addresses,
    })
    void answer({ request, response, trustedRequest }, { read: () => buffer(request) }, addresses)
  })
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  // it listens on a port
  const { port } = server.address() as AddressInfo
  const address = new URL(`http://127.0.0.1:${port}`)
  addresses.push(address)
  return address
}
