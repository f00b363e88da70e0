import { type Decision, reasonCodes } from '#flags/decision'
import { memoizePerDecision } from '../memoize-per-decision'

/** What one flag is for one visitor, in the words of this wire, as the text it becomes. */
interface SerializedDecision {
  /** Of `flags`, which the SDKs since 2025 read. */
  detail: string
  /** Of `featureFlags`, which those before read; undefined where it could not be decided. */
  value: string | undefined
  payload: string | undefined
  isOn: boolean
  /** The name alone, as the oldest want it. */
  name: string
}

export const serializeDecision = memoizePerDecision(serialize)

function serialize(decision: Decision): SerializedDecision {
  const { flag, value, payload, reason } = decision
  const name = JSON.stringify(flag.key)
  const isOn = value !== false
  return {
    name,
    isOn,
    detail: `${name}:${JSON.stringify(detailOf(decision))}`,
    value: reason.code === 'undecided' ? undefined : `${name}:${JSON.stringify(value)}`,
    payload: isOn && payload !== undefined ? `${name}:${JSON.stringify(payload)}` : undefined,
  }
}

function detailOf({ flag, value, payload, reason }: Decision): object {
  const isOn = value !== false
  return {
    key: flag.key,
    enabled: isOn,
    ...(typeof value === 'string' && { variant: value }),
    // the SDK keeps what it had
    ...(reason.code === 'undecided' && { failed: true }),
    reason: {
      code: reason.code,
      condition_index: reason.condition ?? null,
      description: descriptionOf(reason),
    },
    metadata: {
      id: flag.id,
      version: flag.version,
      ...(flag.description !== '' && { description: flag.description }),
      ...(isOn && payload !== undefined && { payload }),
      has_experiment: flag.hasExperiment,
    },
  }
}

/** SDKs send this with their exposure events. Sets are numbered from one, for people. */
const descriptionOf = ({ code, condition }: Decision['reason']): string =>
  code === 'condition_match' && condition !== undefined
    ? `Matched condition set ${condition + 1}`
    : reasonCodes[code]
