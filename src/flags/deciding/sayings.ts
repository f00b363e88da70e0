import type { Decision, ReasonCode } from '../decision'
import type { Flag, Setting } from '../flag'

/** On without a variant, as a place among variants. */
export const withoutVariant = -1

/**
 * Everything a flag can say, each made once: millions of visitors get the same few answers, and nothing has to be made
 * for any of them.
 */
export class Sayings {
  private readonly offs = new Map<ReasonCode, Decision[]>()
  private readonly ons = new Map<ReasonCode, Decision[]>()
  private held: Decision | undefined

  constructor(
    private readonly flag: Flag,
    private readonly setting: Setting | undefined,
  ) {}

  /** On, with the variant at that place. */
  on(code: ReasonCode, variant: number, condition?: number): Decision {
    const place = (condition ?? 0) * (this.flag.variants.length + 1) + variant + 1
    const made = this.ons.get(code)?.[place]
    return (
      made ??
      kept(this.ons, code, place, this.said(this.flag.variants[variant]?.key ?? true, code, condition))
    )
  }

  off(code: ReasonCode, condition?: number): Decision {
    const made = this.offs.get(code)?.[condition ?? 0]
    return made ?? kept(this.offs, code, condition ?? 0, this.said(false, code, condition))
  }

  heldOut(holdout: number): Decision {
    this.held ??= this.said(`holdout-${holdout}`, 'holdout_condition_value')
    return this.held
  }

  private said(value: boolean | string, code: ReasonCode, condition?: number): Decision {
    return { flag: this.flag, value, payload: this.payloadOf(value), reason: { code, condition } }
  }

  /** The environment's own comes first. What is secret is given out elsewhere, to those who prove who they are. */
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

function kept(
  made: Map<ReasonCode, Decision[]>,
  code: ReasonCode,
  place: number,
  decision: Decision,
): Decision {
  const ofCode = made.get(code) ?? []
  ofCode[place] = decision
  made.set(code, ofCode)
  return decision
}
