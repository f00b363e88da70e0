/** A map that forgets what is old, and the oldest where there is too much. */
export class Remembered<Value> {
  private readonly entries = new Map<string, { value: Value; until: number }>()

  constructor(
    private readonly most: number,
    private readonly forMs: number,
  ) {}

  get(key: string): Value | undefined {
    const entry = this.entries.get(key)
    return entry && Date.now() < entry.until ? entry.value : undefined
  }

  set(key: string, value: Value): void {
    // the newest stand last
    this.entries.delete(key)
    this.entries.set(key, { value, until: Date.now() + this.forMs })
    const [oldest] = this.entries.keys()
    if (this.entries.size > this.most && oldest !== undefined) this.entries.delete(oldest)
  }
}
