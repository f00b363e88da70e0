import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A server in the place of the pages process, answering on a unix socket whatever a test wants to see passed on. */
export async function startTestPages(answer: RequestListener) {
  const folder = mkdtempSync(join(tmpdir(), 'tilth-test-'))
  const socket = join(folder, 'pages.sock')
  const server = createServer(answer).listen(socket)
  await once(server, 'listening')
  const agent = new Agent({ keepAlive: true })
  onTestFinished(async () => {
    agent.destroy()
    await closed(server)
    rmSync(folder, { recursive: true, force: true })
  })
  return { server, way: { socket, agent } }
}

/** A front that does nothing but what the test says. */
export async function startTestFront(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => closed(server))
  // Listening on a port, not on a socket file.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function closed(server: Server) {
  if (!server.listening) return
  server.close()
  server.closeAllConnections()
  await once(server, 'close')
}
