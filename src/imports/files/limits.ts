/** A file that cannot be read any further; the message says why, and what to do. */
export class UnreadableFileError extends Error {
  override readonly name = 'UnreadableFileError'
}

/** Deflate packs at most a thousandfold; exports of events shrink to a twentieth. */
const mostUnpackedPerByte = 200
const alwaysAllowedBytes = 256 * 1024 ** 2

/** The bytes left of the size that a file may unpack to, over all files in it. */
export class UnpackedBudget {
  private left: number

  constructor(
    private readonly name: string,
    packedBytes: number,
  ) {
    this.left = Math.max(alwaysAllowedBytes, packedBytes * mostUnpackedPerByte)
  }

  /** Counts unpacked bytes, and stops a file that unpacks to far more than any export would. */
  take(bytes: number): void {
    this.left -= bytes
    if (this.left < 0)
      throw new UnreadableFileError(
        `${this.name} unpacks to more than ${mostUnpackedPerByte} times its size, which no export does. Nothing more of it is read.`,
      )
  }

  /** Passes unpacked bytes on, and counts them. */
  async *limit(unpacked: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const part of unpacked) {
      this.take(part.length)
      yield part
    }
  }
}

/** The most bytes of a row, in a line of text or in the values of a table. */
export const mostRowBytes = 16 * 1024 ** 2

/** Why a row of a file is none. */
export const rowProblems = {
  tooLong: 'longer than 16 MB',
  notObject: 'not an object',
  notJson: 'not JSON, perhaps cut',
} as const
