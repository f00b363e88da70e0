import { hash } from 'node:crypto'
import type { CohortRules } from '#flags/internal/cohort-rules'
import { type CompiledFlags, compileFlags } from '#flags/compile'
import { decideAll } from '#flags/internal/decide'
import type { Decisions } from '#flags/flag-decider'
import { type Condition, type ConditionSet, type Flag, mainEnvironment, type FlagSetting } from '#flags/flag'
import { definitionsFor } from '#flags/posthog-form'
import { aSet } from '../random/random-flags'
import type { FlagWireServices } from '#visits/flag-requests/flag-wire-services'
import { flagRequestOf } from '#visits/flag-requests/internal/remote-visits'
import type { FlagRequest, FlagListener, ForcedFlags, RemoteVisitRequest } from '#wire/dialect'

/** One condition set, for all visitors unless stated otherwise. */
export const testSetting = (
  set: Partial<ConditionSet> = {},
  rest: Partial<FlagSetting> = {},
): FlagSetting => ({
  isOn: true,
  conditions: [aSet(set)],
  payloads: {},
  ...rest,
})

/** In the main environment alone. */
export const inMainEnvironment = (...of: Parameters<typeof testSetting>): Flag['environments'] => ({
  [mainEnvironment]: testSetting(...of),
})

/** A condition that persons with this property meet. */
export const personProperty = (key: string, value: string): Condition => ({
  type: 'person',
  key,
  operator: 'exact',
  value,
})

export interface TestFlagServices extends Omit<
  FlagWireServices['services'],
  'findProject' | 'findProjectBySecret'
> {
  requests: FlagRequest[]
  remoteVisits: RemoteVisitRequest[]
  listeners: Set<FlagListener>
  /** By token. */
  forced: Map<string, ForcedFlags>
  /** From now on, no person can be looked up. */
  loseStore: () => void
}

/** The real decisions of flags that are in memory; persons have no properties besides those that are sent. */
export function createTestFlagServices(
  flags: readonly Flag[] = [],
  cohorts: CohortRules = new Map(),
): TestFlagServices {
  const live = flags.filter(({ archivedAt }) => !archivedAt)
  let isAll = true
  const double: TestFlagServices = {
    requests: [],
    remoteVisits: [],
    listeners: new Set(),
    forced: new Map(),
    loseStore: () => (isAll = false),
    flagsOf: () => live,
    decide: (asking) => {
      double.requests.push(asking)
      return decideWith(asking, compileFlags(flags, asking.environment, cohorts), isAll)
    },
    beginRemoteVisit: async (request) => {
      double.remoteVisits.push(request)
      const compiled = compileFlags(flags, request.environment, cohorts)
      const { decisions } = decideWith(flagRequestOf(request, request.visitor), compiled, isAll)
      const isNew = request.mayIdentify && request.visitor === undefined
      const visitor = isNew ? 'a new visitor' : request.visitor
      return { visitor, isNew, isCrawler: false, isPreview: false, exposureSeed: 'seed', decisions }
    },
    flagDefinitions: (_projectId, environment) => {
      const text = JSON.stringify(definitionsFor(live, environment, cohorts))
      return { text, etag: hash('sha1', text), substance: hash('md5', text) }
    },
    openPayload: (_flag, payload) => payload.replace('sealed ', ''),
    listenForFlagChanges: (listener) => {
      double.listeners.add(listener)
      return () => double.listeners.delete(listener)
    },
    findForcedFlags: (token) => double.forced.get(token),
  }
  return double
}

function decideWith(asking: FlagRequest, compiled: CompiledFlags, isAll: boolean): Decisions {
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
    {
      asks: asking.asks ?? (envelope.fromServer ? 'server' : 'browser'),
      flagKeys: asking.keys,
      contexts: asking.contexts,
    },
  )
  return { decisions, isComplete: decisions.every(({ reason }) => reason.code !== 'undecided') }
}
