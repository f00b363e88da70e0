import { json } from '../answers'
import type { Desk, NamedProject, WireAnswer, WireRequest } from '../dialect'
import { refuseKey } from './refusals'
import { briefly, type Scripts } from './scripts'

/**
 * What an SDK is told to do. `surveys` is left out while there are none: even `false` makes posthog-js load a script of
 * 100 KB. `autocapture_opt_out` must be there: without it, nothing is captured by itself.
 */
const remoteConfig = {
  supportedCompression: ['gzip', 'gzip-js'],
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

/**
 * Without flags for it, posthog-js asks for none: a request less on every page. It keeps this for as long as the page is
 * open, so that a project's first flag is seen from the next page on.
 */
const configOf = ({ id }: NamedProject, desk: Desk): object => ({
  ...remoteConfig,
  hasFeatureFlags: desk.flagsOf(id).some(({ servedTo, isSecret }) => servedTo !== 'servers' && !isSecret),
})

/** What SDKs before 2025 look for beside it, in the answer about flags. */
export const oldRemoteConfigOf = (project: NamedProject, desk: Desk): object => ({
  ...configOf(project, desk),
  editorParams: {},
  config: { enable_collect_everything: true },
})

/** As JSON, for an SDK that could not load the script. */
export function answerConfig(request: WireRequest, desk: Desk): WireAnswer {
  const config = knownConfig(request, desk)
  return config
    ? json(200, config, { 'cache-control': briefly['cache-control'] })
    : refuseKey(request.parts['token'], desk, 404)
}

/** As a script, which is how browsers ask first. */
export function answerConfigScript(request: WireRequest, desk: Desk): WireAnswer {
  const config = knownConfig(request, desk)
  return config
    ? { status: 200, headers: briefly, body: assignment(config) }
    : refuseKey(request.parts['token'], desk, 404)
}

/** The script and the SDK in one: a request less before the first event. */
export const answerArray =
  (scripts: Scripts) =>
  async (request: WireRequest, desk: Desk): Promise<WireAnswer> => {
    const config = knownConfig(request, desk)
    return config
      ? await scripts.answerAfter(`${assignment(config)}\n`, request)
      : refuseKey(request.parts['token'], desk, 404)
  }

interface Config {
  token: string
}

function knownConfig({ parts }: WireRequest, desk: Desk): Config | undefined {
  const token = parts['token'] ?? ''
  const project = desk.projectNamed(token)
  return project && { token, ...configOf(project, desk) }
}

function assignment(config: Config): string {
  const entry = scriptText({ config, siteApps: [] })
  return `(window._POSTHOG_REMOTE_CONFIG=window._POSTHOG_REMOTE_CONFIG||{})[${scriptText(config.token)}]=${entry};`
}

/** JSON that cannot end the script it stands in. */
const scriptText = (value: unknown): string => JSON.stringify(value).replaceAll('<', String.raw`\u003c`)
