import type { Json, Visit } from './visit'

/** The options of posthog-js that concern decisions and views. */
export interface PosthogOptions {
  bootstrap: {
    distinctID?: string
    featureFlags: Record<string, boolean | string>
    featureFlagPayloads: Record<string, Json>
  }
  /** Views are counted already. */
  capture_pageview: false
}

/**
 * The options for `posthog.init` in the browser, made on the server of a visit. posthog-js keeps the id that it knows;
 * without one it takes the visitor's.
 */
export function posthogOptions(visit: Visit | undefined): PosthogOptions {
  const { visitor, isKnownToPosthog = false, flags = {}, payloads = {}, serverOnly = [] } = visit ?? {}
  const forBrowsers = <Value>(record: Readonly<Record<string, Value>>): Record<string, Value> =>
    Object.fromEntries(Object.entries(record).filter(([key]) => !serverOnly.includes(key)))
  return {
    bootstrap: {
      ...(visitor !== undefined && !isKnownToPosthog && { distinctID: visitor }),
      featureFlags: forBrowsers(flags),
      featureFlagPayloads: forBrowsers(payloads),
    },
    capture_pageview: false,
  }
}
