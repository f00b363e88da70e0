import { existsSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { z } from 'zod'
import { aFolder, type EndLater, run, type RunningTestTilth } from '../start/tilth'
import { ownedEnvironment } from '../studio/owner'

/** A folder that a site is published to, and the server of its files. */
export interface StaticHost {
  address: string
  folder: string
  /** The paths of requests for files that are not there. */
  missed: string[]
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
}

/** Starts a server that knows files and nothing else. */
export async function aStaticHost(endLater: EndLater): Promise<StaticHost> {
  const folder = aFolder(endLater)
  const missed: string[] = []
  const server = createServer(({ url = '/' }, response) => {
    const path = decodeURIComponent(new URL(url, 'http://files').pathname)
    const named = join(folder, path)
    const file = existsSync(named) && statSync(named).isDirectory() ? join(named, 'index.html') : named
    const isThere = existsSync(file)
    if (!isThere) missed.push(path)
    response.writeHead(isThere ? 200 : 404, {
      'content-type': types[isThere ? extname(file) : '.html'] ?? '',
    })
    response.end(readFileSync(isThere ? file : join(folder, '404.html')))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  endLater(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  // a server that listens on a port has an address of this form
  const { port } = server.address() as AddressInfo
  return { address: `http://localhost:${port}`, folder, missed }
}

const reportShape = z.object({
  pages: z.number(),
  written: z.number(),
  unchanged: z.number(),
  removed: z.number(),
  omitted: z.array(z.object({ what: z.string() })),
  deadLinks: z.array(z.object({ what: z.string(), page: z.string() })),
  failed: z.array(z.object({ path: z.string(), reason: z.string() })),
})

/** Runs `tilth publish --static` beside a Tilth that runs. */
export async function publishTo({ address, folder }: StaticHost, tilth: RunningTestTilth) {
  const environment = { ...ownedEnvironment, TILTH_DATA: tilth.folder, PORT: String(tilth.port) }
  const args = ['publish', '--static', folder, '--url', address, '--server', tilth.address, '--json']
  const command = run(args, environment)
  const { code } = await command.ended
  if (command.out === '') throw new Error(command.err)
  return { code, ...reportShape.parse(JSON.parse(command.out)) }
}
