import { json } from '../answers'
import type { Desk, WireAnswer, WireRequest } from '../dialect'
import { refuseKey } from './refusals'
import { briefly, type Scripts } from './scripts'

/**
 * What an SDK is told to do. `surveys` is left out while there are none: even `false` makes posthog-js load a script of
 * 100 KB. `autocapture_opt_out` must be there: without it, nothing is captured by itself.
 */
export const remoteConfig = {
  supportedCompression: ['gzip', 'gzip-js'],
  hasFeatureFlags: true,
  analytics: { endpoint: '/i/v0/e/' },
  autocapture_opt_out: false,
  elementsChainAsString: true,
  captureDeadClicks: true,
  heatmaps: true,
  capturePerformance: { network_timing: false, web_vitals: true, web_vitals_allowed_metrics: null },
  autocaptureExceptions: true,
  errorTracking: { autocaptureExceptions: true, suppressionRules: [] },
  logs: { captureConsoleLogs: false },
  sessionRecording: false,
  productTours: false,
  conversations: false,
  defaultIdentifiedOnly: true,
  siteApps: [],
  isAuthenticated: false,
  toolbarParams: {},
} as const

/** What SDKs before 2025 look for beside it, in the answer about flags. */
export const oldRemoteConfig = {
  ...remoteConfig,
  editorParams: {},
  config: { enable_collect_everything: true },
} as const

/** As JSON, for an SDK that could not load the script. */
export function answerConfig(request: WireRequest, desk: Desk): WireAnswer {
  const key = knownKey(request, desk)
  return key === undefined
    ? refuseKey(request.parts['token'], desk, 404)
    : json(200, { token: key, ...remoteConfig }, { 'cache-control': briefly['cache-control'] })
}

/** As a script, which is how browsers ask first. */
export function answerConfigScript(request: WireRequest, desk: Desk): WireAnswer {
  const key = knownKey(request, desk)
  return key === undefined
    ? refuseKey(request.parts['token'], desk, 404)
    : { status: 200, headers: briefly, body: assignment(key) }
}

/** The script and the SDK in one: a request less before the first event. */
export const answerArray =
  (scripts: Scripts) =>
  async (request: WireRequest, desk: Desk): Promise<WireAnswer> => {
    const key = knownKey(request, desk)
    return key === undefined
      ? refuseKey(request.parts['token'], desk, 404)
      : await scripts.answerAfter(`${assignment(key)}\n`, request)
  }

function knownKey({ parts }: WireRequest, desk: Desk): string | undefined {
  const key = parts['token'] ?? ''
  return desk.projectNamed(key) ? key : undefined
}

function assignment(key: string): string {
  const name = scriptText(key)
  const entry = scriptText({ config: { token: key, ...remoteConfig }, siteApps: [] })
  return `(window._POSTHOG_REMOTE_CONFIG=window._POSTHOG_REMOTE_CONFIG||{})[${name}]=${entry};`
}

/** JSON that cannot end the script it stands in. */
const scriptText = (value: unknown): string => JSON.stringify(value).replaceAll('<', String.raw`\u003c`)
