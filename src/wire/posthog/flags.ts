import type { Decision } from '#flags/decision'
import type { Decisions } from '#flags/flag-decider'
import { mainEnvironment } from '#flags/flag'
import { newUuid } from '#ingest/uuid'
import { isSurveyFlagKey } from '#flags/survey-flag-key'
import { realWorld } from '#world/world'
import { jsonTextResponse } from '../internal/responses'
import type { WireServices, ResolvedProject, WireResponse, WireRequest } from '../dialect'
import { decideWithForcedFlags } from '../forced-flags'
import { propertiesOf } from '../internal/read-identity'
import { readFlagRequest } from './internal/read-flag-request'
import { parseCaptureRequest } from './internal/capture'
import { refusalResponse } from './refusals'
import { legacyRemoteConfigOf } from './internal/remote-config'
import { serializeDecision } from './internal/serialized-decision'

/** `/flags` and `/decide` in any version: the same decisions, in the format of each version's SDKs. */
export function respondWithFlags(
  request: WireRequest,
  services: WireServices,
): WireResponse | Promise<WireResponse> {
  const parsed = parseCaptureRequest(request, services)
  if (!parsed.isValid) return parsed.response
  const { project, batch } = parsed
  const fields = propertiesOf(batch.events[0])
  const environment = project.environment ?? mainEnvironment
  const respond = (decisions: Decisions): WireResponse =>
    jsonTextResponse(
      200,
      serializeFlags(flagsFormatOf(request, project, services), decisions, {
        environment,
        ...responseDetailsOf(request),
      }),
    )

  if (fields['disable_flags'] === true || services.flagsOf(project.id).length === 0)
    return respond(noDecisions)
  const flagRequest = readFlagRequest(fields, request, project)
  if (!flagRequest) return noDistinctIdResponse
  const decisions = decideWithForcedFlags(flagRequest, request, services)
  return decisions instanceof Promise
    ? decisions.then((late) => respond(onlyPermitted(late, request)))
    : respond(onlyPermitted(decisions, request))
}

const noDecisions: Decisions = { decisions: [], isComplete: true }

const noDistinctIdResponse = refusalResponse(
  'no-distinct-id',
  'Flags are decided for a visitor. Send their id as "distinct_id".',
)

/** Removes secret flags, which need a secret key; and all but survey flags if the client requests only those. */
function onlyPermitted({ decisions, isComplete }: Decisions, { query }: WireRequest): Decisions {
  const isForSurveysAlone = query.get('only_evaluate_survey_feature_flags') === 'true'
  const isPermitted = ({ flag }: Decision): boolean =>
    !flag.isSecret && (!isForSurveysAlone || isSurveyFlagKey(flag.key))
  return decisions.every(isPermitted) ? { decisions, isComplete } : toDecisions(decisions.filter(isPermitted))
}

const toDecisions = (decisions: Decision[]): Decisions => ({
  decisions,
  isComplete: decisions.every(({ reason }) => reason.code !== 'undecided'),
})

interface FlagsFormat {
  /** Version 1: a list of enabled flags. 2: a map of enabled flags. From 3 on: a map of all flags. */
  map: 'list' | 'on' | 'all'
  /** The SDK configuration, which older versions expect in this response. */
  config: object | undefined
}

function flagsFormatOf(
  { path, query }: WireRequest,
  project: ResolvedProject,
  services: WireServices,
): FlagsFormat {
  const version = Number(query.get('v') ?? '1')
  const isOld = path === '/decide'
  const hasConfig = isOld || query.get('config') === 'true'
  return {
    map: !isOld || version >= 3 ? 'all' : version >= 2 ? 'on' : 'list',
    config: hasConfig ? legacyRemoteConfigOf(project, services) : undefined,
  }
}

interface ResponseDetails {
  environment: string
  requestId: string
  evaluatedAt: Date
}

const responseDetailsOf = ({ receivedAt }: WireRequest) => ({
  requestId: newUuid(realWorld, receivedAt.getTime()),
  evaluatedAt: receivedAt,
})

/**
 * Serializes one response for all SDKs, each of which reads its own part. Current ones read `flags`, those before 2025
 * `featureFlags`, and both read `featureFlagPayloads`, the current ones for a single payload.
 */
function serializeFlags(
  { map, config }: FlagsFormat,
  { decisions, isComplete }: Decisions,
  { environment, requestId, evaluatedAt }: ResponseDetails,
): string {
  let [details, values, payloads] = ['', '', '']
  for (const decision of decisions) {
    const { detail, value, payload, isOn, name } = serializeDecision(decision, environment)
    details += details === '' ? detail : `,${detail}`
    const entry = map === 'list' ? name : value
    if (entry !== undefined && (isOn || map === 'all')) values += values === '' ? entry : `,${entry}`
    if (payload !== undefined) payloads += payloads === '' ? payload : `,${payload}`
  }
  const beginning = config ? `${JSON.stringify(config).slice(0, -1)},` : '{'
  const flagValues = map === 'list' ? `[${values}]` : `{${values}}`
  return (
    `${beginning}"flags":{${details}},"featureFlags":${flagValues},"featureFlagPayloads":{${payloads}},` +
    `"errorsWhileComputingFlags":${!isComplete},"requestId":"${requestId}","evaluatedAt":${evaluatedAt.getTime()}}`
  )
}
