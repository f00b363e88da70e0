import { beforeAll, describe, expect, test } from 'vitest'
import { CityDatabase } from './places'

describe('places', () => {
  const troubles: unknown[] = []
  const places = new CityDatabase((error) => troubles.push(error))

  beforeAll(
    async () => await Promise.all([places.whenReady('8.8.8.8'), places.whenReady('2001:4860:4860::8888')]),
  )

  test.each([
    ['8.8.8.8', { country: 'US', region: 'California', city: 'Mountain View' }],
    ['2a00:1450:4001:82b::200e', { country: 'DE', region: 'Hesse', city: 'Frankfurt am Main' }],
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
    expect(places.whenReady(address)).toBeUndefined()
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
    expect(lazy.whenReady('10.0.0.1')).toBe(lazy.whenReady('8.8.8.8'))
    expect(requests).toEqual(['ipv4'])
  })

  test('a missing file is reported once, and places are unknown', async () => {
    const problems: unknown[] = []
    const missing = new CityDatabase(
      (error) => problems.push(error),
      () => '/nowhere/at/all.mmdb',
    )
    await missing.whenReady('8.8.8.8')
    await missing.whenReady('8.8.8.8')
    expect(missing.find('8.8.8.8')).toBeUndefined()
    expect(problems).toHaveLength(1)
  })

  test('reading went well', () => expect(troubles).toEqual([]))
})
