/** Matomo's client for Node has no types of its own. */
declare module 'matomo-tracker' {
  import type { EventEmitter } from 'node:events'

  export default class MatomoTracker extends EventEmitter {
    constructor(siteId: string | number, trackerUrl: string)
    trackBulk(requests: Record<string, string>[], done: (answer: string) => void): void
  }
}
