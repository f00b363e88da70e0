/** The cookie of Tilth's own site. Scripts may read it, so that events from static pages are the same visitor's. */
export const visitorCookie = 'tilth_visitor'

/** Holds the token of the preview link that a browser follows. */
export const previewCookie = 'tilth_trying'

export interface VisitorIds {
  visitor: string | undefined
  deviceId: string | undefined
  isKnownToPosthog: boolean
}

type ReadCookie = (name: string) => string | undefined

/** Reads the visitor's ids. Those of posthog-js come first, because its events carry them. */
export function readVisitorIds(cookie: ReadCookie, project: string): VisitorIds {
  const posthog = parsePosthogCookie(cookie(`ph_${project}_posthog`))
  const visitor = textIn(posthog, 'distinct_id')
  return {
    visitor: visitor ?? cookie(visitorCookie),
    deviceId: textIn(posthog, '$device_id'),
    isKnownToPosthog: visitor !== undefined,
  }
}

function parsePosthogCookie(value: string | undefined): unknown {
  if (value === undefined) return undefined
  try {
    return JSON.parse(value.startsWith('{') ? value : decodeURIComponent(value))
  } catch {
    return undefined
  }
}

function textIn(record: unknown, name: string): string | undefined {
  if (typeof record !== 'object' || record === null) return undefined
  const value = (record as Record<string, unknown>)[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}
