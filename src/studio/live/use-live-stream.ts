'use client'

import { useEffect, useEffectEvent, useState } from 'react'
import type { LiveEvent } from '#events/live-event'
import { paths } from '#studio/paths'
import type { FeedChange } from './feed'

export type LiveConnection = 'opening' | 'open' | 'lost'

/** Limits how often the page is rendered, however fast events arrive. */
const drawEveryMs = 200
/** After a loss it is tried again, at ever longer intervals. */
const retryAfterMs = [1000, 2000, 5000, 10_000]

/** Listens to what comes in for a project, for as long as the page is there and seen. */
export function useLiveStream(slug: string, onChange: (change: FeedChange) => void): LiveConnection {
  const [connection, setConnection] = useState<LiveConnection>('opening')
  const tell = useEffectEvent(onChange)

  useEffect(() => {
    const follower = new LiveStream(paths.liveStream(slug), {
      onConnection: setConnection,
      onHappening: (change) => tell(change),
    })
    const turn = () => (document.hidden ? follower.close() : follower.begin())
    turn()
    document.addEventListener('visibilitychange', turn)
    return () => {
      document.removeEventListener('visibilitychange', turn)
      follower.end()
    }
  }, [slug])

  return connection
}

interface StreamListeners {
  onConnection: (connection: LiveConnection) => void
  onHappening: (change: FeedChange) => void
}

/**
 * An event stream that is opened again by our own clock: a browser gives up for good on an answer it does not like. Over
 * plain HTTP a browser has six connections to a server, for all tabs together, so a hidden tab keeps none; the front sends
 * what a page missed when it is seen again.
 */
class LiveStream {
  private source: EventSource | undefined
  private losses = 0
  private retry: ReturnType<typeof setTimeout> | undefined
  private drawing: ReturnType<typeof setTimeout> | undefined
  private gathered: LiveEvent[] = []

  constructor(
    private readonly address: string,
    private readonly ears: StreamListeners,
  ) {}

  begin(): void {
    this.close()
    const source = new EventSource(this.address)
    this.source = source
    source.addEventListener('open', () => this.opened())
    source.addEventListener('error', () => this.lost())
    source.addEventListener('recent', ({ data }) => {
      this.ears.onHappening({ what: 'recent', liveEvents: parseMessage('recent', data) })
    })
    source.addEventListener('sighting', ({ data }) => this.gather(parseMessage('sighting', data)))
    source.addEventListener('skipped', ({ data }) => {
      this.ears.onHappening({ what: 'skipped', count: parseMessage('skipped', data).count })
    })
  }

  close(): void {
    this.source?.close()
    clearTimeout(this.retry)
  }

  end(): void {
    this.close()
    clearTimeout(this.drawing)
  }

  private opened(): void {
    this.losses = 0
    this.ears.onConnection('open')
  }

  private lost(): void {
    this.close()
    this.ears.onConnection('lost')
    const wait = retryAfterMs[Math.min(this.losses++, retryAfterMs.length - 1)]
    this.retry = setTimeout(() => this.begin(), wait)
  }

  private gather(liveEvent: LiveEvent): void {
    this.gathered.push(liveEvent)
    this.drawing ??= setTimeout(() => {
      const liveEvents = this.gathered
      this.gathered = []
      this.drawing = undefined
      this.ears.onHappening({ what: 'came', liveEvents })
    }, drawEveryMs)
  }
}

/** The messages of the front, by name. */
interface StreamMessages {
  recent: LiveEvent[]
  sighting: LiveEvent
  skipped: { count: number }
}

const parseMessage = <Name extends keyof StreamMessages>(_name: Name, data: string): StreamMessages[Name] =>
  // the front is a part of this very program: what it says has this form
  JSON.parse(data) as StreamMessages[Name]
