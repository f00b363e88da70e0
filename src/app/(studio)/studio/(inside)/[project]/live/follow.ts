'use client'

import { useEffect, useEffectEvent, useState } from 'react'
import type { Sighting } from '../../../../../../events/sighting'
import { paths } from '../../../../../paths'
import type { Happening } from './feed'

export type Connection = 'opening' | 'open' | 'lost'

/** The page is drawn anew so often at most, however fast events come. */
const drawEveryMs = 200
/** After a loss it is tried again, at ever longer intervals. */
const retryAfterMs = [1000, 2000, 5000, 10_000]

/** Listens to what comes in for a project, for as long as the page is there. */
export function useLive(slug: string, onHappening: (happening: Happening) => void): Connection {
  const [connection, setConnection] = useState<Connection>('opening')
  const tell = useEffectEvent(onHappening)

  useEffect(() => {
    const follower = new Follower(paths.liveStream(slug), {
      onConnection: setConnection,
      onHappening: (happening) => tell(happening),
    })
    follower.begin()
    return () => follower.end()
  }, [slug])

  return connection
}

interface Ears {
  onConnection: (connection: Connection) => void
  onHappening: (happening: Happening) => void
}

/** An event stream that is opened again by our own clock: a browser gives up for good on an answer it does not like. */
class Follower {
  private source: EventSource | undefined
  private losses = 0
  private retry: ReturnType<typeof setTimeout> | undefined
  private drawing: ReturnType<typeof setTimeout> | undefined
  private gathered: Sighting[] = []

  constructor(
    private readonly address: string,
    private readonly ears: Ears,
  ) {}

  begin(): void {
    const source = new EventSource(this.address)
    this.source = source
    source.addEventListener('open', () => this.opened())
    source.addEventListener('error', () => this.lost())
    source.addEventListener('recent', ({ data }) => {
      this.ears.onHappening({ what: 'recent', sightings: said('recent', data) })
    })
    source.addEventListener('sighting', ({ data }) => this.gather(said('sighting', data)))
    source.addEventListener('skipped', ({ data }) => {
      this.ears.onHappening({ what: 'skipped', count: said('skipped', data).count })
    })
  }

  end(): void {
    this.source?.close()
    clearTimeout(this.retry)
    clearTimeout(this.drawing)
  }

  private opened(): void {
    this.losses = 0
    this.ears.onConnection('open')
  }

  private lost(): void {
    this.source?.close()
    this.ears.onConnection('lost')
    const wait = retryAfterMs[Math.min(this.losses++, retryAfterMs.length - 1)]
    clearTimeout(this.retry)
    this.retry = setTimeout(() => this.begin(), wait)
  }

  private gather(sighting: Sighting): void {
    this.gathered.push(sighting)
    this.drawing ??= setTimeout(() => {
      const sightings = this.gathered
      this.gathered = []
      this.drawing = undefined
      this.ears.onHappening({ what: 'came', sightings })
    }, drawEveryMs)
  }
}

/** What the front says, by the name it says it under. */
interface Said {
  recent: Sighting[]
  sighting: Sighting
  skipped: { count: number }
}

const said = <Name extends keyof Said>(_name: Name, data: string): Said[Name] =>
  // the front is a part of this very program: what it says has this form
  JSON.parse(data) as Said[Name]
