import type { Decision, DecisionReasonCode } from '../decision'
import type { Flag, FlagSetting } from '../flag'

/** The index for "on without a variant". */
export const withoutVariant = -1

/** Creates every possible decision of a flag once, so that nothing is created for each visitor. */
export class InternedDecisions {
  private readonly offs = new Map<DecisionReasonCode, Decision[]>()
  private readonly ons = new Map<DecisionReasonCode, Decision[]>()
  private holdoutDecision: Decision | undefined

  constructor(
    private readonly flag: Flag,
    private readonly setting: FlagSetting | undefined,
  ) {}

  /** The decision "on" with the variant at that index. */
  on(code: DecisionReasonCode, variant: number, condition?: number): Decision {
    const index = (condition ?? 0) * (this.flag.variants.length + 1) + variant + 1
    const made = this.ons.get(code)?.[index]
    return (
      made ??
      remember(this.ons, code, index, this.create(this.flag.variants[variant]?.key ?? true, code, condition))
    )
  }

  off(code: DecisionReasonCode, condition?: number): Decision {
    const made = this.offs.get(code)?.[condition ?? 0]
    return made ?? remember(this.offs, code, condition ?? 0, this.create(false, code, condition))
  }

  heldOut(holdout: number): Decision {
    this.holdoutDecision ??= this.create(`holdout-${holdout}`, 'holdout_condition_value')
    return this.holdoutDecision
  }

  private create(value: boolean | string, code: DecisionReasonCode, condition?: number): Decision {
    return { flag: this.flag, value, payload: this.payloadOf(value), reason: { code, condition } }
  }

  /**
   * The environment's payload overrides the flag's. Secret payloads are left out; clients with a secret key fetch
   * them.
   */
  private payloadOf(value: boolean | string): string | undefined {
    if (value === false || this.flag.isSecret) return undefined
    const key = String(value)
    const own = this.setting?.payloads ?? {}
    return Object.hasOwn(own, key)
      ? own[key]
      : Object.hasOwn(this.flag.payloads, key)
        ? this.flag.payloads[key]
        : undefined
  }
}

function remember(
  decisions: Map<DecisionReasonCode, Decision[]>,
  code: DecisionReasonCode,
  index: number,
  decision: Decision,
): Decision {
  const ofCode = decisions.get(code) ?? []
  ofCode[index] = decision
  decisions.set(code, ofCode)
  return decision
}
