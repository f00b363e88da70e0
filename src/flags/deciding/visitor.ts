import type { Json } from '../../events/event'
import type { Answer, CohortCondition, PropertyCondition, Subject } from '../../filters/filter'
import type { CompiledFlags } from '../compile'
import type { Asked, Decision, Known } from '../decision'
import type { Flag } from '../flag'
import { enrolmentOf } from './needs'
import { asSdksRead } from './sdk-reading'

/** Somebody flags are decided for, while they are. */
export class Visitor implements Subject {
  /** What was decided so far, by the flag's place. */
  readonly decided: Decision[] = []
  /** Cohorts that are being decided, so that a circle of them ends. */
  private readonly within = new Set<string>()
  /** One for all that are asked for: who asks has read it before they ask again. */
  private readonly found: { known: boolean; value?: Json } = { known: true }

  constructor(
    readonly compiled: CompiledFlags,
    readonly asked: Asked,
    /** What an SDK says it is; none where it says nothing. */
    private readonly contexts: readonly string[] = [],
  ) {}

  /** Under which id a flag counts them; undefined where it counts groups and they came without. */
  idFor({ bucketBy, keepsThroughSignIn, key }: Flag): string | undefined {
    const { distinctId, deviceId, anonymousId, keptIds = {} } = this.asked
    if (bucketBy.by === 'group') return this.groupKey(bucketBy.group)
    // as PostHog's server does; its SDKs, which cannot know whether there is one, ask it
    if (bucketBy.by === 'device') return deviceId ?? distinctId
    if (!keepsThroughSignIn) return distinctId
    return (Object.hasOwn(keptIds, key) ? keptIds[key] : anonymousId) ?? distinctId
  }

  isIdKnown({ keepsThroughSignIn }: Flag): boolean {
    return !keepsThroughSignIn || this.asked.keptIds !== undefined
  }

  /** Whether they chose to take part; undefined where they never did. */
  choice(key: string): Answer | undefined {
    const { properties, isAll } = this.asked.person
    const name = enrolmentOf(key)
    const value = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (value === undefined) return isAll ? undefined : 'unknown'
    if (value === null) return undefined
    return value === true || (typeof value === 'string' && value.toLowerCase() === 'true')
  }

  groupKey(type: string): string | undefined {
    return Object.hasOwn(this.asked.groups, type) ? this.asked.groups[type] : undefined
  }

  property(condition: PropertyCondition): { known: boolean; value?: Json } {
    const known = condition.type === 'group' ? this.groupKnown(condition.group) : this.asked.person
    const { found } = this
    const value = this.valueOf(condition, known)
    found.known = value !== undefined || known?.isAll === true
    found.value = value === undefined ? undefined : asSdksRead(condition, value)
    return found
  }

  private valueOf({ type, key, group = '' }: PropertyCondition, known: Known | undefined): Json | undefined {
    if (known && Object.hasOwn(known.properties, key)) return known.properties[key]
    // SDKs put both among the properties before they decide
    if (type === 'group') return key === '$group_key' ? this.groupKey(group) : undefined
    return key === 'distinct_id' ? this.asked.distinctId : undefined
  }

  private groupKnown(type = ''): Known | undefined {
    const { groupProperties } = this.asked
    return Object.hasOwn(groupProperties, type) ? groupProperties[type] : undefined
  }

  cohort({ cohort }: CohortCondition): Answer {
    const decide = this.compiled.cohorts.get(cohort)
    if (!decide) return this.asked.isIn(cohort)
    if (this.within.has(cohort)) return 'unknown'
    this.within.add(cohort)
    const answer = decide(this, this.asked.now)
    this.within.delete(cohort)
    return answer
  }

  /** Whether another flag, which was decided before, gives that. */
  isGiven(place: number | undefined, wanted: boolean | string): Answer {
    const decision = place === undefined ? undefined : this.decided[place]
    if (!decision) return 'unknown'
    if (decision.reason.code === 'undecided') return 'unknown'
    const value = this.shares(decision.flag) ? decision.value : false
    return wanted === true ? value !== false : value === wanted
  }

  /** Whether a flag is for the contexts that were named. */
  shares({ contexts }: Flag): boolean {
    if (this.contexts.length === 0 || contexts.length === 0) return true
    return contexts.some((one) => this.contexts.includes(one))
  }
}
