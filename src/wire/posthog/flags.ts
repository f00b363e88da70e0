import { newUuid } from '../../ingest/uuid'
import { realWorld } from '../../world/world'
import { json } from '../answers'
import type { Desk, WireAnswer, WireRequest } from '../dialect'
import { understand } from './capture'
import { oldRemoteConfig } from './remote-config'

/** What one flag is for one visitor, in the words of this wire. */
export interface DecidedFlag {
  key: string
  enabled: boolean
  variant: string | undefined
  reason: { code: string; condition_index: number | null; description: string }
  metadata: { id: number; version: number; description?: string; has_experiment: boolean }
  /** JSON as text, which is how SDKs want it. */
  payload: string | undefined
}

/** `/flags` and `/decide`, by any version: the same decisions in the shape that its SDKs understand. */
export function answerFlags(request: WireRequest, desk: Desk): WireAnswer {
  const asked = understand(request, desk)
  if (!asked.understood) return asked.answer
  const requestId = newUuid(realWorld, request.receivedAt.getTime())
  return json(200, flagsAnswer(shapeOf(request), decided, { requestId, evaluatedAt: request.receivedAt }))
}

/** Nobody can make a flag yet. */
const decided: readonly DecidedFlag[] = []

interface Shape {
  /** 1: a list of what is on. 2: a map of what is on. From 3: a map of everything. */
  map: 'list' | 'on' | 'all'
  /** With what the SDK should do beside deciding, as it was before that had an address of its own. */
  hasConfig: boolean
}

function shapeOf({ path, query }: WireRequest): Shape {
  const version = Number(query.get('v') ?? '1')
  if (path !== '/decide') return { map: 'all', hasConfig: query.get('config') === 'true' }
  return { map: version >= 3 ? 'all' : version >= 2 ? 'on' : 'list', hasConfig: true }
}

const valueOf = ({ variant, enabled }: DecidedFlag): string | boolean => (enabled ? (variant ?? true) : false)

/**
 * One answer for all: every SDK looks for its own part. The current ones read `flags`, those before 2025 `featureFlags`,
 * and both read `featureFlagPayloads`, the current ones for a single payload.
 */
export function flagsAnswer(
  { map, hasConfig }: Shape,
  flags: readonly DecidedFlag[],
  { requestId, evaluatedAt }: { requestId: string; evaluatedAt: Date },
): Record<string, unknown> {
  const on = flags.filter(({ enabled }) => enabled)
  const values = (map === 'all' ? flags : on).map((flag) => [flag.key, valueOf(flag)] as const)
  const payloads = on.flatMap(({ key, payload }) => (payload === undefined ? [] : [[key, payload] as const]))
  return {
    ...(hasConfig && oldRemoteConfig),
    flags: Object.fromEntries(flags.map((flag) => [flag.key, detailOf(flag)])),
    featureFlags: map === 'list' ? on.map(({ key }) => key) : Object.fromEntries(values),
    featureFlagPayloads: Object.fromEntries(payloads),
    errorsWhileComputingFlags: false,
    requestId,
    evaluatedAt: evaluatedAt.getTime(),
  }
}

const detailOf = ({ key, enabled, variant, reason, metadata, payload }: DecidedFlag): object => ({
  key,
  enabled,
  ...(enabled && variant !== undefined && { variant }),
  reason,
  metadata: { ...metadata, ...(enabled && payload !== undefined && { payload }) },
})
