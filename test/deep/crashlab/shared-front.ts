import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { openEngine } from '#engine/open'
import type { IncomingEvent } from '#events/event'
import { exitWithParent } from '#processes/parent'
import { openProduct } from '#server/product'
import type { Log } from '#server/log'
import { anEnvelope, anEvent } from '../../product/ingest-fixture'
import { uuidNumber } from './events'

/**
 * One of the fronts that the lab kills: the product's own intake over a store and an engine that others use as well.
 */

export interface SharedOrders {
  folder: string
  store: string
  engine: string
}

const visitors = 20

const silent = { debug() {}, info() {}, warn() {}, error() {}, fatal() {} }

await main()

async function main(): Promise<void> {
  exitWithParent()
  // the lab wrote it, and nothing else starts this file
  const { folder, store, engine: url } = JSON.parse(process.argv[2] ?? '') as SharedOrders
  const product = await openProduct({
    store: { folder, url: store },
    engine: openEngine({ form: 'remote', url, log: silent, probeEveryMs: 50 }),
    intake: {
      dataFolder: folder,
      isAlone: false,
      diskSpace: async () => ({ freeBytes: 2 ** 40, usedBytes: undefined, trouble: undefined }),
      // the log of the intake is of no interest here
      log: silent as unknown as Log,
      onLiveEvent: () => {},
    },
  })
  const server = createServer((request, response) => {
    void answer(request).then(
      (body) => response.end(JSON.stringify(body)),
      () => response.writeHead(503).end(),
    )
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  if (address && typeof address === 'object') process.send?.({ port: address.port })

  async function answer(request: IncomingMessage): Promise<unknown> {
    if (request.url === '/pending') return product.intake?.counts().pipeline.pending
    const numbers = JSON.parse(Buffer.concat(await request.toArray()).toString()) as number[] // sent by the lab
    const receipt = await product.intake?.accept(
      numbers.map(numbered),
      anEnvelope({ receivedAt: new Date() }),
    )
    if (!receipt?.taken) throw new Error('The events were refused.')
    return receipt.kept
  }
}

const numbered = (n: number): IncomingEvent =>
  anEvent({
    uuid: uuidNumber(n),
    name: `numbered ${n % 5}`,
    distinctId: `visitor ${n % visitors}`,
    properties: { n },
  })
