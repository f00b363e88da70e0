import { readFileSync } from 'node:fs'

const KB = 1024
const MB = 1024 * KB
const seconds = 1000

/**
 * Limits of the front. Node's own are wide (a minute for headers, five for a request, checked every
 * half minute, none for a stalled body); under these, 1 000 slow senders go unnoticed.
 */
export interface Limits {
  headersMs: number
  requestMs: number
  checkEveryMs: number
  /** Longer than the minute for which common proxies keep a connection: they must be the ones to close it. */
  keepAliveMs: number
  headerBytes: number
  headers: number
  connections: number
  /** A body that stalls for this long is refused. */
  bodyIdleMs: number
  /** How long a sender of too much is listened to after our answer, so that it can read it. */
  lingerMs: number
  /** An orderly stop gives answers under way so long to finish. */
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
  lingerMs: 2 * seconds,
  drainMs: 7 * seconds,
})

/** The largest bodies that are read, by what they are for. Who sends too long a post is to hear by how much. */
export const bodyLimits = { none: 16 * KB, page: 8 * MB, api: 8 * MB, wire: 20 * MB, image: 11 * MB }

const filesOfOurOwn = 256
const maxConnections = 8192

/** Every connection is an open file. At the limit further ones are closed at once; without it, nothing could be opened. */
function connectionsWeCanHold(): number {
  const open = maxOpenFiles()
  return open ? Math.max(64, Math.min(maxConnections, open - filesOfOurOwn)) : maxConnections
}

/** Linux says so in a file; elsewhere Node has already raised it as far as it goes. */
function maxOpenFiles(): number | undefined {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return soft ? Number(soft) : undefined
  } catch {
    return undefined
  }
}
