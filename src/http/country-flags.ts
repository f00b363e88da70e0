import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { z } from 'zod'
import type { Exchange } from './trusted-request'

/** The address for flags of countries: /_tilth/country-flags/DE.svg. */
export const countryFlagsPath = '/_tilth/country-flags'

const flagSet = z.object({
  width: z.number(),
  height: z.number(),
  icons: z.record(z.string(), z.object({ body: z.string() })),
})
type FlagSet = z.infer<typeof flagSet>

let loaded: FlagSet | undefined

/** The set of flags of the package, read at the first request for one. */
const flags = (): FlagSet => (loaded ??= readFlags())

function readFlags(): FlagSet {
  const file = createRequire(import.meta.url).resolve('@iconify-json/flagpack/icons.json')
  return flagSet.parse(JSON.parse(readFileSync(file, 'utf8')))
}

/** The set has the flag of England under the code of the country. */
const unitedKingdom = 'gb-ukm'

/** Returns the flag of a country as a picture; undefined for a code without one. */
export function countryFlag(country: string): string | undefined {
  const { width, height, icons } = flags()
  const key = country === 'GB' ? unitedKingdom : country.toLowerCase()
  const icon = /^[A-Z]{2}$/.test(country) && Object.hasOwn(icons, key) ? icons[key] : undefined
  return (
    icon &&
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">${icon.body}</svg>`
  )
}

/** A picture can be drawn only: no script, no other file. */
const headers = {
  'content-type': 'image/svg+xml',
  'cache-control': 'public, max-age=2592000',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  'x-content-type-options': 'nosniff',
}

/** Answers with the flag that the path names. */
export function serveCountryFlag({
  request: { method },
  response,
  trustedRequest: { path },
}: Exchange): void {
  const [, country = ''] = /^\/([A-Z]{2})\.svg$/.exec(path.slice(countryFlagsPath.length)) ?? []
  const flag = countryFlag(country)
  if (flag === undefined) return void response.writeHead(404, { 'cache-control': 'no-store' }).end()
  response.writeHead(200, { ...headers, 'content-length': Buffer.byteLength(flag) })
  response.end(method === 'HEAD' ? undefined : flag)
}
