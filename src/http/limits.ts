import { readFileSync } from 'node:fs'
import type { BodyRate } from './body'

const KB = 1024
const MB = 1024 * KB
const seconds = 1000

/**
 * Limits of the front. Node's defaults are wide (a minute for headers, five for a request, checked every half minute,
 * none for a stalled body); with them, 1 000 slow senders go unnoticed.
 */
export interface Limits {
  headersMs: number
  requestMs: number
  checkEveryMs: number
  /** Longer than a minute, for which common proxies keep a connection: the proxies must close it first. */
  keepAliveMs: number
  headerBytes: number
  headers: number
  connections: number
  /** The time after which a stalled body is refused. */
  bodyIdleMs: number
  /** The slowest body, so that a dribbling one is refused as well. */
  bodyRate: BodyRate
  /** The longest pause in the rest of a body, which is read after a refusal so that the client reads the refusal. */
  lingerMs: number
  /** The time that an orderly stop waits for responses in progress. */
  drainMs: number
}

export const usualLimits = (): Limits => ({
  headersMs: 10 * seconds,
  requestMs: 30 * seconds,
  checkEveryMs: 2 * seconds,
  keepAliveMs: 65 * seconds,
  headerBytes: 16 * KB,
  headers: 100,
  connections: connectionsWeCanHold(),
  bodyIdleMs: 10 * seconds,
  bodyRate: { graceMs: 5 * seconds, bytesPerSecond: 4 * KB },
  lingerMs: 2 * seconds,
  drainMs: 7 * seconds,
})

/** The largest bodies by purpose. They exceed the limits of content, so that the refusal can state by how much. */
export const bodyLimits = {
  none: 16 * KB,
  page: 8 * MB,
  api: 8 * MB,
  agent: 256 * KB,
  wire: 20 * MB,
  image: 11 * MB,
  siteCall: 4 * MB,
}

/** Limits of the forms of visitors, who are not signed in. */
export const visitorFormLimits = {
  fields: 100,
  bytes: {
    /** A form that only members have reason to send. */
    ofMembers: 4 * KB,
    /** The password of a shared page. */
    password: 16 * KB,
    /** Ways into the studio: a passkey is the largest. */
    studio: 64 * KB,
    /** A form on a page of the site. */
    site: 64 * KB,
    /** A form whose action the site folder has, with a small file. */
    siteAction: MB,
    /** The page of a survey, with all answers so far. */
    survey: 256 * KB,
  },
}

const filesOfOurOwn = 256
const maxConnections = 8192

/**
 * Every connection is an open file. At the limit further ones are closed at once; otherwise no file could be opened.
 */
function connectionsWeCanHold(): number {
  const open = maxOpenFiles()
  return open ? Math.max(64, Math.min(maxConnections, open - filesOfOurOwn)) : maxConnections
}

/** Linux shows the limit in a file; elsewhere Node has raised it as far as possible. */
function maxOpenFiles(): number | undefined {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return soft ? Number(soft) : undefined
  } catch {
    return undefined
  }
}
