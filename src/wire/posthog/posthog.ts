import type { Dialect, WireRoute } from '../dialect'
import { captureReplay } from './internal/capture'
import { captureV1 } from './internal/capture-v1'
import { respondWithDefinitions, respondWithPayload } from './internal/definitions'
import { respondWithFlags } from './flags'
import { respondWithList, respondWithSurveys, respondWithWebExperiments, listPaths } from './internal/lists'
import { captureByShape, refuseByShape } from '../internal/shared-paths'
import { refuseUnknownBearer, refuseUnknownKey } from './refusals'
import { respondWithArrayScript, respondWithConfig, respondWithConfigScript } from './internal/remote-config'
import { createPosthogScripts, posthogScriptNames } from './internal/scripts'
import { respondToTelemetry, logs, metrics, type Telemetry, traces } from './internal/telemetry'

const get = ['GET'] as const
const post = ['POST'] as const

const scripts = createPosthogScripts()

/** Pages of a site may have these paths too; a request is a capture only if it contains an event. */
const capturePaths = ['/e', '/i/v0/e', '/capture', '/track', '/engage'] as const

const telemetryRoute = (path: WireRoute['path'], telemetry: Telemetry): WireRoute => ({
  methods: post,
  path,
  respond: respondToTelemetry(telemetry),
  refuseEarly: refuseUnknownBearer,
})

const eventRoutes: readonly WireRoute[] = [
  ...capturePaths.map((path): WireRoute => ({
    methods: post,
    path,
    respond: captureByShape,
    refuseEarly: refuseByShape,
  })),
  ...capturePaths.map((path): WireRoute => ({
    methods: get,
    path,
    matchesQuery: (query) => query.has('data'),
    respond: captureByShape,
  })),
  { methods: post, path: '/batch', respond: captureByShape },
  { methods: post, path: '/i/v0/ai/batch', respond: captureByShape },
  { methods: post, path: '/i/v1/analytics/events', respond: captureV1, refuseEarly: refuseUnknownBearer },
  { methods: post, path: '/s', respond: captureReplay },
  telemetryRoute('/i/v1/logs', logs),
  telemetryRoute('/i/v1/metrics', metrics),
  telemetryRoute('/i/v1/traces', traces),
]

const events = eventRoutes.map((route): WireRoute => ({
  refuseEarly: refuseUnknownKey,
  ...route,
  takesEvents: true,
}))

const decisions: readonly WireRoute[] = [
  { methods: post, path: '/flags', respond: respondWithFlags },
  { methods: post, path: '/decide', respond: respondWithFlags },
  { methods: get, path: '/flags/definitions', respond: respondWithDefinitions },
  { methods: get, path: '/api/feature_flag/local_evaluation', respond: respondWithDefinitions },
  {
    methods: get,
    path: '/api/projects/@current/feature_flags/{key}/remote_config',
    respond: respondWithPayload,
  },
]

const configuration: readonly WireRoute[] = [
  { methods: get, path: '/array/{token}/config.js', respond: respondWithConfigScript },
  { methods: get, path: '/array/{token}/config', respond: respondWithConfig },
  { methods: get, path: '/array/{token}/array.js', respond: respondWithArrayScript(scripts) },
  { methods: get, path: '/api/surveys', respond: respondWithSurveys },
  { methods: get, path: '/api/web_experiments', respond: respondWithWebExperiments },
  ...listPaths.map((path): WireRoute => ({ methods: get, path, respond: respondWithList(path) })),
]

/** The toolbar has a route too, so that it gets a short 404 instead of a page of the site. */
const files: readonly WireRoute[] = [
  ...[...posthogScriptNames, 'toolbar.js' as const].map((name): WireRoute => ({
    methods: get,
    path: `/static/${name}`,
    respond: scripts.respond,
  })),
  { methods: get, path: '/static/{version}/{file}', respond: scripts.respond },
]

/** The protocol of PostHog's SDKs, of all versions. */
export const posthog: Dialect = {
  name: 'posthog',
  allowsCredentials: true,
  sendsAgain: true,
  routes: [...events, ...decisions, ...configuration, ...files],
}
