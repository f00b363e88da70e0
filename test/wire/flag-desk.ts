import { hash } from 'node:crypto'
import type { CohortRules } from '../../src/flags/cohort-rules'
import { type CompiledFlags, compileFlags } from '../../src/flags/compile'
import { decideAll } from '../../src/flags/decide'
import type { Decisions } from '../../src/flags/deciding'
import {
  type Condition,
  type ConditionSet,
  type Flag,
  mainEnvironment,
  type Setting,
} from '../../src/flags/flag'
import { definitionsFor } from '../../src/flags/posthog-form'
import { aSet } from '../random-flags'
import type { Asking, Desk, FlagListener, Forced } from '../../src/wire/dialect'

/** One condition set, for everybody where nothing else is said. */
export const given = (set: Partial<ConditionSet> = {}, rest: Partial<Setting> = {}): Setting => ({
  isOn: true,
  conditions: [aSet(set)],
  payloads: {},
  ...rest,
})

/** In the main environment alone. */
export const inMain = (...of: Parameters<typeof given>): Flag['environments'] => ({
  [mainEnvironment]: given(...of),
})

/** Of whom this property is known. */
export const whose = (key: string, value: string): Condition => ({
  type: 'person',
  key,
  operator: 'exact',
  value,
})

export interface FlagDouble extends Pick<
  Desk,
  'flagsOf' | 'decide' | 'definitions' | 'opened' | 'listen' | 'forcedBy'
> {
  /** Whom it was asked about. */
  asked: Asking[]
  listeners: Set<FlagListener>
  /** By token. */
  forced: Map<string, Forced>
  /** Nobody who is asked about can be looked up any more. */
  loseSight: () => void
}

/** The real decisions of flags that are in memory; nothing is known of anybody beside what is sent. */
export function flagDouble(flags: readonly Flag[] = [], cohorts: CohortRules = new Map()): FlagDouble {
  const live = flags.filter(({ archivedAt }) => !archivedAt)
  let isAll = true
  const double: FlagDouble = {
    asked: [],
    listeners: new Set(),
    forced: new Map(),
    loseSight: () => (isAll = false),
    flagsOf: () => live,
    decide: (asking) => {
      double.asked.push(asking)
      return decided(asking, compileFlags(flags, asking.environment, cohorts), isAll)
    },
    definitions: (_projectId, environment) => {
      const text = JSON.stringify(definitionsFor(live, environment, cohorts))
      return { text, etag: hash('sha1', text), substance: hash('md5', text) }
    },
    opened: (_flag, payload) => payload.replace('sealed ', ''),
    listen: (listener) => {
      double.listeners.add(listener)
      return () => double.listeners.delete(listener)
    },
    forcedBy: (token) => double.forced.get(token),
  }
  return double
}

function decided(asking: Asking, compiled: CompiledFlags, isAll: boolean): Decisions {
  const { distinctId = 'somebody of today', groupProperties, envelope } = asking
  const known = Object.entries(groupProperties).map(([type, properties]) => [type, { properties, isAll }])
  const decisions = decideAll(
    compiled,
    {
      distinctId,
      deviceId: asking.deviceId,
      anonymousId: asking.anonymousId,
      groups: asking.groups,
      person: { properties: asking.person, isAll },
      groupProperties: Object.fromEntries(known),
      isIn: () => 'unknown',
      keptIds: {},
      now: envelope.receivedAt,
    },
    { asks: envelope.fromServer ? 'server' : 'browser', flagKeys: asking.keys, contexts: asking.contexts },
  )
  return { decisions, isComplete: decisions.every(({ reason }) => reason.code !== 'undecided') }
}
