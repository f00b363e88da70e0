import type { Decision } from '../../flags/decision'
import type { Decisions } from '../../flags/deciding'
import { mainEnvironment } from '../../flags/flag'
import { newUuid } from '../../ingest/uuid'
import { realWorld } from '../../world/world'
import { jsonText } from '../answers'
import type { Desk, NamedProject, WireAnswer, WireRequest } from '../dialect'
import { tryingOut } from '../trying-out'
import { propertiesOf } from '../whom'
import { askingOf } from './asked'
import { understand } from './capture'
import { refusal } from './refusals'
import { oldRemoteConfigOf } from './remote-config'
import { toldOf } from './told'

/** `/flags` and `/decide`, by any version: the same decisions in the shape that its SDKs understand. */
export function answerFlags(request: WireRequest, desk: Desk): WireAnswer | Promise<WireAnswer> {
  const asked = understand(request, desk)
  if (!asked.understood) return asked.answer
  const { project, delivery } = asked
  const said = propertiesOf(delivery.events[0])
  const environment = project.environment ?? mainEnvironment
  const answer = (decided: Decisions): WireAnswer =>
    jsonText(
      200,
      flagsText(shapeOf(request, project, desk), decided, { environment, ...circumstancesOf(request) }),
    )

  if (said['disable_flags'] === true || desk.flagsOf(project.id).length === 0) return answer(nothing)
  const asking = askingOf(said, request, project)
  if (!asking) return noDistinctId
  const decided = tryingOut(asking, request, desk)
  return decided instanceof Promise
    ? decided.then((late) => answer(withoutOthers(late, request)))
    : answer(withoutOthers(decided, request))
}

const nothing: Decisions = { decisions: [], isComplete: true }

const noDistinctId = refusal(
  'no-distinct-id',
  'Flags are decided for somebody: send their id as "distinct_id".',
)

/** What only servers with a secret key may know is not for those who come with a key that anybody can read. */
function withoutOthers({ decisions, isComplete }: Decisions, { query }: WireRequest): Decisions {
  const isForSurveysAlone = query.get('only_evaluate_survey_feature_flags') === 'true'
  const isGiven = ({ flag }: Decision): boolean =>
    !flag.isSecret && (!isForSurveysAlone || flag.key.startsWith('survey-targeting-'))
  return decisions.every(isGiven) ? { decisions, isComplete } : given(decisions.filter(isGiven))
}

const given = (decisions: Decision[]): Decisions => ({
  decisions,
  isComplete: decisions.every(({ reason }) => reason.code !== 'undecided'),
})

interface Shape {
  /** 1: a list of what is on. 2: a map of what is on. From 3: a map of everything. */
  map: 'list' | 'on' | 'all'
  /** With what the SDK should do beside deciding, as it was before that had an address of its own. */
  config: object | undefined
}

function shapeOf({ path, query }: WireRequest, project: NamedProject, desk: Desk): Shape {
  const version = Number(query.get('v') ?? '1')
  const isOld = path === '/decide'
  const hasConfig = isOld || query.get('config') === 'true'
  return {
    map: !isOld || version >= 3 ? 'all' : version >= 2 ? 'on' : 'list',
    config: hasConfig ? oldRemoteConfigOf(project, desk) : undefined,
  }
}

interface Circumstances {
  environment: string
  requestId: string
  evaluatedAt: Date
}

const circumstancesOf = ({ receivedAt }: WireRequest) => ({
  requestId: newUuid(realWorld, receivedAt.getTime()),
  evaluatedAt: receivedAt,
})

/**
 * One answer for all: every SDK looks for its own part. The current ones read `flags`, those before 2025 `featureFlags`,
 * and both read `featureFlagPayloads`, the current ones for a single payload.
 */
export function flagsText(
  { map, config }: Shape,
  { decisions, isComplete }: Decisions,
  { environment, requestId, evaluatedAt }: Circumstances,
): string {
  let [details, values, payloads] = ['', '', '']
  for (const decision of decisions) {
    const { detail, value, payload, isOn, name } = toldOf(decision, environment)
    details += details === '' ? detail : `,${detail}`
    const told = map === 'list' ? name : value
    if (told !== undefined && (isOn || map === 'all')) values += values === '' ? told : `,${told}`
    if (payload !== undefined) payloads += payloads === '' ? payload : `,${payload}`
  }
  const beginning = config ? `${JSON.stringify(config).slice(0, -1)},` : '{'
  const held = map === 'list' ? `[${values}]` : `{${values}}`
  return (
    `${beginning}"flags":{${details}},"featureFlags":${held},"featureFlagPayloads":{${payloads}},` +
    `"errorsWhileComputingFlags":${!isComplete},"requestId":"${requestId}","evaluatedAt":${evaluatedAt.getTime()}}`
  )
}
