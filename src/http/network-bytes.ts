import type { ByteBudget } from './body'

interface NetworkByteRules {
  mostBytes: number
  /** The limit of one network: less than all, so that one client never has all of it. */
  mostPerNetwork: number
}

/** Counts the bytes of bodies that are in memory, of which one network has at most its share. */
export class NetworkBytes {
  private held = 0
  private readonly byNetwork = new Map<string, number>()

  constructor(private readonly rules: NetworkByteRules) {}

  /** The share of one network. */
  of(network: string): ByteBudget {
    return {
      take: (bytes) => this.take(network, bytes),
      release: (bytes) => this.add(network, -bytes),
    }
  }

  private take(network: string, bytes: number): boolean {
    if (this.held + bytes > this.rules.mostBytes) return false
    if (this.heldBy(network) + bytes > this.rules.mostPerNetwork) return false
    this.add(network, bytes)
    return true
  }

  private add(network: string, bytes: number): void {
    this.held += bytes
    const held = this.heldBy(network) + bytes
    if (held === 0) this.byNetwork.delete(network)
    else this.byNetwork.set(network, held)
  }

  private heldBy(network: string): number {
    return this.byNetwork.get(network) ?? 0
  }
}
