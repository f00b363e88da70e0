import { Agent, request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { randomBy } from '#bench/busy-site'
import { type ProductProcess, writeKey } from './product-process'

const browser =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

/** The number is readable from the uuid, and the text order of uuids is that of their numbers. */
const uuidOfNumber = (n: number): string => `00000000-0000-4000-a000-${n.toString(16).padStart(12, '0')}`
export const numberOfUuid = (uuid: string): number => Number.parseInt(uuid.slice(24), 16)

export const eventName = 'numbered'

/** The requests of a kind of client to the wire paths. A server's SDK may send hundreds of events at once. */
type Sender = (events: readonly object[]) => { path: string; body: string | Buffer; type: string }

const json = 'application/json'
const senders: readonly Sender[] = [
  (batch) => ({ path: '/e/', body: JSON.stringify({ api_key: writeKey, batch }), type: 'text/plain' }),
  (batch) => ({ path: '/batch/', body: JSON.stringify({ api_key: writeKey, batch }), type: json }),
  (batch) => ({
    path: '/batch/?compression=gzip-js',
    body: gzipSync(JSON.stringify({ api_key: writeKey, batch })),
    type: 'text/plain',
  }),
  ([event]) => ({ path: '/capture/', body: JSON.stringify({ api_key: writeKey, ...event }), type: json }),
  ([event]) => ({ path: '/i/v0/e/', body: JSON.stringify({ api_key: writeKey, ...event }), type: json }),
]
const singleSenders = new Set(senders.slice(3))

/** Sends numbered events, and writes down which of them were acknowledged. */
export class NumberedClients {
  readonly acknowledged = new Set<number>()
  readonly statuses = new Map<number, number>()
  /** The number of clients that send at once. */
  wanted = 4
  private readonly unsure = new Set<number>()
  private readonly running = new Set<Promise<void>>()
  private readonly agent = new Agent({ keepAlive: true })
  private readonly base = Date.now() - 6 * 3_600_000
  private hasEnded = false
  private started = 0
  private readonly first: number

  constructor(
    private readonly fronts: readonly ProductProcess[],
    private readonly seed: number,
    /** The number of the next event that is new. */
    public next = 0,
  ) {
    this.first = next
  }

  /** Starts as many as are wanted; those that are too many end by themselves. */
  setAmount(amount: number): void {
    this.wanted = amount
    while (this.running.size < amount) {
      const index = this.running.size
      const client = this.client(index, randomBy(this.seed + this.started++))
      this.running.add(client)
      void client.finally(() => this.running.delete(client))
    }
  }

  async end(): Promise<void> {
    this.hasEnded = true
    await Promise.all(this.running)
    this.agent.destroy()
  }

  get refusals(): number {
    return this.statuses.get(503) ?? 0
  }

  private async client(index: number, chance: () => number): Promise<void> {
    while (!this.hasEnded && index < this.wanted) {
      const sender = senders[Math.floor(chance() * senders.length)]
      if (!sender) continue
      const numbers = this.choose(chance, singleSenders.has(sender) ? 1 : 40)
      for (const n of numbers) if (!this.acknowledged.has(n)) this.unsure.add(n)
      const targets = this.targets(chance)
      const answers = await Promise.all(targets.map((front) => this.send(front, sender, numbers)))
      if (answers.includes(200)) for (const n of numbers) this.settle(n)
      await delay(answers.includes(200) ? 5 + chance() * 20 : 100)
    }
  }

  /** New events mostly; some were sent before: of those some were acknowledged, some without an answer. */
  private choose(chance: () => number, most: number): number[] {
    const kind = chance()
    const amount = 1 + Math.floor(most * chance() ** 2)
    if (kind < 0.2 && this.unsure.size > 0) return [...this.unsure].slice(0, amount)
    const isRepeated = kind < 0.3
    const from = isRepeated ? this.first + Math.floor(chance() * (this.next - this.first)) : this.next
    this.next = Math.max(this.next, from + amount)
    return Array.from({ length: amount }, (_, i) => from + i)
  }

  /** Two fronts mostly get each event at the same moment. */
  private targets(chance: () => number): readonly ProductProcess[] {
    if (chance() < 0.6) return this.fronts
    const one = this.fronts[Math.floor(chance() * this.fronts.length)]
    return one ? [one] : []
  }

  private settle(n: number): void {
    this.acknowledged.add(n)
    this.unsure.delete(n)
  }

  private async send(front: ProductProcess, sender: Sender, numbers: readonly number[]): Promise<number> {
    const { path, body, type } = sender(numbers.map((n) => this.event(n)))
    const status = await answerTo(this.agent, front.address + path, { body, type })
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1)
    return status
  }

  private event(n: number): object {
    return {
      uuid: uuidOfNumber(n),
      event: eventName,
      distinct_id: `visitor ${n % 50}`,
      timestamp: new Date(this.base + n).toISOString(),
      properties: { distinct_id: `visitor ${n % 50}`, n },
    }
  }
}

