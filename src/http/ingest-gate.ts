import { setTimeout as pause } from 'node:timers/promises'
import { isSmallBody } from '#wire/body-memory'

/** A request with events, before it begins. */
export interface EventRequest {
  /** The network that it comes from. */
  sender: string
  bodyBytes: number
  /** Whether the body is in memory already. */
  isInMemory: boolean
  /** Whether its client sends it again after a refusal. */
  sendsAgain: boolean
}

/** Ends a request that was admitted. */
type Leave = () => void

interface Class {
  includes: (request: EventRequest) => boolean
  /** The requests that begin in one turn of the event loop; what a class leaves of them, the next ones may use. */
  perTurn: number
  /** The part of all connections that may be open with such requests. */
  partOfConnections: number
  /** The part of the memory for bodies that may hold them. */
  partOfBytes: number
}

/**
 * The classes of requests, in the order in which they begin; the fewer of a class may be open, the earlier it is refused.
 * A refused request of a client that never repeats it is lost; a small one takes little, and its page may be left before it
 * is repeated; batches come from servers, and take most.
 */
const classes: readonly Class[] = [
  {
    includes: ({ sendsAgain, bodyBytes }) => !sendsAgain && isSmallBody(bodyBytes),
    perTurn: 24,
    partOfConnections: 1 / 2,
    partOfBytes: 1 / 2,
  },
  {
    includes: ({ sendsAgain, bodyBytes }) => !sendsAgain || isSmallBody(bodyBytes),
    perTurn: 7,
    partOfConnections: 1 / 4,
    partOfBytes: 1 / 4,
  },
  { includes: () => true, perTurn: 1, partOfConnections: 1 / 64, partOfBytes: 1 / 4 },
]

/** The limit of requests that begin in one turn, some milliseconds of work. */
const maxPerTurn = classes.reduce((sum, { perTurn }) => sum + perTurn, 0)
/** One sender may have this part of what a class may have. */
const partOfSender = 1 / 2
/** Few connections still allow this many requests of a class. */
const leastOpen = 16
/** Refusals are delayed, because clients that retry at once would cost more than their events. */
const answerAfterMs = 100
/** The limit of delayed refusals; further ones are sent at once, which costs less. */
const maxHeldRefusals = 5000

interface GateLimits {
  /** The connections that may be open. */
  connections: number
  /** The memory for bodies that wait. */
  bodyBytes: number
}

/**
 * Admits requests with events. A limited number begins in each turn of the event loop, so that flags and pages never wait
 * for hundreds of them; the others wait for their turn, however long that takes on a slow machine. A request is refused
 * only if more of its class are open than connections and memory allow.
 */
export class IngestGate {
  private readonly classes: readonly RequestClass[]
  private heldRefusals = 0
  private startedThisTurn = 0
  private isScheduled = false
  /** The number of refusals since the start. */
  refused = 0

  constructor({ connections, bodyBytes }: GateLimits) {
    this.classes = classes.map(
      (rules) =>
        new RequestClass(rules, {
          open: Math.max(leastOpen, Math.floor(connections * rules.partOfConnections)),
          bytes: Math.floor(bodyBytes * rules.partOfBytes),
        }),
    )
  }

  /** Admits a request now or at its turn; undefined if it is refused. The caller ends it with the function it gets. */
  enter(request: EventRequest): Leave | undefined | Promise<Leave> {
    const itsClass = this.classes.find(({ rules }) => rules.includes(request))
    const leave = itsClass?.open(request)
    if (!itsClass || !leave) return undefined
    this.schedule()
    if (this.startedThisTurn < maxPerTurn && !this.isAnyWaiting) {
      this.startedThisTurn++
      return leave
    }
    return new Promise((begin) => itsClass.wait(request.sender, () => begin(leave)))
  }

  /** Resolves when the refusal is to be sent; the delay slows down clients that retry at once. */
  async refuse(): Promise<void> {
    this.refused++
    if (this.heldRefusals >= maxHeldRefusals) return
    this.heldRefusals++
    await pause(answerAfterMs)
    this.heldRefusals--
  }

  private get isAnyWaiting(): boolean {
    return this.classes.some(({ isWaiting }) => isWaiting)
  }

  private schedule(): void {
    if (this.isScheduled) return
    this.isScheduled = true
    setImmediate(() => this.takeTurn())
  }

  private takeTurn(): void {
    this.isScheduled = false
    this.startedThisTurn = 0
    let most = 0
    for (const one of this.classes) {
      most += one.rules.perTurn
      while (most > 0 && one.beginNext()) {
        most--
        this.startedThisTurn++
      }
    }
    if (this.startedThisTurn > 0) this.schedule()
  }
}

/** The open requests of one class. Senders take turns, so that one with many keeps no other waiting. */
class RequestClass {
  private readonly held = { requests: 0, bytes: 0 }
  private readonly ofSender = new Map<string, { requests: number; bytes: number }>()
  private readonly waiting = new Map<string, (() => void)[]>()

  constructor(
    readonly rules: Class,
    private readonly most: { open: number; bytes: number },
  ) {}

  get isWaiting(): boolean {
    return this.waiting.size > 0
  }

  /** Undefined if too many are open. */
  open({ sender, bodyBytes, isInMemory }: EventRequest): Leave | undefined {
    const bytes = isInMemory ? bodyBytes : 0
    const own = this.ofSender.get(sender) ?? { requests: 0, bytes: 0 }
    const { open, bytes: mostBytes } = this.most
    if (this.held.requests >= open || own.requests >= open * partOfSender) return undefined
    if (this.held.bytes + bytes > mostBytes || own.bytes + bytes > mostBytes * partOfSender) return undefined
    this.ofSender.set(sender, own)
    for (const count of [this.held, own]) {
      count.requests++
      count.bytes += bytes
    }
    return () => {
      for (const count of [this.held, own]) {
        count.requests--
        count.bytes -= bytes
      }
      if (own.requests === 0) this.ofSender.delete(sender)
    }
  }

  wait(sender: string, begin: () => void): void {
    const queue = this.waiting.get(sender)
    if (queue) queue.push(begin)
    else this.waiting.set(sender, [begin])
  }

  /** Begins a request of the sender whose turn it is. Returns false if none waits. */
  beginNext(): boolean {
    for (const [sender, queue] of this.waiting) {
      this.waiting.delete(sender)
      const begin = queue.shift()
      if (queue.length > 0) this.waiting.set(sender, queue)
      begin?.()
      return true
    }
    return false
  }
}
