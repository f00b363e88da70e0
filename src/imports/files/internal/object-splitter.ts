const [quote, backslash, opening, closing, openingList, closingList] = Buffer.from('"\\{}[]')

/** Finds the objects in a list of JSON, byte by byte, without the list. */
export class ObjectSplitter {
  private depth = 0
  private text: 'none' | 'inside' | 'escaped' = 'none'
  private object: number[] = []

  constructor(private readonly mostBytes: number) {}

  /** Whether an object has begun that has not ended. */
  get isWithin(): boolean {
    return this.depth > 0
  }

  /** Returns the object that ends with this byte. */
  take(byte: number): Buffer | 'too-long' | undefined {
    if (this.isWithin && this.object.length <= this.mostBytes) this.object.push(byte)
    if (this.text !== 'none') this.readText(byte)
    else if (byte === quote) this.text = 'inside'
    else if (byte === opening || (this.isWithin && byte === openingList)) this.begin(byte)
    else if (this.isWithin && (byte === closing || byte === closingList)) return this.end()
    return undefined
  }

  private readText(byte: number): void {
    if (this.text === 'escaped') this.text = 'inside'
    else if (byte === backslash) this.text = 'escaped'
    else if (byte === quote) this.text = 'none'
  }

  private begin(byte: number): void {
    if (!this.isWithin) this.object = [byte]
    this.depth++
  }

  private end(): Buffer | 'too-long' | undefined {
    this.depth--
    if (this.isWithin) return undefined
    return this.object.length > this.mostBytes ? 'too-long' : Buffer.from(this.object)
  }
}
