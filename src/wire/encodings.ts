import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

export type Encoding = 'br' | 'gzip' | 'identity'

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

/** Two steps below the best: a tenth of the time, two hundredths more to send. */
const brotliQuality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }

export const encoded: Record<Encoding, (bytes: Uint8Array) => Promise<Uint8Array>> = {
  br: (bytes) => brotli(bytes, brotliQuality),
  gzip: (bytes) => zip(bytes, { level: 9 }),
  identity: async (bytes) => bytes,
}

/** The shortest that whoever asks can read. */
export function encodingFor(accepted: string | string[] | undefined): Encoding {
  const wanted = String(accepted ?? '')
    .toLowerCase()
    .split(',')
    .filter((one) => !/;\s*q=0(?:\.0*)?\s*$/.test(one))
    .map((one) => one.split(';')[0]?.trim())
  if (wanted.includes('br')) return 'br'
  return wanted.includes('gzip') ? 'gzip' : 'identity'
}
