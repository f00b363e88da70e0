import { type Decision, reasonCodes } from '#flags/decision'
import { memoizePerDecision } from '../../internal/memoize-per-decision'

/** The decision on one flag for one visitor, as JSON text in this protocol's format. */
interface SerializedDecision {
  /** The value in `flags`, which SDKs since 2025 read. */
  detail: string
  /** The value in `featureFlags`, which older SDKs read; undefined if the flag could not be decided. */
  value: string | undefined
  payload: string | undefined
  isOn: boolean
  /** The key alone, for the oldest SDKs. */
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
    // the SDK keeps its previous value
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

/** SDKs send this with their exposure events. Condition sets are numbered from one. */
const descriptionOf = ({ code, condition }: Decision['reason']): string =>
  code === 'condition_match' && condition !== undefined
    ? `Matched condition set ${condition + 1}`
    : reasonCodes[code]
