import type { TilthRevenue } from '../tilth'

/** A request to the server: everything that happened on one page since the last one. */
interface Message {
  key?: string
  url: string
  referrer: string
  title: string
  screen: string
  tag?: string
  distinctId?: string
  /** As the browser says it: `true`, or "1". */
  optedOut?: boolean | string | null
  /** By the visitor's clock; the server knows its own and so the error. */
  sentAt?: number
  events: TrackedEvent[]
}

export interface TrackedEvent extends Details {
  /** The same at every attempt, so that the server keeps it once. */
  uuid: string
  name: string
  time: number
}

export interface Details {
  props?: object
  revenue?: TilthRevenue
  /** Properties of the person. */
  set?: object
}

/** A classic script has one while it runs for the first time, and this one is never a module of a page. */
export const script = document.currentScript as HTMLScriptElement

/** Whether the script is for pages that are files of another server: then its tag names Tilth's. */
declare const AS_FILES: boolean

/** The browser's storage where it is allowed, else memory. It holds what could not be sent, and an opt-out. */
export let store: Record<string, string> = {}
try {
  store = localStorage
} catch {
  // blocked: then all of it is forgotten with the page
}

const waiting = (): Message[] => JSON.parse(store.tilth_queue || '[]')

/** Fifty at most wait for the network; the oldest go first. */
function keep(message: Message): void {
  try {
    store.tilth_queue = JSON.stringify([...waiting(), message].slice(-50))
  } catch {
    // the site has used up its storage
  }
}

/** Sends a message, or keeps it for later. A page that is going away can only hand it to the browser and hope. */
export function deliver(message: Message, isLeaving?: boolean): void {
  const endpoint = new URL('event', AS_FILES ? script.dataset.server : script.src)
  message.sentAt = Date.now()
  const body = JSON.stringify(message)
  if (isLeaving) {
    if (!navigator.onLine || !navigator.sendBeacon(endpoint, body)) keep(message)
  } else
    fetch(endpoint, { method: 'POST', body, keepalive: true }).then(
      ({ status, headers }) => {
        if (status >= 500) keep(message)
        else deliverWaiting()
        // the server names a part, below the script's own address, where the project has surveys
        const part = headers.get('x-tilth-part')
        // a relative address has no base in a script of another origin; a page that refuses the part goes without
        return (
          part &&
          import(new URL(part, AS_FILES ? script.dataset.server : script.src).href).then(
            (loaded) => loaded.begin(message),
            () => {},
          )
        )
      },
      () => keep(message),
    )
}

/** Sends the messages that failed before. Those that fail again are stored again. */
export function deliverWaiting(): void {
  const messages = waiting()
  delete store.tilth_queue
  for (const message of messages) deliver(message)
}
