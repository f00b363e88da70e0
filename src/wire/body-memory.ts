interface BodyBounds {
  /** The limit of one body, packed or unpacked. */
  largestBytes: number
  /** The limit of the memory that all bodies and their events take at once. */
  heldBytes: number
}

/** Memory that a body takes until it is answered. */
export interface Reservation {
  /** Changes the amount once more is known. Returns false, and changes nothing, if there is no room. */
  resize(bytes: number): boolean
  release(): void
}

interface Waiter {
  sender: string
  bytes: number
  /** Whether the room is taken at once, or only after the body was read. */
  reserves: boolean
  admit: () => void
}

const smallBodyBytes = 16 * 1024

/** Whether a body is small. Few events are in it, so that it is served first and refused last. */
export const isSmallBody = (bodyBytes: number): boolean => bodyBytes <= smallBodyBytes

/** A large body that finds no room in this time is refused. Meanwhile it is not read, or not parsed. */
const maxWaitMs = 1000
const maxWaiting = 256
/** Memory for each byte of a body before it is known what it holds: between ordinary events and small ones. */
const presumedPerByte = 10

/**
 * Limits the memory of all bodies together with what is parsed of them, and the share of one sender. A body that finds no
 * room waits: a small one before all others and as long as it takes, a large one a moment, and is then refused before it
 * is parsed.
 */
export class BodyMemory {
  private held = 0
  private readonly bySender = new Map<string, number>()
  private readonly waiting = { small: new Set<Waiter>(), large: new Set<Waiter>() }

  constructor(readonly bounds: BodyBounds) {}

  /** Waits until a body of this size may be read. It reserves nothing: a sender may take its time. */
  async waitForSpaceToRead(sender: string, bodyBytes: number): Promise<boolean> {
    const bytes = this.presumed(bodyBytes)
    return (
      isSmallBody(bodyBytes) ||
      this.hasSpace(sender, bytes) ||
      (await this.waitForSpace({ sender, bytes, reserves: false }, () => true)) === true
    )
  }

  /** Reserves the memory of a small body now or as soon as there is some. The caller bounds how many wait. */
  reserveForSmall(sender: string, wantedBytes: number): Reservation | Promise<Reservation> {
    const bytes = Math.min(wantedBytes, this.bounds.heldBytes)
    const reserved = this.reserve(sender, bytes)
    if (reserved) return reserved
    return new Promise((resolve) => {
      const waiter: Waiter = {
        sender,
        bytes,
        reserves: true,
        admit: () => {
          this.waiting.small.delete(waiter)
          resolve(this.take(sender, bytes))
        },
      }
      this.waiting.small.add(waiter)
    })
  }

  /** Reserves what a body will probably take; undefined if there is no room for it in time. */
  async reserveFor(sender: string, bodyBytes: number): Promise<Reservation | undefined> {
    const bytes = this.presumed(bodyBytes)
    const reserve = () => this.reserve(sender, bytes)
    return reserve() ?? (await this.waitForSpace({ sender, bytes, reserves: true }, reserve))
  }

  /** Undefined if there is no room now. */
  reserve(sender: string, bytes: number): Reservation | undefined {
    return this.hasSpace(sender, bytes) ? this.take(sender, bytes) : undefined
  }

  private take(sender: string, bytes: number): Reservation {
    let reserved = bytes
    this.add(sender, bytes)
    return {
      resize: (wanted) => {
        if (wanted > reserved && !this.hasSpace(sender, wanted, reserved)) return false
        this.add(sender, wanted - reserved)
        reserved = wanted
        return true
      },
      release: () => {
        this.add(sender, -reserved)
        reserved = 0
      },
    }
  }

  private presumed(bodyBytes: number): number {
    return Math.min(presumedPerByte * bodyBytes, this.bounds.heldBytes)
  }

  /** Whether there is room for so much in place of what is reserved. A sender's only body may take everything. */
  private hasSpace(sender: string, bytes: number, reserved = 0): boolean {
    const { heldBytes } = this.bounds
    if (this.held - reserved + bytes > heldBytes) return false
    const others = (this.bySender.get(sender) ?? 0) - reserved
    return others === 0 || others + bytes <= heldBytes / 2
  }

  private waitForSpace<T>(wanted: Omit<Waiter, 'admit'>, use: () => T): Promise<T | undefined> {
    const { large } = this.waiting
    if (large.size >= maxWaiting) return Promise.resolve(undefined)
    return new Promise((resolve) => {
      const end = (result: T | undefined): void => {
        clearTimeout(timer)
        large.delete(waiter)
        resolve(result)
      }
      const waiter: Waiter = { ...wanted, admit: () => end(use()) }
      const timer = setTimeout(() => end(undefined), maxWaitMs)
      large.add(waiter)
    })
  }

  /** Admits small bodies, then large ones, in the order of arrival; one that does not fit yet delays no other. */
  private admitWaiting(): void {
    let promised = 0
    for (const waiting of [this.waiting.small, this.waiting.large])
      for (const { sender, bytes, reserves, admit } of waiting) {
        if (!this.hasSpace(sender, bytes + promised)) continue
        if (!reserves) promised += bytes
        admit()
      }
  }

  private add(sender: string, bytes: number): void {
    this.held += bytes
    const ofSender = (this.bySender.get(sender) ?? 0) + bytes
    if (ofSender === 0) this.bySender.delete(sender)
    else this.bySender.set(sender, ofSender)
    if (bytes < 0 && this.waiting.small.size + this.waiting.large.size > 0) this.admitWaiting()
  }
}
