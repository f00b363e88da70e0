import type { Json } from '#events/event'
import type { FilterAnswer, CohortCondition, PropertyCondition, FilterSubject } from '#filters/filter'
import type { CompiledFlags } from '../compile'
import type { EvaluationContext, Decision, KnownProperties } from '../decision'
import type { Flag } from '../flag'
import { enrolmentOf } from './lookup-needs'
import { asSdksCompare } from './sdk-values'

/** A visitor during the evaluation of their flags. */
export class Visitor implements FilterSubject {
  /** The decisions so far, by the flag's index. */
  readonly decided: Decision[] = []
  /** Cohorts in evaluation, so that a cycle ends. */
  private readonly within = new Set<string>()
  /** The object is reused for all properties: callers read it before their next call. */
  private readonly found: { known: boolean; value?: Json } = { known: true }

  constructor(
    readonly compiled: CompiledFlags,
    readonly context: EvaluationContext,
    /** SDK contexts that the client names; none if it names none. */
    private readonly contexts: readonly string[] = [],
  ) {}

  /** The id by which a flag buckets the visitor; undefined if it buckets by a group that the request does not name. */
  idFor({ bucketBy, keepsThroughSignIn, key }: Flag): string | undefined {
    const { distinctId, deviceId, anonymousId, keptIds = {} } = this.context
    if (bucketBy.by === 'group') return this.groupKey(bucketBy.group)
    // PostHog's server does the same; its SDKs do not know the device id and ask the server
    if (bucketBy.by === 'device') return deviceId ?? distinctId
    if (!keepsThroughSignIn) return distinctId
    return (Object.hasOwn(keptIds, key) ? keptIds[key] : anonymousId) ?? distinctId
  }

  isIdKnown({ keepsThroughSignIn }: Flag): boolean {
    return !keepsThroughSignIn || this.context.keptIds !== undefined
  }

  /** The visitor's own choice to take part; undefined if they never chose. */
  choice(key: string): FilterAnswer | undefined {
    const { properties, isAll } = this.context.person
    const name = enrolmentOf(key)
    const value = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (value === undefined) return isAll ? undefined : 'unknown'
    if (value === null) return undefined
    return value === true || (typeof value === 'string' && value.toLowerCase() === 'true')
  }

  groupKey(type: string): string | undefined {
    return Object.hasOwn(this.context.groups, type) ? this.context.groups[type] : undefined
  }

  property(condition: PropertyCondition): { known: boolean; value?: Json } {
    const known = condition.type === 'group' ? this.groupKnown(condition.group) : this.context.person
    const { found } = this
    const value = this.valueOf(condition, known)
    found.known = value !== undefined || known?.isAll === true
    found.value = value === undefined ? undefined : asSdksCompare(condition, value)
    return found
  }

  private valueOf(
    { type, key, group = '' }: PropertyCondition,
    known: KnownProperties | undefined,
  ): Json | undefined {
    if (known && Object.hasOwn(known.properties, key)) return known.properties[key]
    // SDKs add both to the properties before they decide
    if (type === 'group') return key === '$group_key' ? this.groupKey(group) : undefined
    return key === 'distinct_id' ? this.context.distinctId : undefined
  }

  private groupKnown(type = ''): KnownProperties | undefined {
    const { groupProperties } = this.context
    return Object.hasOwn(groupProperties, type) ? groupProperties[type] : undefined
  }

  cohort({ cohort }: CohortCondition): FilterAnswer {
    const decide = this.compiled.cohorts.get(cohort)
    if (!decide) return this.context.isIn(cohort)
    if (this.within.has(cohort)) return 'unknown'
    this.within.add(cohort)
    const answer = decide(this, this.context.now)
    this.within.delete(cohort)
    return answer
  }

  /** Whether another flag, decided before, has that value. */
  hasDecision(index: number | undefined, expected: boolean | string): FilterAnswer {
    const decision = index === undefined ? undefined : this.decided[index]
    if (!decision) return 'unknown'
    if (decision.reason.code === 'undecided') return 'unknown'
    const value = this.shares(decision.flag) ? decision.value : false
    return expected === true ? value !== false : value === expected
  }

  /** Whether a flag shares a context with the client. */
  shares({ contexts }: Flag): boolean {
    if (this.contexts.length === 0 || contexts.length === 0) return true
    return contexts.some((one) => this.contexts.includes(one))
  }
}
