import { isDriven } from '../driven'
import { watchEngagement } from '../engagement'
import { watchNavigation } from '../navigation'
import { watchInteractions } from './interactions'
import type { Options, Payload } from './options'

interface EventOptions {
  props?: Record<string, unknown>
  revenue?: { amount: number | string; currency: string }
  interactive?: boolean
  callback?: (result?: { status: number } | { error: unknown }) => void
  u?: string
  url?: string
}

export type Tracker = (name: string, options?: EventOptions) => void

const version = 36

/** As plain text, for which a browser need not ask whether it may. */
async function post(endpoint: string, payload: Payload): Promise<{ status: number } | { error: unknown }> {
  const headers = { 'content-type': 'text/plain' }
  try {
    const body = JSON.stringify(payload)
    const { status } = await fetch(endpoint, { method: 'POST', keepalive: true, headers, body })
    return { status }
  } catch (error) {
    return { error }
  }
}

/** Counts this page, and answers with what the page itself may call. */
export function openTracker(options: Options): Tracker {
  const engagement = watchEngagement()
  /** The page view that engagement belongs to, as it was sent. */
  let viewed: Payload | undefined

  const send = (payload: Payload, tell?: EventOptions['callback']): void => {
    const told = options.transformRequest ? options.transformRequest(payload) : payload
    if (told) void post(options.endpoint, told).then(tell)
    else tell?.()
  }

  const track: Tracker = (name, { props, revenue, interactive, callback, u, url } = {}) => {
    const isView = name === 'pageview'
    if (isView) reportEngagement()
    if (reasonToIgnore(options)) return callback?.()
    const p = { ...customProps(options, name), ...props }
    const payload: Payload = {
      n: name,
      v: version,
      u: u ?? url ?? location.href,
      d: options.domain,
      r: document.referrer || null,
      ...(Object.keys(p).length > 0 && { p }),
      ...(revenue && { $: revenue }),
      ...(interactive === false && { i: false }),
      ...(options.hashBasedRouting && { h: 1 }),
    }
    if (isView) {
      viewed = payload
      engagement.reset()
    }
    send(payload, callback)
  }

  function reportEngagement(): void {
    const { engagedMs, scrollDepth } = engagement.told()
    if (!viewed || engagedMs === 0 || reasonToIgnore(options)) return
    const { d, u, p, v, h } = viewed
    send({
      n: 'engagement',
      sd: scrollDepth,
      d,
      u,
      ...(p && { p }),
      e: engagedMs,
      v,
      ...(h !== undefined && { h }),
    })
  }

  // every page is hidden before it is gone
  addEventListener('visibilitychange', () => document.hidden && reportEngagement())
  if (options.autoCapturePageviews !== false) watchViews(options, () => track('pageview'))
  watchInteractions(options, track)
  return track
}

/** The first view is counted when the page is seen, the next whenever the site moves on or comes back out of memory. */
function watchViews(options: Options, view: () => void): void {
  const pathNow = (): string => location.pathname + (options.hashBasedRouting ? location.hash : '')
  let path: string | undefined
  const viewAt = (where: string): void => {
    path = where
    view()
  }
  const begin = (): void => {
    if (path === undefined && !document.hidden) viewAt(pathNow())
  }
  const moved = (): void => {
    if (path !== undefined && path !== pathNow()) viewAt(pathNow())
  }
  addEventListener('visibilitychange', begin)
  addEventListener('pageshow', ({ persisted }) => persisted && viewAt(pathNow()))
  watchNavigation(moved)
  if (options.hashBasedRouting) addEventListener('hashchange', moved)
  begin()
}

const customProps = ({ customProperties }: Options, name: string): Record<string, unknown> =>
  typeof customProperties === 'function' ? customProperties(name) : (customProperties ?? {})

const localHosts = /^localhost$|^127(\.\d+){0,2}\.\d+$|^\[::1?\]$/

function reasonToIgnore(options: Options): boolean {
  const isLocal = localHosts.test(location.hostname) || location.protocol === 'file:'
  return (
    (isLocal && !options.captureOnLocalhost) || isDriven('__plausible') || isOptedOut() || isExcluded(options)
  )
}

function isOptedOut(): boolean {
  try {
    return localStorage.plausible_ignore === 'true'
  } catch {
    return false
  }
}

function isExcluded({ include, exclude, hashBasedRouting }: Options): boolean {
  const path = location.pathname + (hashBasedRouting ? location.hash : '')
  const fits = (pattern: string): boolean => patternOf(pattern).test(path)
  if (include !== undefined && !include.split(',').some(fits)) return true
  return exclude !== undefined && exclude.split(',').some(fits)
}

/** `*` is any part of a path, `**` any number of parts. */
function patternOf(pattern: string): RegExp {
  const parts = pattern
    .trim()
    .split('**')
    .map((part) => part.split('*').map(quoted).join('[^/]*'))
  return new RegExp(`^${parts.join('.*')}/?$`)
}

const quoted = (text: string): string => text.replace(/[.+?^${}()|[\]\\]/g, '\\$&')
