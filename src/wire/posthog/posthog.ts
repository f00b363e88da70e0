import type { Dialect, Route } from '../dialect'
import { capture, captureReplay } from './capture'
import { captureV1 } from './capture-v1'
import { answerDefinitions, answerRemotePayload } from './definitions'
import { answerFlags } from './flags'
import { answerList, listPaths } from './lists'
import { answerArray, answerConfig, answerConfigScript } from './remote-config'
import { openScripts, scriptNames } from './scripts'
import { answerTelemetry, logs, metrics, traces } from './telemetry'

const get = ['GET'] as const
const post = ['POST'] as const

const scripts = openScripts()

/** Anybody's page may end in one of these words; it is an event when it carries one. */
const capturePaths = ['/e', '/i/v0/e', '/capture', '/track', '/engage'] as const

const events: readonly Route[] = [
  ...capturePaths.map((path): Route => ({ methods: post, path, answer: capture })),
  ...capturePaths.map((path): Route => ({
    methods: get,
    path,
    when: (query) => query.has('data'),
    answer: capture,
  })),
  { methods: post, path: '/batch', answer: capture },
  { methods: post, path: '/i/v0/ai/batch', answer: capture },
  { methods: post, path: '/i/v1/analytics/events', answer: captureV1 },
  { methods: post, path: '/s', answer: captureReplay },
  { methods: post, path: '/i/v1/logs', answer: answerTelemetry(logs) },
  { methods: post, path: '/i/v1/metrics', answer: answerTelemetry(metrics) },
  { methods: post, path: '/i/v1/traces', answer: answerTelemetry(traces) },
]

const decisions: readonly Route[] = [
  { methods: post, path: '/flags', answer: answerFlags },
  { methods: post, path: '/decide', answer: answerFlags },
  { methods: get, path: '/flags/definitions', answer: answerDefinitions },
  { methods: get, path: '/api/feature_flag/local_evaluation', answer: answerDefinitions },
  {
    methods: get,
    path: '/api/projects/@current/feature_flags/:key/remote_config',
    answer: answerRemotePayload,
  },
]

const configuration: readonly Route[] = [
  { methods: get, path: '/array/:token/config.js', answer: answerConfigScript },
  { methods: get, path: '/array/:token/config', answer: answerConfig },
  { methods: get, path: '/array/:token/array.js', answer: answerArray(scripts) },
  ...listPaths.map((path): Route => ({ methods: get, path, answer: answerList(path) })),
]

/** The toolbar is asked for by name, too: then a short "not found" is kinder than a page of the site's. */
const files: readonly Route[] = [
  ...[...scriptNames, 'toolbar.js' as const].map((name): Route => ({
    methods: get,
    path: `/static/${name}`,
    answer: scripts.answer,
  })),
  { methods: get, path: '/static/:version/:file', answer: scripts.answer },
]

/** The way PostHog's SDKs talk, from the first of them on. */
export const posthog: Dialect = {
  name: 'posthog',
  routes: [...events, ...decisions, ...configuration, ...files],
}
