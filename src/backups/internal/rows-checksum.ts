import { createHash } from 'node:crypto'

const mask = 2n ** 64n - 1n

/** A count and a checksum of rows, each given as one text. The order of the rows makes no difference. */
export class RowsChecksum {
  rows = 0
  private sum = 0n

  add(row: string): void {
    this.rows += 1
    this.sum = (this.sum + createHash('sha256').update(row).digest().readBigUInt64BE()) & mask
  }

  get text(): string {
    return this.sum.toString(16).padStart(16, '0')
  }
}
