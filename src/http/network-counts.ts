/** A count for each network that has one. */
export class NetworkCounts {
  private readonly counts = new Map<string, number>()

  of(network: string): number {
    return this.counts.get(network) ?? 0
  }

  add(network: string, change: number): void {
    const count = this.of(network) + change
    if (count === 0) this.counts.delete(network)
    else this.counts.set(network, count)
  }
}
