import { isForServersOnly } from '#flags/flag'
import type { CapturedKind } from '#ingest/captured-kinds'
import { ingestSettingsOf } from '#ingest/project-settings'
import type { Project } from '#projects/project'
import { jsonResponse } from '../../internal/responses'
import type { WireServices, ResolvedProject, WireResponse, WireRequest } from '../../dialect'
import { refuseKey } from '../refusals'
import { briefCacheHeaders, type PosthogScripts } from './scripts'

/**
 * The remote configuration of posthog-js. `surveys` is left out while there are none to show: even `false` makes it
 * load a script of 100 KB. `autocapture_opt_out` must be present: without it, autocapture stays off.
 */
const remoteConfig = {
  supportedCompression: ['gzip', 'gzip-js'],
  analytics: { endpoint: '/i/v0/e/' },
  elementsChainAsString: true,
  heatmaps: false,
  logs: { captureConsoleLogs: false },
  sessionRecording: false,
  productTours: false,
  conversations: false,
  defaultIdentifiedOnly: true,
  siteApps: [],
  isAuthenticated: false,
  toolbarParams: {},
} as const

const captureConfigs = new WeakMap<Project['intake'], object>()

/** Returns the capture settings that the project chooses for the SDK. Cached until the project changes. */
function captureConfigOf(project: ResolvedProject): object {
  const config = captureConfigs.get(project.intake) ?? toCaptureConfig(project)
  captureConfigs.set(project.intake, config)
  return config
}

function toCaptureConfig(project: ResolvedProject): object {
  const { capture } = ingestSettingsOf(project)
  const captures = (kind: CapturedKind): boolean => capture.includes(kind)
  const autocaptureExceptions = captures('exceptions')
  return {
    autocapture_opt_out: !captures('interactions'),
    captureDeadClicks: captures('dead-clicks'),
    capturePerformance: captures('web-vitals')
      ? { network_timing: false, web_vitals: true, web_vitals_allowed_metrics: null }
      : false,
    autocaptureExceptions,
    errorTracking: { autocaptureExceptions, suppressionRules: [] },
  }
}

/**
 * If a project has no flags for browsers, posthog-js sends no flag requests. It keeps this while the page is open, so
 * a project's first flag takes effect from the next page on.
 */
const remoteConfigOf = (project: ResolvedProject, services: WireServices): object => ({
  ...remoteConfig,
  ...captureConfigOf(project),
  ...(!services.posthogSurveys(project.id).isEmpty && { surveys: true }),
  hasFeatureFlags: services.flagsOf(project.id).some((flag) => !isForServersOnly(flag)),
})

/** The additional configuration in the flags response, for SDKs before 2025. */
export const legacyRemoteConfigOf = (project: ResolvedProject, services: WireServices): object => ({
  ...remoteConfigOf(project, services),
  editorParams: {},
  config: { enable_collect_everything: true },
})

/** The configuration as JSON, for an SDK that could not load the script. */
export function respondWithConfig(request: WireRequest, services: WireServices): WireResponse {
  const config = findConfig(request, services)
  return config
    ? jsonResponse(200, config, { 'cache-control': briefCacheHeaders['cache-control'] })
    : refuseKey(request.parts['token'], services, 404)
}

/** The configuration as a script, which browsers request first. */
export function respondWithConfigScript(request: WireRequest, services: WireServices): WireResponse {
  const config = findConfig(request, services)
  return config
    ? { status: 200, headers: briefCacheHeaders, body: configAssignment(config) }
    : refuseKey(request.parts['token'], services, 404)
}

/** The configuration and the SDK in one script, which saves a request before the first event. */
export const respondWithArrayScript =
  (scripts: PosthogScripts) =>
  async (request: WireRequest, services: WireServices): Promise<WireResponse> => {
    const config = findConfig(request, services)
    return config
      ? await scripts.respondWithPrefix(`${configAssignment(config)}\n`, request)
      : refuseKey(request.parts['token'], services, 404)
  }

interface ProjectConfig {
  token: string
}

function findConfig({ parts }: WireRequest, services: WireServices): ProjectConfig | undefined {
  const token = parts['token'] ?? ''
  const project = services.findProject(token)
  return project && { token, ...remoteConfigOf(project, services) }
}

function configAssignment(config: ProjectConfig): string {
  const entry = scriptText({ config, siteApps: [] })
  return `(window._POSTHOG_REMOTE_CONFIG=window._POSTHOG_REMOTE_CONFIG||{})[${scriptText(config.token)}]=${entry};`
}

/** Escapes JSON so that it cannot end the script element that contains it. */
const scriptText = (value: unknown): string => JSON.stringify(value).replaceAll('<', String.raw`\u003c`)
