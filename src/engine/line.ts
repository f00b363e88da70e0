/** Where questions wait for one of a few places, in order of arrival. */
export class Line {
  readonly #places: number
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(places: number) {
    this.#places = places
    this.#free = places
  }

  /** Whether more than one is at the counter, or about to be. */
  get isBusy(): boolean {
    return this.#places - this.#free + this.#waiting.length > 1
  }

  /** Resolves, when it is this one's turn, with how to leave again. Aborting leaves the line: then it throws the reason. */
  async enter(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted()
    if (this.#free > 0) this.#free -= 1
    else await this.#turn(signal)
    return () => this.#next()
  }

  #turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const called = () => {
        signal.removeEventListener('abort', giveUp)
        resolve()
      }
      const giveUp = () => {
        this.#waiting.splice(this.#waiting.indexOf(called), 1)
        reject(signal.reason)
      }
      signal.addEventListener('abort', giveUp, { once: true })
      this.#waiting.push(called)
    })
  }

  #next(): void {
    const first = this.#waiting.shift()
    if (first) first()
    else this.#free += 1
  }
}
