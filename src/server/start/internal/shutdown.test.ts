import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../config'
import { openFront } from '../../internal/front'
import { openLog } from '../../log'
import type { StartedParts } from './shutdown'
import { Shutdown } from './shutdown'

const log = openLog({ level: 'silent', format: 'json' })

/** A front that is ready, with its shutdown. */
async function aFront(drainMs: number) {
  const reading = readConfig({ PORT: '0' })
  if (!reading.readable) throw new Error(reading.problems.join('\n'))
  const front = await openFront({ config: reading.config, log })
  const health = () => ({ status: 'ready', since: new Date(), restarts: 0 }) as const
  front.use({
    engine: { health: () => ({ ...health(), form: 'remote' }) },
    disk: async () => ({ freeBytes: 1, usedBytes: 0, trouble: undefined }),
    pages: { serve: (_request, response) => void response.writeHead(200).end('a page'), health },
    awaitedStore: { ping: async () => {} },
  })
  const exits: number[] = []
  const pages = { stop: async () => {} } as StartedParts['pages'] // nothing else of it is asked
  const shutdown = new Shutdown({ front, pages }, log, { drainMs, exit: (code) => void exits.push(code) })
  onTestFinished(() => (shutdown.hasBegun ? undefined : front.drain()))
  return { shutdown, exits, address: `http://localhost:${front.port}` }
}

/** Looks at readiness as load balancers do, and sends each request on a connection of its own to a front that is ready. */
class Balancer {
  readonly answers: (number | string)[] = []
  private readonly ready = new Set<string>()
  private isOver = false
  private readonly working: Promise<unknown>

  constructor(addresses: readonly string[]) {
    for (const address of addresses) this.ready.add(address)
    this.working = Promise.all([...addresses.map((address) => this.look(address)), this.send()])
  }

  async stop(): Promise<void> {
    this.isOver = true
    await this.working
  }

  isReady = (address: string): boolean => this.ready.has(address)

  private async look(address: string): Promise<void> {
    while (!this.isOver) {
      const { status } = await fetch(`${address}/_tilth/ready`, { headers: { connection: 'close' } }).catch(
        () => ({ status: 0 }),
      )
      if (status === 200) this.ready.add(address)
      else this.ready.delete(address)
      await pause(20)
    }
  }

  private async send(): Promise<void> {
    for (let n = 0; !this.isOver; n++) {
      const ready = [...this.ready]
      const address = ready[n % ready.length]
      const answer = address
        ? await fetch(address, { headers: { connection: 'close' } }).then(({ status }) => status, String)
        : 'no front is ready'
      this.answers.push(answer)
      await pause(1)
    }
  }
}

describe('a front behind a load balancer that is told to stop', () => {
  test('refuses no request: it says that it is not ready, and answers until the balancer knows', async () => {
    const [one, other] = [await aFront(1000), await aFront(1000)]
    const balancer = new Balancer([one.address, other.address])
    await expect.poll(() => balancer.answers.length).toBeGreaterThan(10)
    await one.shutdown.end(0, { isAnnounced: true })
    const sent = balancer.answers.length
    await expect.poll(() => balancer.answers.length).toBeGreaterThan(sent + 10)
    await balancer.stop()

    expect(one.exits).toEqual([0])
    expect(balancer.isReady(other.address)).toBe(true)
    expect(balancer.answers.filter((answer) => answer !== 200)).toEqual([])
  })

  test('names its reason in its readiness', async () => {
    const { shutdown, address } = await aFront(60_000)
    void shutdown.end(0, { isAnnounced: true })
    const ready = await fetch(`${address}/_tilth/ready`)

    expect(ready.status).toBe(503)
    expect(await ready.json()).toMatchObject({ parts: { front: { ok: false, status: 'stopping' } } })
    expect((await fetch(address)).status).toBe(200)
  })

  test('closes at once where it has no time for that, or is told so by a person', async () => {
    const [hasNone, byPerson] = [await aFront(0), await aFront(60_000)]
    await hasNone.shutdown.end(0, { isAnnounced: true })
    await byPerson.shutdown.end(0)

    expect([hasNone.exits, byPerson.exits]).toEqual([[0], [0]])
  })
})
