/** A choice with a weight. */
interface Weighted {
  weight: number
}

/**
 * A reproducible random generator: its numbers depend only on the seed and the calls before. (Chris Doty-Humphrey's
 * sfc32, from PractRand: four numbers of state and no multiplication.)
 */
export class SeededRandom {
  private a: number
  private b: number
  private c: number
  private counter = 1

  constructor(seed: string) {
    this.a = seedFrom(seed, 0x9e3779b9)
    this.b = seedFrom(seed, 0x85ebca6b)
    this.c = seedFrom(seed, 0xc2b2ae35)
    for (let round = 0; round < 12; round++) this.bits()
  }

  /** Returns a number from 0 up to but excluding 1. */
  next(): number {
    return this.bits() / 2 ** 32
  }

  happens(probability: number): boolean {
    return this.next() < probability
  }

  between(least: number, most: number): number {
    return least + this.next() * (most - least)
  }

  /** Returns an integer; `most` is included. */
  whole(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1))
  }

  /** Returns an integer with this mean: 2.3 becomes two, and sometimes three. */
  amount(expected: number): number {
    return Math.floor(expected + this.next())
  }

  /** Returns a number around `usual` with a long tail, as durations have. */
  around(usual: number): number {
    const bell = this.next() + this.next() + this.next() - 1.5
    return usual * Math.exp(bell * 1.1)
  }

  pick<Value>(from: readonly [Value, ...Value[]]): Value {
    return from[Math.floor(this.next() * from.length)] ?? from[0]
  }

  weighted<Value extends Weighted>(from: readonly [Value, ...Value[]]): Value {
    let rest = this.next() * from.reduce((sum, { weight }) => sum + weight, 0)
    for (const one of from) {
      rest -= one.weight
      if (rest < 0) return one
    }
    return from[0]
  }

  /** Returns a version 7 uuid of that time. */
  uuid(at: number): string {
    const time = Math.trunc(at).toString(16).padStart(12, '0')
    const [first, second, third] = [this.bits(), this.bits(), this.bits()]
    const version = (0x7000 | (first & 0x0fff)).toString(16)
    const variant = (0x8000 | (first >>> 18)).toString(16)
    return `${time.slice(0, 8)}-${time.slice(8)}-${version}-${variant}-${hex(second)}${hex(third).slice(4)}`
  }

  /** Returns that many letters and digits. */
  letters(amount: number): string {
    let text = ''
    while (text.length < amount) text += this.bits().toString(36)
    return text.slice(0, amount)
  }

  private bits(): number {
    const sum = (this.a + this.b + this.counter++) | 0
    this.a = this.b ^ (this.b >>> 9)
    this.b = (this.c + (this.c << 3)) | 0
    this.c = (((this.c << 21) | (this.c >>> 11)) + sum) | 0
    return sum >>> 0
  }
}

const hex = (bits: number): string => bits.toString(16).padStart(8, '0')

/** Hashes with FNV-1a and a final mix, so that similar seeds give unrelated sequences. */
function seedFrom(text: string, beginning: number): number {
  let hash = beginning
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x7feb352d)
  hash = Math.imul(hash ^ (hash >>> 15), 0x846ca68b)
  return hash ^ (hash >>> 16)
}