/** Asks for flags and for a page of the site all the time, and reports what should have been answered and was not. */
export class Prober {
  readonly answered = { flags: 0, site: 0 }
  /** The endpoints that may answer badly at the moment, because of the current fault. */
  excused = { flags: false, site: false }
  /** Grows with every change of what is excused. */
  private change = 0
  private hasEnded = false
  private running: Promise<unknown> = Promise.resolve()
  private readonly agent = new Agent({ keepAlive: false })

  constructor(
    private readonly fronts: readonly ProductProcess[],
    private readonly onFailure: (failure: string) => void,
  ) {
    this.resume()
  }

  /** Asks again after a pause. */
  resume(): void {
    this.hasEnded = false
    this.running = Promise.all(
      this.fronts.flatMap((front) => [this.probe(front, 'flags'), this.probe(front, 'site')]),
    )
  }

  /** Stops asking. Each page is a page view, so that the journal is never empty in between. */
  async pause(): Promise<void> {
    this.hasEnded = true
    await this.running
  }

  excuse(excused: { flags?: boolean; site?: boolean }): void {
    this.excused = { flags: excused.flags ?? false, site: excused.site ?? false }
    this.change += 1
  }

  async end(): Promise<void> {
    await this.pause()
    this.agent.destroy()
  }

  private async probe(front: ProductProcess, what: 'flags' | 'site'): Promise<void> {
    const body = JSON.stringify({ token: writeKey, distinct_id: 'visitor 1' })
    while (!this.hasEnded) {
      const before = { isUp: front.isUp, interruptions: front.interruptions, change: this.change }
      const wasExcused = this.excused[what]
      const status =
        what === 'flags'
          ? await answerTo(this.agent, `${front.address}/flags/?v=2`, { body, type: json })
          : await answerTo(this.agent, `${front.address}/`)
      const isCertain =
        before.isUp && front.interruptions === before.interruptions && this.change === before.change
      if (status === 200) this.answered[what] += 1
      else if (isCertain && !wasExcused) this.onFailure(`${what} answered ${status || 'nothing'}`)
      await delay(100)
    }
  }
}

/** The status of the answer; 0 where there was none. */
function answerTo(
  agent: Agent,
  url: string,
  sent?: { body: string | Buffer; type: string },
): Promise<number> {
  return new Promise((resolve) => {
    const headers = { 'user-agent': browser, accept: 'text/html', ...(sent && { 'content-type': sent.type }) }
    const siteRequest = request(
      url,
      { method: sent ? 'POST' : 'GET', agent, headers, timeout: 120_000 },
      (answer) => {
        answer
          .resume()
          .once('end', () => resolve(answer.statusCode ?? 0))
          .once('close', () => resolve(0))
          .once('error', () => resolve(0))
      },
    )
    siteRequest
      .once('timeout', () => siteRequest.destroy())
      .once('error', () => resolve(0))
      .end(sent?.body)
  })
}
