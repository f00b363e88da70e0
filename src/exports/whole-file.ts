import type { EngineFile } from '#engine/engine'
import { yieldIfLong } from '#world/event-loop'
import type { TableFormat } from './export-statement'

const [newline, quote] = [0x0a, 0x22]

/** Counts the rows of a file that passes, as far as its format shows them. */
interface RowCounter {
  take: (part: Uint8Array) => void
  /** Returns whether the file has so many rows and ends as it should. */
  isWhole: (rows: number) => boolean
}

/**
 * Passes a file on and throws at its end if it lost rows on the way: on a full disk an embedded engine ends a response
 * early and reports success (decision 5).
 */
export async function* wholeFile(
  { content, rows }: EngineFile,
  format: TableFormat,
  { withHeader }: { withHeader: boolean },
): AsyncGenerator<Uint8Array> {
  const counter = counters[format](withHeader)
  for await (const part of content as AsyncIterable<Uint8Array>) {
    await yieldIfLong()
    counter.take(part)
    yield part
  }
  if (!counter.isWhole(rows)) throw new Error(`The engine sent less than the ${rows} rows of an export.`)
}

const counters: Readonly<Record<TableFormat, (withHeader: boolean) => RowCounter>> = {
  jsonl: () => lineCounter({ firstRow: 0, quotes: false }),
  csv: (withHeader) => lineCounter({ firstRow: withHeader ? 1 : 0, quotes: true }),
  parquet: () => footerCheck(),
}

/** Line breaks within quotes belong to a value. */
function lineCounter({ firstRow, quotes }: { firstRow: number; quotes: boolean }): RowCounter {
  let [lines, isQuoted] = [0, false]
  return {
    take(part) {
      for (const byte of part) {
        if (quotes && byte === quote) isQuoted = !isQuoted
        else if (byte === newline && !isQuoted) lines++
      }
    },
    isWhole: (rows) => !isQuoted && lines - firstRow === rows,
  }
}

/** A file begins and ends with the same four letters; without rows it may be empty. */
function footerCheck(): RowCounter {
  let [bytes, end] = [0, Buffer.alloc(0)]
  return {
    take(part) {
      bytes += part.length
      end = Buffer.concat([end, part.subarray(-4)]).subarray(-4)
    },
    isWhole: (rows) => (bytes === 0 ? rows === 0 : end.toString('latin1') === 'PAR1'),
  }
}
